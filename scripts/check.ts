import { type StepResult, runTool } from './step.ts';

interface Check {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
}

/** Two groups of checks that run in parallel. The checks of a group run in sequence. */
const GROUPS: readonly (readonly Check[])[] = [
  [
    { name: 'types of the server', file: 'typescript/bin/tsc', args: ['-p', 'tsconfig.main.json'] },
    { name: 'types of the preload', file: 'typescript/bin/tsc', args: ['-p', 'tsconfig.preload.json'] },
    { name: 'types of the desk', file: 'vue-tsc/bin/vue-tsc.js', args: ['-p', 'tsconfig.renderer.json'] },
    {
      name: 'layers, map, errors, docs of exports',
      file: 'vitest/vitest.mjs',
      args: ['run', '--project', 'unit', 'tests/architecture', '--reporter', 'dot'],
    },
  ],
  [
    { name: 'unused files, exports, dependencies', file: 'knip/bin/knip.js', args: ['--no-progress'] },
    { name: 'format', file: 'prettier/bin/prettier.cjs', args: ['--check', '--log-level', 'warn', '.'] },
    {
      name: 'lint',
      file: 'eslint/bin/eslint.js',
      // Without a cache, because rules with type information depend on other files, so a cached result may be outdated.
      args: ['--max-warnings', '0', '.'],
    },
  ],
];

/** Runs all checks that need no running server: types, architecture, unused code, format and lint. */
export async function run(): Promise<void> {
  const results = await Promise.all(GROUPS.map(runGroup));
  const failed = results.flat().filter((result) => result.code !== 0).length;
  process.stdout.write(failed === 0 ? 'check: all in order\n' : `check: ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}

async function runGroup(checks: readonly Check[]): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const check of checks) {
    const result = await runTool(check.file, check.args, { capture: 'quiet' });
    results.push(result);
    process.stdout.write(
      `${result.code === 0 ? 'ok    ' : 'FAILED'} ${check.name} (${(result.ms / 1000).toFixed(1)} s)\n`,
    );
    if (result.code !== 0) process.stdout.write(`${result.output.trimEnd()}\n`);
  }
  return results;
}
