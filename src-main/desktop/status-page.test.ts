import { describe, expect, it } from 'vitest';
import { desktopTexts } from './desktop-texts.ts';
import { statusPage } from './status-page.ts';

describe('statusPage', () => {
  it('shows the error and the time until the restart', () => {
    const page = statusPage(
      { kind: 'down', error: { code: 'port_in_use', message: 'Port 8080 is taken' }, retryAtMs: 10_500 },
      8_000,
      desktopTexts('en'),
    );
    expect(page).toContain('The server is down');
    expect(page).toContain('Port 8080 is taken (port_in_use)');
    expect(page).toContain('restarts in 3 s');
  });

  it('escapes markup in errors', () => {
    const page = statusPage(
      { kind: 'down', error: { code: 'internal', message: '<script>alert("x")</script>' }, retryAtMs: 0 },
      0,
      desktopTexts('de'),
    );
    expect(page).toContain('Der Server läuft nicht');
    expect(page).not.toContain('<script');
    expect(page).toContain('&#60;script&#62;');
  });
});
