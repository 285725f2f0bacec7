import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ROOT } from './project.ts';
import type { FailedTest, TimedFile } from './test-summary.ts';
import { runTool } from './step.ts';

/** A project of vitest.config.ts. */
export type Project = 'unit' | 'components' | 'playback' | 'timed' | 'desk' | 'http' | 'e2e';

/** What one process of vitest gave. */
export interface TestResult {
  readonly projects: readonly Project[];
  readonly passed: number;
  /** A file that cannot be loaded, or an error outside a test, counts as one. */
  readonly failed: number;
  readonly files: TimedFile[];
  readonly failures: FailedTest[];
}

/** The part of vitest's JSON report that counts here. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly status: 'passed' | 'failed';
    /** The error of the file; that of a hook inside a `describe` is not here. */
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/** Runs the tests of some projects in one process of vitest; `args` are further arguments. */
export async function runTests(
  projects: readonly Project[],
  args: readonly string[],
  isPatient: boolean,
): Promise<TestResult> {
  const folder = mkdtempSync(join(tmpdir(), 'airdesk-test-'));
  const file = join(folder, 'results.json');
  // A filter may name files of one kind only.
  const reporters = ['--passWithNoTests', '--reporter', 'default', '--reporter', 'json', `--outputFile.json=${file}`];
  const result = await runTool(
    'vitest/vitest.mjs',
    ['run', ...projects.flatMap((project) => ['--project', project]), ...reporters, ...args],
    {
      capture: 'tee',
      isPatient,
    },
  );
  const count = readResult(file);
  rmSync(folder, { recursive: true, force: true });
  return { ...count, projects, failed: result.code === 0 ? count.failed : Math.max(1, count.failed) };
}

function readResult(file: string): Omit<TestResult, 'projects'> {
  try {
    const results = JSON.parse(readFileSync(file, 'utf8')) as Report;
    return {
      passed: results.numPassedTests,
      failed: results.numFailedTests,
      files: results.testResults.map(({ name, startTime, endTime }) => ({
        path: relative(ROOT, name),
        ms: endTime - startTime,
      })),
      failures: results.testResults.flatMap(failuresOf),
    };
  } catch {
    return { passed: 0, failed: 1, files: [], failures: [] };
  }
}

/** The tests of a file that failed; the file itself where it could not be loaded or a hook failed. */
function failuresOf({ name, status, message, assertionResults }: Report['testResults'][number]): FailedTest[] {
  const path = relative(ROOT, name);
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  if (failed.length === 0 && status === 'failed')
    return [{ path, title: '', message: message || 'a hook failed: its error is above' }];
  return failed.map(({ fullName, failureMessages }) => ({
    path,
    title: fullName,
    message: failureMessages?.join('\n') ?? '',
  }));
}
