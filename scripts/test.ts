import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ROOT } from './project.ts';
import { run as setUpPeers } from './setup-peers.ts';
import { slowestFiles, type TimedFile } from './slowest-files.ts';
import { ensureBuild, runTool } from './step.ts';

interface Count {
  passed: number;
  failed: number;
  readonly files: TimedFile[];
}

/** The part of vitest's JSON report that counts here. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { readonly name: string; readonly startTime: number; readonly endTime: number }[];
}

/** Runs the unit tests, builds, runs the end-to-end tests, and prints which files took longest. `--unit` or `--e2e` runs one kind; other arguments go to vitest. */
export async function run(args: readonly string[]): Promise<void> {
  const projects = args.includes('--e2e')
    ? ['doors', 'e2e']
    : args.includes('--unit')
      ? ['unit']
      : ['unit', 'doors', 'e2e'];
  const rest = args.filter((argument) => argument !== '--e2e' && argument !== '--unit');
  await setUpPeers();
  const total: Count = { passed: 0, failed: 0, files: [] };
  for (const project of projects) {
    if (project !== 'unit') await ensureBuild();
    const count = await runProject(project, rest);
    total.passed += count.passed;
    total.failed += count.failed;
    total.files.push(...count.files);
  }
  process.stdout.write(slowestFiles(total.files));
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
  process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
}

async function runProject(project: string, args: readonly string[]): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), 'airdesk-test-'));
  const file = join(folder, 'results.json');
  // A filter may name files of one kind only.
  const reporters = ['--passWithNoTests', '--reporter', 'default', '--reporter', 'json', `--outputFile.json=${file}`];
  const result = await runTool('vitest/vitest.mjs', ['run', '--project', project, ...reporters, ...args]);
  const count = readCount(file);
  rmSync(folder, { recursive: true, force: true });
  // A suite that cannot be loaded, or an error outside a test, counts as one failure.
  return { ...count, failed: result.code === 0 ? count.failed : Math.max(1, count.failed) };
}

function readCount(file: string): Count {
  try {
    const results = JSON.parse(readFileSync(file, 'utf8')) as Report;
    return {
      passed: results.numPassedTests,
      failed: results.numFailedTests,
      files: results.testResults.map(({ name, startTime, endTime }) => ({
        path: relative(ROOT, name),
        ms: endTime - startTime,
      })),
    };
  } catch {
    return { passed: 0, failed: 1, files: [] };
  }
}
