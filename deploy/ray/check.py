#!/usr/bin/env python3
"""Checks a file of items with leanbridge on a Ray cluster: one task per shard, each continuing a file of its own.

    python deploy/ray/check.py PROJECT ITEMS.jsonl RESULTS --shards 16 --cpus 4 --worker-mb 6000
    leanbridge check --merge RESULTS/*.jsonl > verdicts.jsonl

Needs: Ray 2.x; leanbridge, the toolchain and the built PROJECT on every node; ITEMS and RESULTS on a file system that all
nodes see. A task that a node takes down with it is started again by Ray, and skips what its file has.
"""
import argparse
import ctypes
import os
import pathlib
import signal
import subprocess
import sys

import ray

NOT_ALL_JUDGED = 3


def end_with_parent():
    """A task's process that is killed must take leanbridge with it, which then takes Lean."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


@ray.remote(max_retries=5, retry_exceptions=True)
def check_shard(project, items, out, shard, shards, jobs, worker_mb, leanbridge):
    command = [leanbridge, "check", items, "--shard", f"{shard}/{shards}", "--jobs", str(jobs),
               "--worker-memory", str(worker_mb), "--resume", out, "--summary", "json"]
    with open(out, "ab") as verdicts:
        ended = subprocess.run(command, cwd=project, stdout=verdicts, stderr=subprocess.PIPE, text=True, check=False,
                               preexec_fn=end_with_parent)
    if ended.returncode == NOT_ALL_JUDGED:
        raise RuntimeError(f"shard {shard}: not all were judged: {ended.stderr[-2000:]}")
    return shard, ended.returncode, ended.stderr.strip().splitlines()[-1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", type=pathlib.Path)
    parser.add_argument("items", type=pathlib.Path)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--shards", type=int, default=16)
    parser.add_argument("--cpus", type=int, default=4, help="of a task, and its Lean workers")
    parser.add_argument("--worker-mb", type=int, default=6000)
    parser.add_argument("--leanbridge", default=os.environ.get("LEANBRIDGE", "leanbridge"))
    given = parser.parse_args()
    given.results.mkdir(parents=True, exist_ok=True)

    ray.init(ignore_reinit_error=True)
    resources = {"num_cpus": given.cpus, "memory": (given.cpus * given.worker_mb + 2000) * 2**20}
    left = [check_shard.options(**resources).remote(
        str(given.project.resolve()), str(given.items.resolve()), str(given.results.resolve() / f"{shard}.jsonl"),
        shard, given.shards, given.cpus, given.worker_mb, given.leanbridge) for shard in range(1, given.shards + 1)]
    failed = 0
    while left:
        done, left = ray.wait(left)
        try:
            shard, code, summary = ray.get(done[0])
            print(f"shard {shard}: {' '.join(summary)}", flush=True)
            failed += code != 0
        except ray.exceptions.RayError as error:
            print(error, file=sys.stderr)
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
