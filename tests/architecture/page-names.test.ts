import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { filesUnder, ROOT, textOf } from './source-files.ts';

const FOLDERS = ['src-main', 'src-preload', 'src-renderer', 'tests', 'bench', 'scripts'];

/** Names on pages that are not files or types of this project, each with the reason. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['NamePage.vue', 'placeholder of a recipe'],
  ['helpers.ts', 'example of a bad name'],
  ['types.ts', 'example of a bad name'],
  ['utils.ts', 'example of a bad name'],
]);

const pages = ['CONTRIBUTING.md', ...FOLDERS.flatMap((folder) => filesUnder(folder, /\.md$/))];
const sources = FOLDERS.flatMap((folder) => filesUnder(folder, /\.(ts|vue|js)$/));
const fileNames = new Set(sources.map((file) => basename(file)));
const identifiers = new Set(
  sources
    .filter((file) => !file.endsWith('page-names.test.ts'))
    .flatMap((file) => textOf(file).match(/\b[A-Z]\w+/g) ?? []),
);

/** Files and types in backquotes and diagrams of a page that do not exist. Names with `*` or `…` are patterns. */
function missingNames(page: string, text: string): string[] {
  const names: string[] = [];
  const prose = text.replace(/^```[\s\S]*?^```/gm, (diagram) => {
    names.push(...(diagram.match(/\b[A-Z][a-z]+[A-Z]\w+/g) ?? []));
    return '';
  });
  names.push(...[...prose.matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name));
  return names.filter((name) => {
    if (OTHER_NAMES.has(name) || /[*…]/.test(name)) return false;
    if (/^[\w./-]+\.(ts|vue)$/.test(name)) {
      const isHere = existsSync(join(ROOT, dirname(page), name)) || existsSync(join(ROOT, name));
      return !isHere && !fileNames.has(basename(name));
    }
    const [type = ''] = /^[A-Z][a-z]+[A-Z][A-Za-z]+(?=\.|$)/.exec(name) ?? [];
    return type !== '' && !identifiers.has(type);
  });
}

it('missingNames finds files and types that do not exist', () => {
  const text =
    '`no-such.ts` `NoSuchType` `NoSuchType.member` `fake-clock.ts` `FakeClock` `*-kinds.ts`\n```\nFakeClock ─▶ NoSuchBox\n```';
  expect(missingNames('tests/README.md', text)).toEqual(['NoSuchBox', 'no-such.ts', 'NoSuchType', 'NoSuchType.member']);
});

it.each(pages)('%s names only files and types that exist', (page) => {
  expect(missingNames(page, textOf(page))).toEqual([]);
});
