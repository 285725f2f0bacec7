import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './project.ts';
import { ensureBuild, runTool } from './step.ts';

/**
 * Creates the pictures of the guides: runs the tests of the desk, which take them. Arguments are names of test files;
 * default: all.
 */
export async function run(args: readonly string[]): Promise<void> {
  await ensureBuild();
  const folder = join(ROOT, 'docs/guides/images');
  mkdirSync(folder, { recursive: true });
  const files = args.length > 0 ? args : ['tests/e2e/desk'];
  const { code } = await runTool('vitest/vitest.mjs', ['run', '--project', 'desk', '--project', 'forms', ...files], {
    env: { AIRDESK_GUIDE: folder },
  });
  process.exitCode = code;
}
