import { describe, expect, it } from 'vitest';
import { findCircles, importedPath } from './circles.ts';
import { filesUnder, importsOf, isTest } from './source-files.ts';

describe('import cycles', () => {
  it('are found exactly', () => {
    const imports = (text: string): Map<string, string[]> =>
      new Map(text.split(' ').map((rule) => [rule[0] ?? '', [...rule.slice(1)]] as const));
    expect(findCircles(imports('ab bc c'))).toEqual([]);
    expect(findCircles(imports('ab bc ca'))).toEqual([['a', 'b', 'c']]);
    expect(findCircles(imports('ab ba cd dc ea ec'))).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(findCircles(imports('abc bd cd d'))).toEqual([]);
    expect(findCircles(imports('ax'))).toEqual([]);
  });

  it('do not exist in any room, not even by type imports', () => {
    const files = ['src-main', 'src-preload', 'src-renderer']
      .flatMap((folder) => filesUnder(folder, /\.(ts|vue)$/))
      .filter((file) => !isTest(file));
    const imports = new Map(
      files.map((file) => [
        file,
        importsOf(file).flatMap((specifier) => {
          const path = importedPath(file, specifier);
          return path === undefined ? [] : [path, `${path}.ts`];
        }),
      ]),
    );
    expect(files.length).toBeGreaterThan(100);
    expect([...imports.values()].flat().filter((path) => imports.has(path)).length).toBeGreaterThan(100);
    expect(findCircles(imports)).toEqual([]);
  });
});
