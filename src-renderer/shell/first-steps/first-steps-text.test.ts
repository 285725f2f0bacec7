import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import DEMO from '../../../resources/default.conf?raw';
import { parseConfigText } from '../../../src-preload/contract/config-language/parse.ts';
import {
  hasArchive,
  hasLogin,
  portProblem,
  readFirstSteps,
  withFirstSteps,
  type FirstSteps,
} from './first-steps-text.ts';

const stepsOf = (text: string, changed: Partial<FirstSteps> = {}): FirstSteps => ({
  ...readFirstSteps(text),
  ...changed,
});

describe('the configuration text of the first steps', () => {
  it('is read into the form', () => {
    expect(readFirstSteps(DEMO)).toMatchObject({
      isOpen: false,
      httpPort: '8080',
      rtmpPort: '1935',
      login: 'admin',
      folder: 'archive',
      removesDemo: true,
    });
    const own = 'http 80;\nedit_auth boss x;\ndvr a { root /a; }\nstream cam { input fake://; }\n';
    expect(readFirstSteps(own)).toMatchObject({
      isOpen: true,
      httpPort: '80',
      rtmpPort: '',
      login: 'boss',
      folder: '',
      removesDemo: false,
    });
    expect([hasLogin(own), hasArchive(own), hasLogin(DEMO), hasArchive(DEMO)]).toEqual([true, true, false, false]);
  });

  it('has the lines of the form, and is otherwise unchanged', () => {
    const text =
      '# mine\nhttp 127.0.0.1:8080; # the desk\nstream demo/one { input fake://; }\nstream b { input udp://h:1; }\n';
    const made = withFirstSteps(
      text,
      stepsOf(text, {
        isOpen: true,
        httpPort: '8081',
        rtmpPort: '1935',
        password: 'a long phrase',
        folder: '/srv/my archive',
        days: '14',
        streamName: 'news',
        streamInput: 'srt://h:1?streamid=a',
      }),
    );
    expect(made).toBe(
      [
        '# mine',
        'http 8081; # the desk',
        'stream b { input udp://h:1; }',
        'rtmp 1935;',
        'edit_auth admin "a long phrase";',
        'dvr main { root "/srv/my archive"; }',
        'stream news { input srt://h:1?streamid=a; dvr @main 14d; }',
        '',
      ].join('\n'),
    );
  });

  it('is unchanged without input', () => {
    const text = 'http 80 { ssl; }\nrtmp 1935;\n';
    expect(withFirstSteps(text, stepsOf(text, { folder: '' }))).toBe(text);
    expect(withFirstSteps('', stepsOf('', { folder: '' }))).toBe('http 127.0.0.1:8080;\n');
  });

  it('has the same values when parsed, for any input', () => {
    const words = fc.string({ minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(words, words, words, fc.boolean(), (password, folder, streamName, isOpen) => {
        const made = withFirstSteps(DEMO, stepsOf(DEMO, { password, folder, streamName, isOpen }));
        const { directives, problems } = parseConfigText(made);
        expect(problems).toEqual([]);
        const values = (name: string): (string | undefined)[] =>
          directives.filter((one) => one.name === name).map(({ args }) => args.at(-1)?.value);
        expect(values('edit_auth')).toEqual([password]);
        expect(values('stream')).toEqual(streamName.trim() === '' ? [] : [streamName.trim()]);
        const root = directives.find(({ name }) => name === 'dvr')?.block?.[0]?.args[0]?.value;
        expect(root).toBe(folder.trim() === '' ? undefined : folder.trim());
        expect(values('http')).toEqual([isOpen ? '8080' : '127.0.0.1:8080']);
      }),
    );
  });

  it.each([
    ['', true, 'Enter a port for the desk and players.'],
    ['', false, undefined],
    ['80a', true, 'A port is a number from 1 to 65535.'],
    ['70000', false, 'A port is a number from 1 to 65535.'],
    [' 8080 ', true, undefined],
  ])('has a valid port: %j', (port, isNeeded, problem) => {
    expect(portProblem(port, isNeeded)).toBe(problem);
  });
});
