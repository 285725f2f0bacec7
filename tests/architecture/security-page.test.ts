import { describe, expect, it } from 'vitest';
import { listedOperations } from '../helpers/api-operations.ts';
import { textOf } from './source-files.ts';

const PAGE = textOf('SECURITY.md');
const RULES = textOf('docs/reference/security.md');

/** First cells of the rows of a table with this heading. */
function rowsOf(heading: string): readonly string[] {
  const [, table = ''] = PAGE.split(`| ${heading} |`);
  const [rows = ''] = table.split('\n\n');
  return rows
    .split('\n')
    .slice(2)
    .flatMap((row) => row.match(/^\| ([^|]+) \| \S/)?.[1] ?? []);
}

describe('SECURITY.md', () => {
  it('names tests for each guarantee', () => {
    const guarantees = [...PAGE.matchAll(/^- \*\*/gm)];
    expect(guarantees.length).toBeGreaterThan(5);
    expect(rowsOf('guarantee').length).toBeGreaterThanOrEqual(guarantees.length);
  });

  it('names tests for each section of the security rules', () => {
    const sections = [...RULES.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^##+ (.+)$/gm)].map(([, name]) => name);
    expect(sections.length).toBeGreaterThan(10);
    expect(rowsOf('section of the rules')).toEqual(sections);
  });

  it('lists every address that needs no login', () => {
    const [sentence = ''] = /- Everyone may read[\s\S]*?\n- /.exec(RULES) ?? [];
    const open = listedOperations().filter(({ access }) => access === 'public' || access === 'probe');
    const names = open
      .filter(({ address }) => !address.startsWith('/{name}'))
      .map(({ address }) => /([a-z]+)[^/]*(?:\/\{\w+\})?$/.exec(address)?.[1] ?? address);
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !sentence.includes(name))).toEqual([]);
  });
});
