import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { answerDeskFile, deskFile } from './desk-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'airdesk-desk-'));
mkdirSync(join(folder, '-/desk'), { recursive: true });
writeFileSync(join(folder, 'index.html'), '<!doctype html>');
writeFileSync(join(folder, '-/desk/main.js'), 'export {};');

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('files of the desk', () => {
  it.each([
    ['airdesk://desk/', 'index.html'],
    ['airdesk://desk', 'index.html'],
    ['airdesk://desk/index.html', 'index.html'],
    ['airdesk://desk/-/desk/main.js?v=1', '-/desk/main.js'],
    ['airdesk://desk/../../etc/x.html', 'etc/x.html'],
  ])('for %s: %s', (url, file) => {
    expect(deskFile(url, folder)).toBe(join(folder, file));
  });

  it.each([
    'airdesk://desk/%2e%2e%2f%2e%2e%2fetc%2fx.html',
    'airdesk://desk/..%5c..%5cx.html',
    'airdesk://desk/a%00.html',
    'airdesk://desk/%zz.html',
    'airdesk://desk/secret.key',
    'nonsense',
  ])('are not found for %s', (url) => {
    expect(deskFile(url, folder)).toBeUndefined();
  });

  it('have a content type and a content security policy', async () => {
    const page = await answerDeskFile('airdesk://desk/', folder);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(await page.text()).toBe('<!doctype html>');
    const script = await answerDeskFile('airdesk://desk/-/desk/main.js', folder);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  it('may connect to the server at its address', async () => {
    const page = await answerDeskFile('airdesk://desk/', folder, 'http://192.0.2.7:8080/');
    expect(page.headers.get('content-security-policy')).toContain(
      "media-src 'self' blob: http://127.0.0.1:* http://localhost:* http://192.0.2.7:8080;",
    );
  });

  it('that are missing result in 404', async () => {
    expect((await answerDeskFile('airdesk://desk/other.js', folder)).status).toBe(404);
    expect((await answerDeskFile('airdesk://desk/-/desk', folder)).status).toBe(404);
  });
});
