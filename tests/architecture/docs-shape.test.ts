import { describe, expect, it } from 'vitest';
import { MARKDOWN_COLUMNS, markdownPages, wrapMarkdown } from '../../scripts/wrap-markdown.ts';
import { textOf } from './source-files.ts';

/** Maximum number of lines of a paragraph or list item. */
const PARAGRAPH_LINES = 6;

/** Maximum number of characters of a table cell. */
const CELL_CHARACTERS = 200;

/** Cells of a table row as readers see them, without the addresses of links; `\|` is a character of a cell. */
function cellsOf(row: string): string[] {
  return row
    .trim()
    .replace(/\]\([^)\s]+\)/g, ']')
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** Places of a page that exceed a limit, with the reason. Code, tables and long addresses have no maximum width. */
function faultsOf(page: string, text: string): string[] {
  const faults: string[] = [];
  let isCode = false;
  let paragraphLines = 0;
  text.split('\n').forEach((line, index) => {
    const location = `${page}:${index + 1}`;
    if (/^\s*```/.test(line)) isCode = !isCode;
    if (isCode || /^\s*```/.test(line) || /^\s*(\||#|<!--|$)/.test(line)) paragraphLines = 0;
    else paragraphLines = /^\s*([-*+]|\d+\.) /.test(line) ? 1 : paragraphLines + 1;
    if (paragraphLines === PARAGRAPH_LINES + 1)
      faults.push(`${location} paragraph of more than ${PARAGRAPH_LINES} lines`);
    if (isCode) return;
    if (/^\s*\|/.test(line)) {
      const prose = cellsOf(line).filter((cell) => !/^`[^`]+`(, `[^`]+`)*$/.test(cell));
      const longest = Math.max(0, ...prose.map((cell) => cell.length));
      if (longest > CELL_CHARACTERS) faults.push(`${location} cell of ${longest} characters`);
    } else if (line.length > MARKDOWN_COLUMNS && /\S\s+\S/.test(line.slice(0, MARKDOWN_COLUMNS))) {
      faults.push(`${location} ${line.length} columns: run npm run format`);
    }
  });
  return faults;
}

describe('Markdown pages', () => {
  it('have short paragraphs, short cells and lines of at most 120 columns', () => {
    expect(
      markdownPages()
        .flatMap((page) => faultsOf(page, textOf(page)))
        .join('\n'),
    ).toBe('');
  });

  it('are measured by paragraph, list item, cell and line', () => {
    const long = 'word '.repeat(30).trim();
    const paragraph = 'line\n'.repeat(7);
    const code = `\`\`\`\n${long}\n${paragraph}\`\`\``;
    expect(faultsOf('a', long)).toHaveLength(1);
    expect(faultsOf('a', paragraph)).toHaveLength(1);
    expect(faultsOf('a', `- item\n${'  more\n'.repeat(6)}`)).toHaveLength(1);
    expect(faultsOf('a', `| ${'x'.repeat(201)} | b \\| c |`)).toHaveLength(1);
    expect(faultsOf('a', `| [text](${'x'.repeat(200)}) |`)).toEqual([]);
    expect(faultsOf('a', `${code}\n- one\n- two\n\nline\n| short | ${long} |`)).toEqual([]);
  });

  it('are wrapped without changing text, code or tables', () => {
    const page = `${'word '.repeat(40)}\n\n- ${'`a b` '.repeat(40)}\n\n| ${'x '.repeat(90)} |\n\`\`\`\n${'y '.repeat(90)}\n\`\`\``;
    const wrapped = wrapMarkdown(page);
    const words = (text: string) => text.split(/\s+/).join(' ').trim();
    expect(words(wrapped)).toBe(words(page));
    expect(faultsOf('a', wrapped)).toEqual([]);
    expect(wrapMarkdown(wrapped)).toBe(wrapped);
    expect(wrapped.split('\n').every((line) => (line.match(/`/g)?.length ?? 0) % 2 === 0 || line.includes('```'))).toBe(
      true,
    );
  });
});
