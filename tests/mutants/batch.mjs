// What the verdicts of `leanbridge check` promise (docs/scale.md).
const runner = 'src/check/batch/runner.cpp';
const test = name => `tests/unit/check/batch_runner_test.cpp "${name}"`;

export default [
  {
    name: 'check-hidden',
    of: 'verdicts of check',
    takes: 'a sorry that only the compiled terms show is ok',
    patch: [{ file: runner, find: 'if (found->finding == Scrutiny::Finding::Sorry) report.verdict = Verdict::Sorry;', put: '' }],
    test: test('what only the compiled text shows decides'),
    says: /verdict\("a"\) == Verdict::Sorry/,
  },
  {
    name: 'check-person-not-told',
    of: 'verdicts of check',
    takes: 'on a terminal, the exit code says that all is well where it is not',
    patch: [{ file: 'src/check/command/check_run.cpp', find: '(options_.strict || is_for_people_) && !all_ok', put: 'options_.strict && !all_ok' }],
    test: 'tests/e2e/check.test.mjs "on a terminal: a bar while it runs, a line for what is not ok, and a summary"',
    says: /not all is well/,
  },
  {
    name: 'check-innocent',
    of: 'verdicts of check',
    takes: 'the first death of a worker is blamed on the item it has',
    patch: [{ file: runner, find: 'constexpr int kMaxDeaths = 3;', put: 'constexpr int kMaxDeaths = 1;' }],
    test: test('an item is blamed for the death of its worker only if it dies each time'),
    says: /verdict\("b"\) == Verdict::Ok/,
    apart: true,
  },
  {
    name: 'check-server-death',
    of: 'verdicts of check',
    takes: 'an item is blamed for workers that died with the server',
    patch: [{ file: runner, find: '++(*unexplained == server_starts ? with_text : others);', put: '++(*unexplained <= server_starts ? with_text : others);' }, { file: runner, find: '      deaths.unexplained.reset();  // its death explains that of the worker\n', put: '' }],
    test: test('nor is that of a worker which the server reports before it dies too'),
    says: /verdict\("a"\) == Verdict::Ok/,
    apart: true,
  },
  {
    name: 'check-disturbed',
    of: 'verdicts of check',
    takes: 'an item is judged by the time that it shared with what a runaway left in its worker',
    patch: [{ file: runner, find: 'constexpr double kCoresOfOne = 1.5;', put: 'constexpr double kCoresOfOne = 15;' }],
    test: test('an item that runs out of time beside what a runaway left is tried again, alone'),
    says: /verdict\("b"\) == Verdict::Ok/,
    apart: true,
  },
  {
    name: 'check-programs',
    of: 'verdicts of check',
    takes: 'a worker in which a program ran judges the next item',
    patch: [{ file: runner, find: '  else if (runs_programs(item))\n    renew(lane);', put: '' }],
    test: test('a worker in which a program ran judges nobody else'),
    says: /opened == 2/,
  },
  {
    name: 'check-memory',
    of: 'verdicts of check',
    takes: 'an item is blamed for the memory of those before it',
    patch: [{ file: runner, find: 'end == End::TooLarge && tried.fresh', put: 'end == End::TooLarge' }],
    test: test('a worker above its memory: the item is blamed only on a worker of its own'),
    says: /== 2/,
    apart: true,
  },
];
