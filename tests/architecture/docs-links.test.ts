import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { headingAnchor } from '../../scripts/docs-site.ts';
import { markdownPages } from '../../scripts/wrap-markdown.ts';
import { ROOT, textOf } from './source-files.ts';

/** Maximum size of a picture of the guides in bytes, because every checkout contains all pictures. */
const PICTURE_BYTES = 60_000;

const pages = markdownPages();

/** Addresses of links and pictures of a page, except those in code. */
function linksOf(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, address = '']) => address);
}

/** Anchors of the headings of a page. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)];
  return new Set(headings.map(([, heading = '']) => headingAnchor(heading)));
}

/** Faults in the links of a page. */
function brokenLinks(page: string, text: string): string[] {
  return linksOf(text)
    .filter((address) => !/^[a-z]+:/.test(address))
    .filter((address) => {
      const [file = '', anchor] = address.split('#');
      const target = file === '' ? page : join(dirname(page), decodeURIComponent(file));
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(textOf(target)).has(anchor);
    })
    .map((address) => `${page}: ${address}`);
}

it('brokenLinks finds broken links and pictures, including links to headings', () => {
  const text = '[a](missing.md) ![b](images/missing.webp) [c](README.md#no-such) [d](README.md) `[e](code.md)`';
  expect(brokenLinks('README.md', text)).toHaveLength(3);
});

it('no page has a broken link or picture', () => {
  expect(pages.flatMap((page) => brokenLinks(page, textOf(page)))).toEqual([]);
});

it('the guides show each of their pictures, and the pictures are small', () => {
  const guides = readdirSync(join(ROOT, 'docs/guides')).filter((name) => name.endsWith('.md'));
  const shown = guides
    .flatMap((name) => linksOf(textOf(`docs/guides/${name}`)))
    .filter((address) => address.startsWith('images/'));
  const kept = readdirSync(join(ROOT, 'docs/guides/images')).map((name) => `images/${name}`);
  expect(kept.sort()).toEqual([...new Set(shown)].sort());
  for (const name of kept) {
    expect(statSync(join(ROOT, 'docs/guides', name)).size, name).toBeLessThanOrEqual(PICTURE_BYTES);
  }
});
