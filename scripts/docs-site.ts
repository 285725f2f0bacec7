import { readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import MarkdownIt, { type Token } from 'markdown-it';

/** A file of the documentation that the server sends. Its name is the path below `/-/docs/`. */
interface DocsFile {
  readonly name: string;
  readonly source: string | Uint8Array;
}

/** A section of a page, as the search finds it. */
interface DocsSection {
  /** Address below `/-/docs/`, with the anchor of the heading. */
  readonly address: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

interface Page {
  /** Path below `docs/`, such as `guides/record.md`. */
  readonly path: string;
  readonly title: string;
  readonly html: string;
  readonly sections: readonly DocsSection[];
}

/** Pages whose table rows have an anchor: the code in the first cell, as in `errors.html#publish_busy`. */
const PAGES_OF_CODES = ['reference/errors.md'];

/** Anchor of a heading, as GitHub makes it. */
export function headingAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/** Name of the HTML file of a page. */
function htmlName(path: string): string {
  return path.replace(/README\.md$/, 'index.html').replace(/\.md$/, '.html');
}

/** Address of a link in a page; undefined if its target is outside the documentation. */
function linkOf(address: string, path: string): string | undefined {
  if (/^(https?:|#)/.test(address)) return address;
  const target = posix.normalize(posix.join(posix.dirname(path), address));
  return target.startsWith('..') ? undefined : address.replace(/[^/#]+\.md(?=#|$)/, (name) => htmlName(name));
}

/** Text of an inline token, without formatting. */
function plainText(token: Token): string {
  const children = token.children ?? [];
  return children.length === 0 ? token.content : children.map((child) => child.content || ' ').join('');
}

/** Adds anchors to headings, and changes links to HTML pages. A link out of the documentation becomes text. */
function prepare(tokens: readonly Token[], path: string): void {
  const hasCodes = PAGES_OF_CODES.includes(path);
  const known = new Set<string>();
  let isInStream = false;
  tokens.forEach((token, index) => {
    const inline = tokens[index + 1];
    if (token.type === 'heading_open' && inline) {
      const anchor = headingAnchor(plainText(inline));
      if (token.tag === 'h2') isInStream = /^in-(stream|template)/.test(anchor);
      // Forms of the desk link to the settings of streams; others have the same names.
      const ofStream = isInStream && token.tag === 'h3' ? `stream-${anchor}` : '';
      const isRepeated = known.has(anchor);
      token.attrSet('id', ofStream !== '' && isRepeated ? ofStream : anchor);
      if (ofStream !== '' && !isRepeated) tokens[index + 3]?.attrSet('id', ofStream);
      known.add(anchor);
    }
    const code = tokens[index + 2]?.children?.[0];
    if (hasCodes && token.type === 'tr_open' && code?.type === 'code_inline') token.attrSet('id', code.content);
    for (const child of token.children ?? []) {
      if (child.type !== 'link_open') continue;
      const address = linkOf(String(child.attrGet('href') ?? ''), path);
      if (address === undefined) child.attrs = null;
      else child.attrSet('href', address);
    }
  });
}

/** Sections of a page: from each heading to the next one, and each table row with a code. */
function sectionsOf(tokens: readonly Token[], path: string, title: string): DocsSection[] {
  const sections: { address: string; page: string; heading: string; text: string }[] = [];
  const start = (anchor: string, heading: string): void => {
    const address = anchor === '' ? htmlName(path) : `${htmlName(path)}#${anchor}`;
    sections.push({ address, page: title, heading, text: '' });
  };
  tokens.forEach((token, index) => {
    const inline = tokens[index + 1];
    const id = token.attrGet('id');
    if (token.type === 'heading_open' && inline) start(token.tag === 'h1' ? '' : String(id), plainText(inline));
    else if (token.type === 'tr_open' && id) start(String(id), String(id));
    const section = sections.at(-1);
    if (section && (token.type === 'inline' || token.type === 'fence')) section.text += `${plainText(token)} `;
  });
  return sections.map((section) => ({ ...section, text: section.text.replace(/\s+/g, ' ').trim() }));
}

/** Renderer of pages. It shows raw HTML as text and refuses links to scripts, so that a page cannot contain code. */
function renderer(): ReturnType<typeof MarkdownIt> {
  const md = new MarkdownIt({ html: false, linkify: false });
  // Wide tables can be scrolled, also by keyboard.
  md.renderer.rules['table_open'] = () => '<div class="table" tabindex="0"><table>\n';
  md.renderer.rules['table_close'] = () => '</table></div>\n';
  return md;
}

/** A page of the documentation, rendered. */
export function renderPage(path: string, markdown: string): Page {
  const md = renderer();
  const tokens = md.parse(markdown.replace(/<!--[\s\S]*?-->/g, ''), {});
  prepare(tokens, path);
  const heading = tokens.findIndex((token) => token.type === 'heading_open');
  const inline = tokens[heading + 1];
  const title = inline ? plainText(inline) : path;
  return { path, title, html: md.renderer.render(tokens, md.options, {}), sections: sectionsOf(tokens, path, title) };
}

/** Renders the navigation of a page from the tables of `docs/README.md`. */
function navigation(readme: string, path: string): string {
  const up = '../'.repeat(path.split('/').length - 1);
  return readme
    .split('\n')
    .map((line) => {
      const group = /^## (.+)$/.exec(line)?.[1];
      if (group !== undefined) return `<h2>${group}</h2>`;
      const [, label, address] = /\[([^\]]+)\]\(([^)]+\.md)\)/.exec(line) ?? [];
      if (label === undefined || address === undefined) return '';
      const current = address === path ? ' aria-current="page"' : '';
      return `<a href="${up}${htmlName(address)}"${current}>${label}</a>`;
    })
    .filter(Boolean)
    .join('\n');
}

/** The HTML document of a page. */
function documentOf(page: Page, readme: string): string {
  const up = '../'.repeat(page.path.split('/').length - 1);
  const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${page.title} · Airdesk</title>
<link rel="stylesheet" href="${up}docs.css">
<script src="${up}docs.js" defer></script>
</head>
<body data-root="${up}">
<a class="skip" href="#text" data-text="skip">Skip to the text</a>
<header>
<a class="home" href="${up}index.html">Airdesk</a>
<div class="search" role="search">
<input id="search" type="search" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="results">
<div id="results" role="listbox" hidden></div>
</div>
<a class="desk" href="${up}../../" data-text="desk">Desk</a>
</header>
<details class="pages"><summary data-text="pages">Pages</summary><nav>
${navigation(readme, page.path)}
</nav></details>
<main id="text" tabindex="-1">
${page.html}</main>
</body>
</html>
`;
}

/** Creates all files of the documentation: a page per Markdown file of `docs/`, pictures, search index, style and script. */
export function docsSite(root: string): DocsFile[] {
  const docs = join(root, 'docs');
  const names = readdirSync(docs, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const readme = readFileSync(join(docs, 'README.md'), 'utf8');
  const pages = names
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => renderPage(name, readFileSync(join(docs, name), 'utf8')));
  return [
    ...pages.map((page) => ({ name: htmlName(page.path), source: documentOf(page, readme) })),
    ...names
      .filter((name) => /\.(webp|png)$/.test(name))
      .map((name) => ({ name, source: readFileSync(join(docs, name)) })),
    { name: 'search.json', source: JSON.stringify(pages.flatMap((page) => page.sections)) },
    ...['docs.css', 'docs.js'].map((name) => ({ name, source: readFileSync(join(root, 'resources/docs', name)) })),
  ];
}
