import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './project.ts';
import { runTool, type Priority } from './step.ts';
import { readReport, type TestCounts } from './test-report.ts';

/** A project of vitest.config.ts. */
export type Project =
  'unit' | 'components' | 'playback' | 'timed' | 'desk' | 'forms' | 'players' | 'http' | 'recording' | 'e2e';

/** Runs the tests of some projects in one process of vitest; `args` are further arguments. */
export async function runTests(
  projects: readonly Project[],
  args: readonly string[],
  priority: Priority,
): Promise<TestCounts> {
  const folder = mkdtempSync(join(tmpdir(), 'airdesk-test-'));
  const file = join(folder, 'results.json');
  // A filter may match files of other projects only.
  const reporters = ['--passWithNoTests', '--reporter', 'default', '--reporter', 'json', `--outputFile.json=${file}`];
  const result = await runTool(
    'vitest/vitest.mjs',
    ['run', ...projects.flatMap((project) => ['--project', project]), ...reporters, ...args],
    {
      capture: 'tee',
      priority,
    },
  );
  const count = readResult(file);
  rmSync(folder, { recursive: true, force: true });
  return { ...count, failed: result.code === 0 ? count.failed : Math.max(1, count.failed) };
}

function readResult(file: string): TestCounts {
  try {
    return readReport(readFileSync(file, 'utf8'), ROOT);
  } catch {
    return { passed: 0, failed: 1, files: [], failures: [] };
  }
}
