import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './project.ts';

/** Maximum columns of a line of prose. */
export const MARKDOWN_COLUMNS = 120;

/** Lines that are not wrapped: headings, tables, quotes, comments, rules and definitions of links. */
const FIXED = /^\s*(#|\||>|<|---|\[[^\]]+\]: )/;

/** Indentation and marker of a list item. */
const ITEM = /^(\s*(?:[-*+]|\d+\.) +)(.*)$/;

/** Words that would start a new block if they were at the start of a line. */
const BEGINS_BLOCK = /^([-*+>|]|\d+\.|#+)$/;

/**
 * Splits a text into words that must not be broken. A code span of up to 60 characters is one word. A word that would start a
 * new block belongs to the word before it.
 */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const word of text.match(/(?:`[^`]{1,60}`|\S)+/g) ?? []) {
    const before = BEGINS_BLOCK.test(word) ? words.pop() : undefined;
    words.push(before === undefined ? word : `${before} ${word}`);
  }
  return words;
}

/** Wraps a text to `MARKDOWN_COLUMNS`. The first line starts with `first`, all further lines with `indent`. */
function fill(text: string, first: string, indent: string): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of wordsOf(text)) {
    if (!isEmpty && line.length + 1 + word.length > MARKDOWN_COLUMNS) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}

/** Wraps the paragraphs and list items of a page. Code, tables and headings are not changed. */
export function wrapMarkdown(page: string): string {
  const out: string[] = [];
  let block: { first: string; indent: string; text: string } | undefined;
  let isCode = false;
  const flush = (): void => {
    if (block) out.push(...fill(block.text, block.first, block.indent));
    block = undefined;
  };
  for (const line of page.split('\n')) {
    const isFence = /^\s*```/.test(line);
    if (isFence || isCode || line.trim() === '' || FIXED.test(line)) {
      flush();
      out.push(line);
      if (isFence) isCode = !isCode;
      continue;
    }
    const item = ITEM.exec(line);
    if (item) {
      flush();
      const [, marker = '', text = ''] = item;
      block = { first: marker, indent: ' '.repeat(marker.length), text };
    } else if (block) {
      block.text += ` ${line.trim()}`;
    } else {
      const indent = line.slice(0, line.length - line.trimStart().length);
      block = { first: indent, indent, text: line.trim() };
    }
  }
  flush();
  return out.join('\n');
}

/** Paths of all Markdown pages from the root, with `/`: pages of the root and of `docs`, and the READMEs of folders. */
export function markdownPages(): string[] {
  const inFolders = ['docs', 'src-main', 'src-preload', 'src-renderer', 'tests', 'scripts', 'bench', 'resources'];
  return [
    ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
    ...inFolders.flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
        .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
    ),
  ].sort();
}

/** Replaces references in texts of the desk, such as `Alarms in the documentation`, by links to pages of the reference. */
export function linkPages(text: string): string {
  return text.replace(
    /\b([A-Z][a-z]+) in the documentation\b/g,
    (_match, title: string) => `[${title}](${title.toLowerCase()}.md)`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of markdownPages()) {
    const page = readFileSync(join(ROOT, name), 'utf8');
    const wrapped = wrapMarkdown(page);
    if (wrapped !== page) writeFileSync(join(ROOT, name), wrapped);
  }
}
