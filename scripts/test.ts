import { runAgain } from './run-again.ts';
import { ensureBuild, type Priority } from './step.ts';
import { runTests, type Project, type TestResult } from './test-run.ts';
import { run as setUpPeers } from './setup-peers.ts';
import { failedTests, slowestFiles, unsteadyTests } from './test-summary.ts';

/** Projects for one vitest process, and the runs after them, in parallel. */
interface Run {
  readonly projects: readonly Project[];
  readonly then?: readonly Run[];
  /** Beside the tests of other projects; alone all run with normal priority. */
  readonly priority?: Priority;
}

/** Unit tests take idle time, also during the build. */
const LEAST: Run = { projects: ['unit', 'components'], priority: 'lowest' };

/**
 * Runs that need a build: three sequences of about the same duration. A fourth costs more than it saves, because both cores are
 * in use anyway and starved tests run again. `playback` judges most and runs beside the least demanding. Tests that judge replies
 * get a constant share of the machine, and more if it is free: their servers have limits of their own, which end a request that
 * waits for minutes.
 */
const SIDE_BY_SIDE: readonly Run[] = [
  ...inOrder(['playback', 'desk']),
  ...inOrder(['timed', 'players']),
  { projects: ['http'], priority: 'low', then: inOrder(['e2e', 'recording', 'forms']) },
];

/** On a slow machine players of two sequences would compete, and all of its time is used anyway. */
const ON_SLOW_MACHINE: readonly Run[] = [
  ...inOrder(['playback', 'timed', 'e2e', 'players', 'desk']),
  ...inOrder(['http', 'recording', 'forms'], 'low'),
];

const UNIT: ReadonlySet<Project> = new Set(['unit', 'components']);

/** Rules of the code base: `npm run check` enforces them. */
const CHECKED = ['--exclude', 'tests/architecture/**'];

/**
 * Runs all tests except those of `npm run check`, builds if needed, and prints the slowest files. `--unit` or `--e2e` runs one
 * kind; other arguments go to vitest. A failed file runs again when nothing runs beside it. If it passes then it is listed as
 * unsteady: a defect, of the test or of a limit in the code.
 */
export async function run(args: readonly string[]): Promise<void> {
  const hasUnit = !args.includes('--e2e');
  const hasE2e = !args.includes('--unit') || args.includes('--e2e');
  const rest = args.filter((argument) => argument !== '--e2e' && argument !== '--unit');
  await setUpPeers();
  const results: TestResult[] = [];
  const isSelected = (project: Project): boolean => (UNIT.has(project) ? hasUnit : hasE2e);
  const runSelected = async ({ projects, then = [], priority = 'normal' }: Run): Promise<void> => {
    const selected = projects.filter(isSelected);
    if (selected.length > 0)
      results.push(await runTests(selected, [...CHECKED, ...rest], hasE2e ? priority : 'normal'));
    await Promise.all(then.map((next) => runSelected(next)));
  };
  const sequences = hasE2e && isSlow() ? ON_SLOW_MACHINE : SIDE_BY_SIDE;
  if (sequences === ON_SLOW_MACHINE) process.stdout.write('this machine is slow: players run one after the other\n');
  const built = hasE2e ? ensureBuild() : Promise.resolve();
  await Promise.all([runSelected(LEAST), ...sequences.map(async (one) => built.then(() => runSelected(one)))]);
  const finals: Awaited<ReturnType<typeof runAgain>>[] = [];
  for (const first of results) {
    const run = (files: readonly string[]): Promise<TestResult> => runTests(first.projects, files, 'normal');
    finals.push(hasUnit && hasE2e ? await runAgain(first, run) : { ...first, unsteady: [] });
  }
  const [passed, failed] = [
    finals.reduce((sum, one) => sum + one.passed, 0),
    finals.reduce((sum, one) => sum + one.failed, 0),
  ];
  process.stdout.write(unsteadyTests(finals.flatMap(({ unsteady }) => unsteady)));
  process.stdout.write(failedTests(finals.flatMap(({ failures }) => failures)));
  process.stdout.write(slowestFiles(results.flatMap(({ files }) => files)));
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}

/** Runs projects one after another. */
function inOrder([first, ...others]: readonly Project[], priority: Priority = 'normal'): readonly Run[] {
  return first === undefined ? [] : [{ projects: [first], priority, then: inOrder(others, priority) }];
}

const TOUCHED_BYTES = 64 * 1024 * 1024;
/**
 * Processor time to allocate fresh memory, in milliseconds: 20 to 40 on most machines, 200 and more in a guest whose host is
 * busy.
 */
const SLOW_MEMORY_MS = 100;

/**
 * Whether this machine is slow now. Starting programs and browsers allocate memory all the time, so this is what makes tests
 * slow.
 */
function isSlow(): boolean {
  let least = Infinity;
  for (let round = 0; round < 3; round++) {
    const before = process.cpuUsage();
    Buffer.alloc(TOUCHED_BYTES, 1);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least > SLOW_MEMORY_MS;
}
