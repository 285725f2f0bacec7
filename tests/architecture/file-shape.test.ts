import { basename, dirname } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { COMPOSITION } from './composition.ts';
import { LARGE } from './large-files.ts';
import { filesUnder, importsOf, isGenerated, isTest, parse, textOf } from './source-files.ts';

const FOLDERS = ['src-main', 'src-preload', 'src-renderer', 'tests', 'scripts', 'bench'];
const scripts = FOLDERS.flatMap((folder) => filesUnder(folder, /\.ts$/)).filter((file) => !isGenerated(file));
const components = filesUnder('src-renderer', /\.vue$/);

/** Maximum number of imports; a file with more probably has several responsibilities. */
const MAX_IMPORTS = 12;
/** Maximum number of files in a folder without tests; a folder with more probably has several subjects. */
const MAX_FILES = 30;
/** Whether the list of exceptions contains a file or folder. */
const hasReason = (path: string): boolean => Object.hasOwn(LARGE, path);
/** File names without meaning. */
const FORBIDDEN = /^(utils?|misc|helpers?|common|types|shared|stuff)\.ts$/;
/** Allowed `index.ts` files: entry points, and the only barrel. */
const INDEX_FILES = [
  'src-main/index.ts',
  'src-preload/index.ts',
  'src-preload/contract/index.ts',
  'src-main/desktop/index.ts',
];

describe('files', () => {
  it('have at most 400 lines, components 300 and tests 600, or are listed with a reason', () => {
    // The composition root must be readable in a minute.
    const limit = (file: string): number =>
      file === 'src-main/server.ts' ? 150 : file.endsWith('.vue') ? 300 : isTest(file) ? 600 : 400;
    const long = [...scripts, ...components].map((file) => ({
      file,
      lines: textOf(file).trimEnd().split('\n').length,
    }));
    expect(long.filter(({ file, lines }) => lines > limit(file) && !hasReason(file))).toEqual([]);
  });

  it('are at most 30 in a folder (without tests), or the folder is listed with a reason', () => {
    const counts = new Map<string, number>();
    for (const file of [...scripts, ...components].filter((name) => name.startsWith('src-') && !isTest(name)))
      counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([folder, count]) => count > MAX_FILES && !hasReason(folder))).toEqual([]);
  });

  it('that start the program are short', () => {
    const lines = (file: string): number => textOf(file).trimEnd().split('\n').length;
    expect(lines('src-main/index.ts')).toBeLessThanOrEqual(60);
    expect(lines('src-preload/index.ts')).toBeLessThanOrEqual(40);
  });

  it('import at most 12 files, or are listed as compositions or with a reason', () => {
    const isComposition = (file: string): boolean =>
      /^src-main\/(server\.ts$|compose\/)/.test(file) || Object.hasOwn(COMPOSITION, file);
    // Imports of error codes do not count.
    const importedBy = (file: string): number =>
      new Set(importsOf(file).filter((name) => name.startsWith('.') && !name.endsWith('/explanations.ts'))).size;
    const importing = [...scripts, ...components].filter(
      (file) =>
        file.startsWith('src-') &&
        !isTest(file) &&
        !isComposition(file) &&
        importedBy(file) > MAX_IMPORTS &&
        !hasReason(file),
    );
    expect(importing).toEqual([]);
    // A file that no longer exceeds the limit must be removed from the list.
    expect(Object.keys(COMPOSITION).filter((file) => importedBy(file) <= MAX_IMPORTS)).toEqual([]);
  });

  it('have names of one concept: in kebab-case, components in PascalCase', () => {
    const isOdd = (file: string): boolean =>
      FORBIDDEN.test(basename(file)) ||
      !/^[a-z0-9]+(-[a-z0-9]+)*(\.(test|fuzz|bench|config|d))?\.ts$/.test(basename(file));
    expect(scripts.filter(isOdd)).toEqual([]);
    expect(components.filter((file) => !/^[A-Z][A-Za-z0-9]*\.vue$/.test(basename(file)))).toEqual([]);
    expect(
      scripts.filter((file) => basename(file) === 'index.ts' && file.startsWith('src-') && !INDEX_FILES.includes(file)),
    ).toEqual([]);
  });

  it('are not barrels, except for the contract', () => {
    const isBarrel = (file: string): boolean => {
      const { statements } = parse(file);
      return (
        statements.length > 0 &&
        statements.every((statement) => ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined)
      );
    };
    expect(
      scripts.filter((file) => !isTest(file) && file !== 'src-preload/contract/index.ts' && isBarrel(file)),
    ).toEqual([]);
  });
});
