import { ensureBuild } from './step.ts';
import { runTests, type Project, type TestResult } from './test-run.ts';
import { run as setUpPeers } from './setup-peers.ts';
import { failedTests, slowestFiles, unsteadyTests } from './test-summary.ts';

/** Projects that one process of vitest runs, or a part of their files. */
interface Run {
  readonly projects: readonly Project[];
  /** For example `1/2`: the first half of the files. */
  readonly shard?: string;
}

/**
 * Projects that judge delays or pictures. Sequences run side by side, each one run after the other. Beside `playback` and `timed` is what needs least of the
 * machine: players of a third run would starve them.
 */
const SEQUENCES: readonly (readonly Run[])[] = [
  [{ projects: ['playback'] }, { projects: ['timed'] }, { projects: ['players'], shard: '1/2' }],
  [{ projects: ['e2e'] }, { projects: ['desk'] }, { projects: ['players'], shard: '2/2' }],
];

/** What judges no delay: these run beside the sequences and each other with the lowest priority. */
const PATIENT: readonly Run[] = [{ projects: ['http'] }, { projects: ['unit', 'components'] }];

const UNIT: ReadonlySet<Project> = new Set(['unit', 'components']);

/** Where more files failed than these, it was not the load. A host that takes a third of the processor time away for a minute fails five. */
const MOST_AGAIN = 8;

/**
 * Runs all tests, builds where that is needed, and prints which files took longest. `--unit` or `--e2e` runs one kind; other arguments go to vitest.
 * A file that failed runs once more when nothing runs beside it. Where it passes then it is named as unsteady: a defect, of the test or of a limit in the code.
 */
export async function run(args: readonly string[]): Promise<void> {
  const hasUnit = !args.includes('--e2e');
  const hasE2e = !args.includes('--unit') || args.includes('--e2e');
  const rest = args.filter((argument) => argument !== '--e2e' && argument !== '--unit');
  await setUpPeers();
  const results: TestResult[] = [];
  const isWanted = (project: Project): boolean => (UNIT.has(project) ? hasUnit : hasE2e);
  const runWanted = async ({ projects, shard }: Run, isPatient = false): Promise<void> => {
    const wanted = projects.filter(isWanted);
    const args = shard === undefined ? rest : ['--shard', shard, ...rest];
    if (wanted.length > 0) results.push(await runTests(wanted, args, isPatient));
  };
  if (hasE2e) await ensureBuild();
  const patient = PATIENT.map((one) => runWanted(one, hasE2e));
  const sequences = SEQUENCES.map(async (runs) => {
    for (const one of runs) await runWanted(one);
  });
  await Promise.all([...sequences, ...patient]);
  const finals = hasUnit && hasE2e ? await runAgain(results) : results;
  const [passed, failed] = [
    finals.reduce((sum, one) => sum + one.passed, 0),
    finals.reduce((sum, one) => sum + one.failed, 0),
  ];
  process.stdout.write(
    unsteadyTests(results.flatMap(({ failures }, at) => (finals[at]?.failed === 0 ? failures : []))),
  );
  process.stdout.write(failedTests(finals.flatMap(({ failures }) => failures)));
  process.stdout.write(slowestFiles(results.flatMap(({ files }) => files)));
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}

/** The results with those of the files that failed once and ran again, one run after the other. */
async function runAgain(results: readonly TestResult[]): Promise<TestResult[]> {
  const finals: TestResult[] = [];
  for (const first of results) {
    const files = [...new Set(first.failures.map(({ path }) => path))];
    if (files.length === 0 || files.length > MOST_AGAIN) {
      finals.push(first);
      continue;
    }
    const second = await runTests(first.projects, files, false);
    const passed = first.passed + Math.max(0, first.failed - second.failed);
    finals.push({ ...first, passed, failed: second.failed, failures: second.failures });
  }
  return finals;
}
