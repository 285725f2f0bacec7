import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';

/** Root folder of the project. */
export const ROOT = join(import.meta.dirname, '../..');

/**
 * Files under a folder of the project whose names match, as paths from the root with `/`. Empty if the folder does not
 * exist.
 */
export function filesUnder(folder: string, matches: RegExp): string[] {
  const start = join(ROOT, folder);
  if (!statSync(start, { throwIfNoEntry: false })) return [];
  return readdirSync(start, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && matches.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.includes('node_modules/'))
    .sort();
}

/** Text of a file of the project. */
export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Whether a file is a test. */
export function isTest(path: string): boolean {
  return path.endsWith('.test.ts');
}

/** Script of a source file: the complete `.ts` file, or the script blocks of a `.vue` file. */
function scriptOf(path: string): string {
  const text = textOf(path);
  if (!path.endsWith('.vue')) return text;
  return [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map((match) => match[1] ?? '').join('\n');
}

/** Syntax tree of a source file, without types. */
export function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, scriptOf(path), ts.ScriptTarget.Latest, true);
}

/** All imports of a file, including type imports and dynamic imports, as written. */
export function importsOf(path: string): string[] {
  return ts.preProcessFile(scriptOf(path), true, true).importedFiles.map((file) => file.fileName);
}

/** Whether a file is generated from another one, so that the style rules do not apply. */
export function isGenerated(path: string): boolean {
  return /^\/\/ .*Do not edit\./.test(textOf(path));
}
