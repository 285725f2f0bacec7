import { ensureBuild, type Priority } from './step.ts';
import type { TestCounts } from './test-report.ts';
import { runTests, type Project } from './test-run.ts';
import { run as setUpPeers } from './setup-peers.ts';
import { failedTests, slowestFiles } from './test-summary.ts';

/** Projects for one vitest process, and the runs that follow it in parallel. */
interface Run {
  readonly projects: readonly Project[];
  readonly then?: readonly Run[];
  /** Priority beside the tests of other projects; default: normal. */
  readonly priority?: Priority;
}

/** Unit tests, which run before the others: beside them they would wait for minutes, because both cores are busy. */
const FIRST: readonly Run[] = [{ projects: ['components'] }, { projects: ['unit'] }];

/**
 * Runs that need a build: two sequences. Tests that measure times or show pictures run one file at a time. Tests that mostly
 * wait for replies run beside them and yield to them. More at once takes as long, and makes each test slower.
 */
const SIDE_BY_SIDE: readonly Run[] = [
  ...inOrder(['playback', 'timed', 'desk', 'players']),
  ...inOrder(['http', 'e2e', 'recording', 'forms'], 'low'),
];

const UNIT: ReadonlySet<Project> = new Set(['unit', 'components']);

/** Rules of the code base: `npm run check` enforces them. */
const CHECKED = ['--exclude', 'tests/architecture/**'];

/**
 * Runs all tests except those of `npm run check`, builds if needed, and prints the slowest files. `--unit` or `--e2e` runs one
 * kind; other arguments go to vitest.
 */
export async function run(args: readonly string[]): Promise<void> {
  const hasUnit = !args.includes('--e2e');
  const hasE2e = !args.includes('--unit') || args.includes('--e2e');
  const otherArguments = args.filter((argument) => argument !== '--e2e' && argument !== '--unit');
  await setUpPeers();
  const results: TestCounts[] = [];
  const isSelected = (project: Project): boolean => (UNIT.has(project) ? hasUnit : hasE2e);
  const runSelected = async ({ projects, then = [], priority = 'normal' }: Run): Promise<void> => {
    const selected = projects.filter(isSelected);
    if (selected.length > 0) results.push(await runTests(selected, [...CHECKED, ...otherArguments], priority));
    await Promise.all(then.map((next) => runSelected(next)));
  };
  await Promise.all([...FIRST.map((one) => runSelected(one)), hasE2e ? ensureBuild() : undefined]);
  await Promise.all(SIDE_BY_SIDE.map((one) => runSelected(one)));
  const [passed, failed] = [
    results.reduce((sum, one) => sum + one.passed, 0),
    results.reduce((sum, one) => sum + one.failed, 0),
  ];
  process.stdout.write(failedTests(results.flatMap(({ failures }) => failures)));
  process.stdout.write(slowestFiles(results.flatMap(({ files }) => files)));
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}

/** Runs projects one after another. */
function inOrder([first, ...others]: readonly Project[], priority: Priority = 'normal'): readonly Run[] {
  return first === undefined ? [] : [{ projects: [first], priority, then: inOrder(others, priority) }];
}
