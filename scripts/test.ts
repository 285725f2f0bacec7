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

/**
 * Projects of vitest.config.ts, in steps: the groups of a step run side by side, the projects of a group one after the other. Unit tests take all the
 * processor time there is, so beside them run those that wait for answers. Tests that judge delays have the machine for themselves: beside others a
 * browser decodes too slowly, and its players fall behind.
 */
const STEPS = [[['unit', 'components'], ['http']], [['e2e'], ['desk']], [['timed']]] as const;

type Project = (typeof STEPS)[number][number][number];

const UNIT: ReadonlySet<Project> = new Set(['unit', 'components']);

/** Runs all tests, builds where that is needed, and prints which files took longest. `--unit` or `--e2e` runs one kind; other arguments go to vitest. */
export async function run(args: readonly string[]): Promise<void> {
  const hasUnit = !args.includes('--e2e');
  const hasE2e = !args.includes('--unit') || args.includes('--e2e');
  const rest = args.filter((argument) => argument !== '--e2e' && argument !== '--unit');
  await setUpPeers();
  const total: Count = { passed: 0, failed: 0, files: [] };
  const runGroup = async (group: readonly Project[], isAlone: boolean): Promise<void> => {
    for (const project of group) {
      const count = await runProject(project, rest, isAlone);
      total.passed += count.passed;
      total.failed += count.failed;
      total.files.push(...count.files);
    }
  };
  if (hasE2e) await ensureBuild();
  const isWanted = (project: Project): boolean => (UNIT.has(project) ? hasUnit : hasE2e);
  for (const step of STEPS) {
    const groups = step.map((group) => group.filter(isWanted)).filter(({ length }) => length > 0);
    await Promise.all(groups.map((group) => runGroup(group, groups.length === 1)));
  }
  process.stdout.write(slowestFiles(total.files));
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
  process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
}

/** @param isAlone whether nothing else runs meanwhile, so that it may have the terminal */
async function runProject(project: Project, args: readonly string[], isAlone: boolean): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), 'airdesk-test-'));
  const file = join(folder, 'results.json');
  // A filter may name files of one kind only.
  const reporters = ['--passWithNoTests', '--reporter', 'default', '--reporter', 'json', `--outputFile.json=${file}`];
  const result = await runTool('vitest/vitest.mjs', ['run', '--project', project, ...reporters, ...args], {
    ...(isAlone ? {} : { capture: 'tee' }),
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
    };
  } catch {
    return { passed: 0, failed: 1, files: [] };
  }
}
