import { describe, expect, it } from 'vitest';
import { embedPage } from './embed-page.ts';

describe('embedPage', () => {
  it.each([
    [[], 'frame-ancestors *'],
    [['tv.example.org', '*.example.net'], "frame-ancestors 'self' tv.example.org *.example.net"],
    [['tv.example.org; script-src *', 'a\r\nb'], "frame-ancestors 'self'"],
  ])('allows embedding for the domains %j: %s', (domains, rule) => {
    const { html, policy } = embedPage('north/cam', domains);
    expect(policy.endsWith(`; ${rule}`)).toBe(true);
    expect(policy).toContain("script-src 'self';");
    expect(html).toContain('<title>north/cam</title>');
  });

  it('has a seek bar for the archive only if requested', () => {
    expect(embedPage('north/cam', [], true).html).toMatch(/embed-archive\.js[^]*id="recorded"[^]*id="view"/);
    expect(embedPage('north/cam', []).html).not.toMatch(/archive|id="view"|id="time"/);
  });
});
