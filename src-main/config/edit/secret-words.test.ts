import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../lib/turns.ts';
import { ConfigDocument } from '../document.ts';
import { maskText } from './secret-words.ts';
import { unmaskTextInSteps } from './unmask-text.ts';

const TEXT = `edit_auth admin "a b"; # who
cluster_key a=b;
plugins { mail { password plain; } }
stream a {
  input rtsp://user:pw@h/1?x=1&token=abc passphrase=long k=v;
  input rtsp://user:other@h/2;
  password hush;
  push tshttp://u:p@h:81/short/mpegts?x=1 timeout=5;
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
  push tshttp://h:81/******** timeout=5;
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

  describe('of statements that look equal', () => {
    const LINES = `stream a {
  input publish://;
  push rtmp://h/live/first-key-1;
  push rtmp://h/live/second-key-2;
  push rtmp://other/live/third-key-3 tracks=v1;
}
`;
    const shown = mask(LINES);
    const [, , one = '', two = '', third = ''] = shown.split('\n').map((line) => `${line}\n`);
    const restore = (edited: string) =>
      runAtOnce(unmaskTextInSteps(ConfigDocument.parse(edited), ConfigDocument.parse(LINES)));

    it.each([
      ['one is deleted', shown.replace(one, '')],
      ['one is deleted, and the other changed', shown.replace(one + two, two.replace(';', ' disabled=true;'))],
      [
        'one is deleted, and another added',
        shown.replace(one, '').replace(third, `${third}push rtmp://h/a/new-key-4;`),
      ],
    ])('are not guessed after %s', (_, edited) => {
      expect(one).toBe(two);
      const { errors } = restore(edited);
      expect(errors).not.toEqual([]);
      expect(errors[0]?.explanation).toMatchObject({ code: 'masks_ambiguous' });
    });

    it.each([
      ['both are deleted', shown.replace(one + two, ''), LINES.replace(/ {2}push rtmp:\/\/h.*\n/g, '')],
      [
        'a line before them is added',
        shown.replace(one, `push udp://h:1;\n${one}`),
        LINES.replace('  push', 'push udp://h:1;\n  push'),
      ],
      ['a different one is deleted', shown.replace(third, ''), LINES.replace(/ {2}push rtmp:\/\/other.*\n/, '')],
      ['a different one is moved', shown.replace(third, '').replace(one, third + one), undefined],
      [
        'a key is entered again',
        shown.replace(one + two, one + two.replace('********', 'new-key-4')),
        LINES.replace('second-key-2', 'new-key-4'),
      ],
      [
        'the first key is entered again',
        shown.replace(one, one.replace('********', 'new-key-4')),
        LINES.replace('first-key-1', 'new-key-4'),
      ],
      [
        'the keys that stay are entered',
        shown.replace(one + two, two.replace('********', 'second-key-2')),
        LINES.replace(/.*first-key-1;\n/, ''),
      ],
      [
        'one is changed in place',
        shown.replace(one + two, one + two.replace(';', ' tracks=a1;')),
        LINES.replace('key-2', 'key-2 tracks=a1'),
      ],
    ])('are restored after %s', (_, edited, expected) => {
      const { text, errors } = restore(edited);
      expect(errors).toEqual([]);
      const keys = text.match(/\w+-key-\d/g);
      if (expected === undefined) expect(keys).toEqual(['third-key-3', 'first-key-1', 'second-key-2']);
      else expect(text).toBe(expected);
    });
  });

  it('are hidden together with all of a text that has errors', () => {
    expect(mask('password x; }')).toBe('');
  });
});
