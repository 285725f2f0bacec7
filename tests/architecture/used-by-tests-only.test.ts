import { expect, it } from 'vitest';
import { importedPath } from './circles.ts';
import { filesUnder, importsOf, isTest } from './source-files.ts';

/** Entry points that are started by name by Node, Electron and the browser. */
const ENTRIES = [
  'src-main/index.ts',
  'src-main/headless.ts',
  'src-main/server-thread.ts',
  'src-main/media-thread.ts',
  'src-main/database-thread.ts',
  'src-main/codec-process.ts',
  'src-main/export-thread.ts',
  'src-main/index-thread.ts',
  'src-preload/index.ts',
  'src-renderer/main.ts',
];

it('code that only tests use is in the folder tests', () => {
  const files = new Set(
    ['src-main', 'src-preload', 'src-renderer']
      .flatMap((folder) => filesUnder(folder, /\.(ts|vue)$/))
      .filter((file) => !isTest(file) && !file.endsWith('.d.ts')),
  );
  const reached = new Set(ENTRIES);
  // The set grows during the iteration.
  for (const file of reached) {
    for (const specifier of importsOf(file)) {
      const path = importedPath(file, specifier) ?? '';
      const target = [path, `${path}.ts`].find((name) => files.has(name));
      if (target !== undefined) reached.add(target);
    }
  }
  expect([...files].filter((file) => !reached.has(file))).toEqual([]);
  expect([...reached].filter((file) => !files.has(file))).toEqual([]);
});
