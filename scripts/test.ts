import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ROOT } from './project.ts';
import { run as setUpPeers } from './setup-peers.ts';
import { failedTests, slowestFiles, type FailedTest, type TimedFile } from './test-summary.ts';
import { ensureBuild, runTool } from './step.ts';

interface Count {
  passed: number;
  failed: number;
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
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

type Project = 'unit' | 'components' | 'playback' | 'timed' | 'desk' | 'http' | 'e2e';

/** Projects of vitest.config.ts that judge delays or look at a screen, in steps: those of a step run side by side. */
const STEPS: readonly (readonly Project[])[] = [['playback'], ['timed'], ['desk', 'e2e']];

/** Projects that judge no delay, in groups: they run beside the steps and each other with the lowest priority, those of a group one after the other. */
const PATIENT: readonly (readonly Project[])[] = [['http'], ['unit', 'components']];

const UNIT: ReadonlySet<Project> = new Set(['unit', 'components']);

/** Runs all tests, builds where that is needed, and prints which files took longest. `--unit` or `--e2e` runs one kind; other arguments go to vitest. */
export async function run(args: readonly string[]): Promise<void> {
  const hasUnit = !args.includes('--e2e');
  const hasE2e = !args.includes('--unit') || args.includes('--e2e');
  const rest = args.filter((argument) => argument !== '--e2e' && argument !== '--unit');
  await setUpPeers();
  const total: Count = { passed: 0, failed: 0, files: [], failures: [] };
  const isWanted = (project: Project): boolean => (UNIT.has(project) ? hasUnit : hasE2e);
  const runAll = async (projects: readonly Project[], isPatient = false): Promise<void> => {
    for (const project of projects.filter(isWanted)) {
      const count = await runProject(project, rest, isPatient);
      total.passed += count.passed;
      total.failed += count.failed;
      total.files.push(...count.files);
      total.failures.push(...count.failures);
    }
  };
  if (hasE2e) await ensureBuild();
  const patient = PATIENT.map((group) => runAll(group, hasE2e));
  for (const step of STEPS) await Promise.all(step.map((project) => runAll([project])));
  await Promise.all(patient);
  process.stdout.write(failedTests(total.failures));
  process.stdout.write(slowestFiles(total.files));
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
  process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
}

async function runProject(project: Project, args: readonly string[], isPatient: boolean): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), 'airdesk-test-'));
  const file = join(folder, 'results.json');
  // A filter may name files of one kind only.
  const reporters = ['--passWithNoTests', '--reporter', 'default', '--reporter', 'json', `--outputFile.json=${file}`];
  const result = await runTool('vitest/vitest.mjs', ['run', '--project', project, ...reporters, ...args], {
    capture: 'tee',
    isPatient,
  });
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
      failures: results.testResults.flatMap(failuresOf),
    };
  } catch {
    return { passed: 0, failed: 1, files: [], failures: [] };
  }
}

/** The tests of a file that failed; the file itself where it could not be loaded. */
function failuresOf({ name, message, assertionResults }: Report['testResults'][number]): FailedTest[] {
  const path = relative(ROOT, name);
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  if (failed.length === 0 && message) return [{ path, title: '', message }];
  return failed.map(({ fullName, failureMessages }) => ({
    path,
    title: fullName,
    message: failureMessages?.join('\n') ?? '',
  }));
}
