import type { TestCounts } from './test-report.ts';
import type { FailedTest } from './test-summary.ts';

/** More failed files than this are not caused by load. A host that gives a third of its processor time fails a dozen. */
const MAX_AGAIN = 20;
/** Maximum number of runs of a file alone, after the run beside others. */
const MAX_ALONE = 2;

/** Result of a run after its failed files were run again. */
interface RanAgain {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly FailedTest[];
  /** Failures in files that passed later. */
  readonly unsteady: readonly FailedTest[];
}

/**
 * Runs failed files once more, alone. A test that fails twice has failed. A file of which only other tests failed the second time
 * runs a third time: a machine that stalls now and then hits different tests, a defect the same one.
 *
 * @param first result of the first run
 * @param run runs some files
 */
export async function runAgain(
  first: TestCounts,
  run: (files: readonly string[]) => Promise<TestCounts>,
): Promise<RanAgain> {
  const unsteady: FailedTest[] = [];
  const failedTwice: FailedTest[] = [];
  let before: readonly FailedTest[] = [];
  let open: readonly FailedTest[] = first.failures;
  // Without the names of its tests nothing can be repeated.
  let unnamed = first.failed - first.failures.length;
  for (let alone = 0; alone < MAX_ALONE && unnamed === 0; alone++) {
    const files = [...new Set(open.map(({ path }) => path))];
    if (files.length === 0 || files.length > MAX_AGAIN) break;
    before = [...before, ...open];
    const { failed, failures } = await run(files);
    unnamed = failed - failures.length;
    if (unnamed > 0) break;
    const fails = (path: string): boolean => failures.some((one) => one.path === path);
    unsteady.push(...before.filter(({ path }) => files.includes(path) && !fails(path)));
    const isLasting = (path: string): boolean =>
      failures.some((one) => one.path === path && before.some((other) => isSame(one, other)));
    failedTwice.push(...failures.filter(({ path }) => isLasting(path)));
    open = failures.filter(({ path }) => !isLasting(path));
  }
  const failures = [...failedTwice, ...open];
  const failed = failures.length + unnamed;
  return { passed: first.passed + Math.max(0, first.failed - failed), failed, failures, unsteady };
}

function isSame(one: FailedTest, other: FailedTest): boolean {
  return one.path === other.path && one.title === other.title;
}
