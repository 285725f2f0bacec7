import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { endWithNpm } from './npm-parent.ts';
import { ROOT } from './project.ts';
import { ensureBuild } from './step.ts';

/** Starts the headless server in this process, so that signals reach it and its exit code is returned. */
export async function run(): Promise<void> {
  endWithNpm();
  await ensureBuild();
  const entry = join(ROOT, 'out/main/headless.js');
  process.argv[1] = entry;
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(entry).href);
}
