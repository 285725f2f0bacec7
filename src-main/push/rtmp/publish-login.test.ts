import { spawn } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { HostileTarget } from '../../../tests/helpers/hostile-target.ts';
import { LoginRefusals } from '../../../tests/helpers/login-refusals.ts';
import { until } from '../../../tests/helpers/until.ts';
import { PublishLogin } from './publish-login.ts';

const LOGIN = { user: 'test', password: 'pass word' };
const NEED = '[ AccessManager.Reject ] : [ code=403 need auth; authmod=adobe ] : ';
const CHALLENGE =
  '[ AccessManager.Reject ] : [ authmod=adobe ] : ?reason=needauth&user=test&salt=ldtV8g==&challenge=TioAAA==';

function loginOf(app = 'live', login: typeof LOGIN | undefined = LOGIN): PublishLogin {
  return new PublishLogin(login, app, () => '0a1b2c3d');
}

describe('the login of a publisher', () => {
  // The responses were computed with hashlib of Python.
  it.each([
    ['adobe', 'live', CHALLENGE, 'challenge=0a1b2c3d&response=AxbJoKGzIYKelsgIbSaV3A=='],
    ['adobe', 'live', `${CHALLENGE}&opaque=AbC=`, 'challenge=0a1b2c3d&response=Y67xpGT0vxQezxoZdVZsfA==&opaque=AbC='],
    [
      'llnw',
      'live',
      '[ authmod=llnw ] : ?reason=needauth&user=test&nonce=n0nce',
      'nonce=n0nce&cnonce=0a1b2c3d&nc=00000001&response=5b075b0ad159b8529fdc007e3a48118b',
    ],
    [
      'llnw',
      'live/eu',
      '[ authmod=llnw ] : ?reason=needauth&user=test&nonce=n0nce',
      'nonce=n0nce&cnonce=0a1b2c3d&nc=00000001&response=535f4ff985185733f368d5680ba2ef9f',
    ],
  ])('answers a challenge of %s for the application %s', (method, app, challenge, answer) => {
    const login = loginOf(app);
    expect(login.take(NEED.replace('adobe', method))).toBe('again');
    expect(login.query).toBe(`?authmod=${method}&user=test`);
    expect(login.take(challenge)).toBe('again');
    expect(login.query).toBe(`?authmod=${method}&user=test&${answer}`);
    expect(login.query).not.toContain('pass');
  });

  it.each([
    ['a wrong password', [NEED, CHALLENGE, CHALLENGE.replace(/\?.*/, '?reason=authfailed&opaque=x')]],
    ['an unknown user', [NEED, CHALLENGE.replace(/\?.*/, '?reason=nosuchuser')]],
    ['a server that repeats its challenge', [NEED, CHALLENGE, CHALLENGE]],
    ['a server that repeats its method', [NEED, NEED]],
  ])('ends after %s', (_, texts) => {
    const login = loginOf();
    const answers = texts.map((text) => login.take(text));
    expect(answers.slice(0, -1).every((answer) => answer === 'again')).toBe(true);
    expect(answers.at(-1)).toMatchObject({ code: 'push_login', explanation: { code: 'push_login_wrong' } });
  });

  it('needs a user name and a method that is known, and leaves other refusals alone', () => {
    expect(new PublishLogin(undefined, 'live', () => '').take(NEED)).toMatchObject({
      explanation: { code: 'push_login_missing' },
    });
    expect(loginOf().take('[ authmod=other ]')).toMatchObject({
      explanation: { code: 'push_login_method', facts: { method: 'other' } },
    });
    expect(loginOf().take('The stream key is unknown')).toBeUndefined();
  });
});

// The server of these tests computes responses on its own. ffmpeg proves that it does so correctly.
describe('a server that wants a login', () => {
  let target: HostileTarget | undefined;

  afterEach(async () => {
    await target?.close();
  });

  it.each(['adobe', 'llnw'] as const)('of %s accepts ffmpeg with the password, and not without', async (method) => {
    target = await HostileTarget.start();
    const { port, commands } = target;
    const publishBy = async (password: string): Promise<number | null> => {
      const refusals = new LoginRefusals(method, { user: 'test', password: 'secret', app: 'live/_definst_' });
      Object.assign(target ?? {}, { behaviour: { refusal: (query: string) => refusals.next(query) } });
      const source = ['-f', 'lavfi', '-i', 'sine=duration=0.2', '-c:a', 'aac', '-f', 'flv'];
      const ffmpeg = spawn('ffmpeg', ['-v', 'error', ...source, `rtmp://test:${password}@127.0.0.1:${port}/live/key`]);
      return new Promise((resolve) => ffmpeg.once('exit', resolve));
    };
    expect(await publishBy('wrong')).not.toBe(0);
    expect(commands.some(({ name }) => name === 'publish')).toBe(false);
    await publishBy('secret');
    await until('the publication', () => commands.some(({ name }) => name === 'publish'), 10_000);
  });
});
