import { relative } from 'node:path';
import type { FailedTest, TimedFile } from './test-summary.ts';

/** Content of a vitest report. */
export interface TestCounts {
  readonly passed: number;
  /** Number of failed tests. A file that failed in a hook or while it was loaded counts as one. */
  readonly failed: number;
  readonly files: TimedFile[];
  readonly failures: FailedTest[];
}

/** Relevant part of vitest's JSON report. */
interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/** Reads vitest's JSON report; paths are relative to the folder `root`. Throws for any other text. */
export function readReport(text: string, root: string): TestCounts {
  const { numPassedTests, testResults } = JSON.parse(text) as Report;
  const failures = testResults.flatMap((file) => failuresOf(file, root));
  return {
    passed: numPassedTests,
    failed: failures.length,
    files: testResults.map(({ name, startTime, endTime }) => ({ path: relative(root, name), ms: endTime - startTime })),
    failures,
  };
}

/** Failed tests of a file; the file itself if it failed without a failed test. */
function failuresOf(file: Report['testResults'][number], root: string): FailedTest[] {
  const path = relative(root, file.name);
  const failed = file.assertionResults.filter(({ status }) => status === 'failed');
  if (failed.length === 0) {
    // A hook of a group leaves no message in the report.
    const message = file.message || 'a hook failed: its error is above';
    return file.status === 'failed' ? [{ path, title: '', message }] : [];
  }
  return failed.map(({ fullName, failureMessages }) => ({
    path,
    title: fullName,
    message: failureMessages?.join('\n') ?? '',
  }));
}
