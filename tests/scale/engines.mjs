// The engines that tests/scale runs `leanbridge check` on: whether each is installed, and a private Slurm on loopback.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '../support/free-port.mjs';
import { eventually } from '../support/processes.mjs';

/** Debian's packages install the daemons in folders that are not on a user's PATH. */
export const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;
const has = program => spawnSync('/bin/sh', ['-c', `command -v ${program}`], { env: { ...process.env, PATH } }).status === 0;
/** Why an engine cannot be used, or false. tests/scale/install tries to install them. */
export const withoutParallel = has('parallel') ? false : 'GNU parallel is not installed';
export const withoutSlurm = ['slurmctld', 'slurmd', 'sbatch', 'munged'].every(has)
  ? (process.getuid() === 0 ? false : 'its daemons want to be started by root')
  : 'slurm-wlm and munge are not installed';
/** A Python with the packages of tests/scale/install. */
export const python = path.resolve(import.meta.dirname, '..', '..', 'build', 'scale', 'venv', 'bin', 'python');
const hasModule = name => spawnSync(python, ['-c', `import ${name}`], { timeout: 60_000 }).status === 0;
export const withoutRay = hasModule('ray') ? false : 'Ray is not installed';
export const withoutSchema = hasModule('kubernetes_validate') ? false : 'kubernetes-validate is not installed';

/**
 * munged, slurmctld and two slurmd with a CPU each, in a folder of their own: {env, run(command, args), end()}. All
 * settings are in slurm.conf: nothing of the machine's own Slurm is read or written.
 */
export async function startSlurm() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'slurm-'));
  fs.chmodSync(folder, 0o755);
  const at = name => path.join(folder, name);
  for (const name of ['state', 'spool-n1', 'spool-n2', 'munge']) fs.mkdirSync(at(name), { mode: 0o700 });
  fs.writeFileSync(at('munge/key'), Buffer.from(Array.from({ length: 128 }, (_, i) => (i * 37 + 11) % 256)), { mode: 0o600 });
  const [ctld, n1, n2] = [await freePort(), await freePort(), await freePort()];
  const host = os.hostname();
  const config = {
    ClusterName: 'scale', SlurmctldHost: `${host}(127.0.0.1)`, SlurmUser: 'root', SlurmdUser: 'root', AuthType: 'auth/munge', AuthInfo: `socket=${at('munge/socket')},cred_expire=10`,
    SlurmctldPort: ctld, StateSaveLocation: at('state'), SlurmdSpoolDir: at('spool-%n'), SlurmctldPidFile: at('ctld.pid'), SlurmdPidFile: at('d-%n.pid'),
    SlurmctldLogFile: at('ctld.log'), SlurmdLogFile: at('d-%n.log'), ProctrackType: 'proctrack/linuxproc', TaskPlugin: 'task/none', SelectType: 'select/cons_tres',
    SelectTypeParameters: 'CR_CPU', SchedulerType: 'sched/backfill', ReturnToService: 2, MpiDefault: 'none', JobRequeue: 1, KillWait: 5, MinJobAge: 600,
    SlurmdParameters: 'config_overrides', SchedulerParameters: 'batch_sched_delay=0,sched_min_interval=100000,requeue_setup_env_fail', AccountingStorageType: 'accounting_storage/none',
  };
  const node = (name, port) => `NodeName=${name} NodeHostname=${host} NodeAddr=127.0.0.1 Port=${port} CPUs=1 RealMemory=2000 State=UNKNOWN\n`;
  fs.writeFileSync(at('slurm.conf'), `${Object.entries(config).map(([key, value]) => `${key}=${value}\n`).join('')}${node('n1', n1)}${node('n2', n2)}PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP\n`);
  fs.writeFileSync(at('cgroup.conf'), 'CgroupAutomount=no\n');
  const env = { ...process.env, PATH, SLURM_CONF: at('slurm.conf') };
  const running = [];
  const output = fs.openSync(at('daemons.log'), 'a');
  const daemon = (command, args) => { const child = spawn(command, args, { env, stdio: ['ignore', output, output] }); running.push(child); return child; };
  const run = (command, args, options = {}) => spawnSync(command, args, { env, encoding: 'utf8', timeout: 30_000, ...options });
  const logs = () => ['daemons.log', 'ctld.log', 'd-n1.log', 'd-n2.log'].map(name => `--- ${name}\n${fs.existsSync(at(name)) ? fs.readFileSync(at(name), 'utf8').slice(-2000) : ''}`).join('\n');
  const end = async () => {
    run('scancel', ['--user=root']);
    for (const child of [...running].reverse()) child.kill('SIGTERM');
    await eventually(() => running.every(child => child.exitCode !== null || child.signalCode !== null), 20_000, 'the end of the daemons').catch(() => { for (const child of running) child.kill('SIGKILL'); });
    fs.closeSync(output);
    fs.rmSync(folder, { recursive: true, force: true });
  };
  try {
    daemon('munged', ['--foreground', '--force', `--key-file=${at('munge/key')}`, `--socket=${at('munge/socket')}`, `--pid-file=${at('munge/pid')}`, `--log-file=${at('munge/log')}`, `--seed-file=${at('munge/seed')}`]);
    await eventually(() => fs.existsSync(at('munge/socket')), 10_000, 'munged');
    daemon('slurmctld', ['-D', '-i', '-f', at('slurm.conf')]);
    for (const name of ['n1', 'n2']) daemon('slurmd', ['-D', '-N', name, '-f', at('slurm.conf')]);
    await eventually(() => /^n1 idle\nn2 idle\n$/m.test(run('sinfo', ['-h', '-N', '-o', '%N %T']).stdout), 60_000, 'two idle nodes');
  } catch (error) {
    error.message += `\n${run('sinfo', ['-N', '-l']).stdout}\n${logs()}`;
    await end();
    throw error;
  }
  return { env, run, end, logs };
}
