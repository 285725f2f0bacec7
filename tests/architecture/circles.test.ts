import { describe, expect, it } from 'vitest';
import { findCircles, importedPath, importsOfFolders } from './circles.ts';
import { filesUnder, importsOf, isTest } from './source-files.ts';

describe('import cycles', () => {
  it('are found, each with all its files', () => {
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

  it('are found between folders, including a folder and its subfolder', () => {
    const imports = (rules: Record<string, string[]>): string[][] =>
      findCircles(importsOfFolders(new Map(Object.entries(rules))));
    expect(imports({ 'a/x.ts': ['a/y.ts'], 'a/y.ts': ['b/x.ts', 'b/gone.ts'], 'b/x.ts': [] })).toEqual([]);
    expect(imports({ 'a/x.ts': ['b/x.ts'], 'b/x.ts': [], 'b/y.ts': ['a/y.ts'], 'a/y.ts': [] })).toEqual([['a', 'b']]);
    expect(imports({ 'a/x.ts': ['a/b/x.ts'], 'a/b/x.ts': [], 'a/b/y.ts': ['a/y.ts'], 'a/y.ts': [] })).toEqual([
      ['a', 'a/b'],
    ]);
  });

  it('do not exist between files, even with type imports', () => {
    const imports = importsOfProduct();
    expect(imports.size).toBeGreaterThan(100);
    expect([...imports.values()].flat().filter((path) => imports.has(path)).length).toBeGreaterThan(100);
    expect(findCircles(imports)).toEqual([]);
  });

  it('do not exist between folders', () => {
    expect(findCircles(importsOfFolders(importsOfProduct()))).toEqual([]);
  });
});

/** Imports of all production files. A specifier may have an extension or not, so both readings are included. */
function importsOfProduct(): Map<string, string[]> {
  const files = ['src-main', 'src-preload', 'src-renderer']
    .flatMap((folder) => filesUnder(folder, /\.(ts|vue)$/))
    .filter((file) => !isTest(file));
  return new Map(
    files.map((file) => [
      file,
      importsOf(file).flatMap((specifier) => {
        const path = importedPath(file, specifier);
        return path === undefined ? [] : [path, `${path}.ts`];
      }),
    ]),
  );
}
