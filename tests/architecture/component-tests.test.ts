import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { importedPath } from './circles.ts';
import { filesUnder, importsOf, isTest } from './source-files.ts';

it('every component is mounted by a test in its folder', () => {
  const components = filesUnder('src-renderer', /\.vue$/);
  const tested = new Set(
    filesUnder('src-renderer', /\.test\.ts$/)
      .filter(isTest)
      .flatMap((test) =>
        importsOf(test)
          .map((specifier) => importedPath(test, specifier) ?? '')
          .filter((path) => dirname(path) === dirname(test)),
      ),
  );
  expect(components.length).toBeGreaterThan(20);
  expect(components.filter((component) => !tested.has(component))).toEqual([]);
});
