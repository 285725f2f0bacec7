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

/**
 * Projects of vitest.config.ts in chains. The chains run side by side, the projects of a chain one after the other. Tests that judge delays come first
 * and have the processors for themselves whenever they want them: what is `isPatient` beside them takes what they leave.
 */
const CHAINS = [
  [{ project: 'timed' }, { project: 'e2e' }],
  [{ project: 'unit', isPatient: true }, { project: 'components', isPatient: true }, { project: 'desk' }],
  [{ project: 'http', isPatient: true }],
] as const satisfies readonly (readonly Run[])[];

/** One run of vitest. */
interface Run {
  readonly project: 'unit' | 'components' | 'http' | 'e2e' | 'desk' | 'timed';
  /** Whether its tests judge no time, so that they may wait for those that do. */
  readonly isPatient?: boolean;
}

const UNIT: ReadonlySet<Run['project']> = new Set(['unit', 'components']);

/** Runs all tests, builds where that is needed, and prints which files took longest. `--unit` or `--e2e` runs one kind; other arguments go to vitest. */
export async function run(args: readonly string[]): Promise<void> {
  const hasUnit = !args.includes('--e2e');
  const hasE2e = !args.includes('--unit') || args.includes('--e2e');
  const rest = args.filter((argument) => argument !== '--e2e' && argument !== '--unit');
  await setUpPeers();
  const total: Count = { passed: 0, failed: 0, files: [], failures: [] };
  const runChain = async (chain: readonly Run[], isAlone: boolean): Promise<void> => {
    for (const run of chain) {
      const count = await runProject(run, rest, isAlone);
      total.passed += count.passed;
      total.failed += count.failed;
      total.files.push(...count.files);
      total.failures.push(...count.failures);
    }
  };
  if (hasE2e) await ensureBuild();
  const isWanted = ({ project }: Run): boolean => (UNIT.has(project) ? hasUnit : hasE2e);
  const chains = CHAINS.map((chain: readonly Run[]) => chain.filter(isWanted)).filter(({ length }) => length > 0);
  await Promise.all(chains.map((chain) => runChain(chain, chains.length === 1)));
  process.stdout.write(failedTests(total.failures));
  process.stdout.write(slowestFiles(total.files));
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
  process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
}

/** @param isAlone whether nothing else runs meanwhile, so that it may have the terminal */
async function runProject({ project, isPatient }: Run, args: readonly string[], isAlone: boolean): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), 'airdesk-test-'));
  const file = join(folder, 'results.json');
  // A filter may name files of one kind only.
  const reporters = ['--passWithNoTests', '--reporter', 'default', '--reporter', 'json', `--outputFile.json=${file}`];
  const result = await runTool('vitest/vitest.mjs', ['run', '--project', project, ...reporters, ...args], {
    ...(isAlone ? {} : { capture: 'tee', isPatient: isPatient ?? false }),
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
