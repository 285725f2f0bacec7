import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../lib/turns.ts';
import { ConfigDocument } from '../document.ts';
import { maskText, unmaskTextInSteps } from './secret-words.ts';

const TEXT = `edit_auth admin "a b"; # who
cluster_key a=b;
plugins { mail { password plain; } }
stream a {
  input rtsp://user:pw@h/1?x=1&token=abc passphrase=long k=v;
  input rtsp://user:other@h/2;
  password hush;
}
peer p { cluster_key two; }
api_auth { login l; password three; }
`;

function mask(text: string): string {
  return runAtOnce(maskText(ConfigDocument.parse(text)));
}

describe('secrets in a configuration text', () => {
  it('are masked, and nothing else', () => {
    expect(mask(TEXT)).toBe(`edit_auth admin ********; # who
cluster_key ********;
plugins { mail { password ********; } }
stream a {
  input rtsp://user:********@h/1?x=1&token=******** passphrase=******** k=v;
  input rtsp://user:********@h/2;
  password ********;
}
peer p { cluster_key ********; }
api_auth { login l; password ********; }
`);
  });

  it('are restored at the positions of their masks', () => {
    const current = ConfigDocument.parse(TEXT);
    const edited = mask(TEXT)
      .replace('admin', 'boss')
      .replace('# who', '')
      .replace('k=v', 'k=w')
      .replace('  password', '  title x;\n  password');
    const { text, errors } = runAtOnce(unmaskTextInSteps(ConfigDocument.parse(edited), current));
    expect(errors).toEqual([]);
    expect(text).toBe(
      TEXT.replace('admin', 'boss')
        .replace('# who', '')
        .replace('k=v', 'k=w')
        .replace('  password', '  title x;\n  password'),
    );
    expect(ConfigDocument.parse(text).config?.streams.get('a')?.password).toBe('hush');
  });

  it('are not restored in another stream or address', () => {
    const current = ConfigDocument.parse(TEXT);
    for (const edited of [
      mask(TEXT).replace('stream a', 'stream b'),
      mask(TEXT).replace('user:********@h/2', 'user:********@elsewhere/2'),
      `${TEXT}stream c { password ********; }`,
    ]) {
      const { errors } = runAtOnce(unmaskTextInSteps(ConfigDocument.parse(edited), current));
      expect(errors.length).toBeGreaterThan(0);
      expect(errors.every(({ code }) => code === 'config_bad_value')).toBe(true);
    }
  });

  it('are hidden together with all of a text that has errors', () => {
    expect(mask('password x; }')).toBe('');
  });
});
