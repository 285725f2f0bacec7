import { describe, expect, it } from 'vitest';
import { docsSite, renderPage } from './docs-site.ts';
import { ROOT } from './project.ts';

const site = new Map(docsSite(ROOT).map(({ name, source }) => [name, source]));
const html = [...site]
  .filter(([name]) => name.endsWith('.html'))
  .map(([name, source]) => ({ name, text: String(source) }));

describe('the documentation of the desk', () => {
  it('contains every page, and each page links to all others', () => {
    const links = (text: string) => /<nav>[\s\S]*<\/nav>/.exec(text)?.[0].match(/href="[^"]+"/g) ?? [];
    const pages = html.map(({ name }) => name).filter((name) => name !== 'index.html');
    for (const { name, text } of html) expect(links(text), name).toHaveLength(pages.length);
    const index = html.find(({ name }) => name === 'index.html')?.text ?? '';
    expect(links(index).sort()).toEqual(pages.map((name) => `href="${name}"`).sort());
  });

  it('links only to existing files and headings', () => {
    const broken = html.flatMap(({ name, text }) =>
      [...text.matchAll(/ (?:href|src)="([^"]+)"/g)]
        .map(([, address = '']) => new URL(address, `http://host/-/docs/${name}`))
        .filter(({ protocol, host, pathname }) => protocol === 'http:' && host === 'host' && pathname !== '/')
        .filter(({ pathname, hash }) => {
          const target = site.get(pathname.slice('/-/docs/'.length));
          return target === undefined || (hash !== '' && !String(target).includes(`id="${hash.slice(1)}"`));
        })
        .map(({ href }) => `${name}: ${href}`),
    );
    expect(broken).toEqual([]);
  });

  it('has an address for each heading and each error code', () => {
    const sections = JSON.parse(String(site.get('search.json'))) as {
      address: string;
      heading: string;
      text: string;
    }[];
    expect(sections.find(({ heading }) => heading === 'publish_busy')?.address).toBe(
      'reference/errors.html#publish_busy',
    );
    const record = sections.filter(({ address }) => address.startsWith('guides/record.html'));
    expect(record.length).toBeGreaterThan(5);
    expect(record.some(({ text }) => text.includes('SHA-256'))).toBe(true);
  });

  it('has an anchor for each setting of a stream, also if other blocks have a setting with the same name', () => {
    const { html: page } = renderPage(
      'a.md',
      '# A\n\n## Top level\n\n### dvr\n\nx\n\n## In stream, live and template\n\n### dvr\n\ny\n\n### input\n\nz',
    );
    expect([...page.matchAll(/id="([^"]+)"/g)].map(([, id]) => id)).toEqual([
      'a',
      'top-level',
      'dvr',
      'in-stream-live-and-template',
      'stream-dvr',
      'input',
      'stream-input',
    ]);
  });

  it('shows HTML and links to scripts as text', () => {
    const page = renderPage(
      'a.md',
      '# A\n\n<script>x()</script> <img src=x onerror=y> [z](javascript:alert) [t](https://t)',
    );
    expect(page.html).not.toMatch(/<script|<img|href="javascript/);
    expect(page.html).toContain('<a href="https://t">');
  });

  it('rewrites links between pages, and replaces other relative links by their text', () => {
    const { html: page } = renderPage(
      'guides/a.md',
      '[b](../reference/b.md#c) [h](../README.md) [m](../../src-main/README.md)',
    );
    expect(page).toContain('href="../reference/b.html#c"');
    expect(page).toContain('href="../index.html"');
    expect(page).not.toContain('src-main');
  });
});
