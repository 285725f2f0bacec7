import { BlockList } from 'node:net';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { silentLog } from '../lib/log.ts';
import { OPEN_POLICY, type AccessPolicy } from './access-policy.ts';
import type { Verdict } from './backend-answer.ts';
import type { Question } from './backend-question.ts';
import type { Admission, Arrival } from './admission.ts';
import type { Session } from './session.ts';
import { Sessions } from './sessions.ts';
import { MAX_PENDING_OF_ADDRESS } from './session-questions.ts';
import { signAddress } from './signed-address.ts';
import { SOFT_LIMIT_MS } from './user-limits.ts';

const ASKED: AccessPolicy = {
  ...OPEN_POLICY,
  fingerprint: 'asked',
  backends: [{ place: { kind: 'http', url: 'http://127.0.0.1:1/' }, extra: {} }],
  isAllowedByDefault: false,
};
const ALLOWED: Extract<Verdict, { kind: 'allow' }> = {
  kind: 'allow',
  durationMs: 180_000,
  userId: null,
  maxSessions: null,
  adInject: undefined,
};

/** Sessions of some streams, a backend that the test speaks for, and what happened. */
class House {
  readonly clock = new FakeClock();
  readonly questions: (Question & { readonly answer: (verdict: Verdict) => Promise<void> })[] = [];
  readonly happened: string[] = [];
  /** How many viewers were told of, in order. */
  readonly watchers: [name: string, viewers: number][] = [];
  readonly policies = new Map<string, AccessPolicy>([
    ['open', OPEN_POLICY],
    ['asked', ASKED],
    ['other', ASKED],
  ]);
  /** What the backend says at once; it waits for the test where there is none. */
  verdict: Verdict | undefined;
  readonly sessions = new Sessions({
    clock: this.clock,
    log: silentLog,
    authority: {
      ask: (_policy, question) => {
        const { verdict } = this;
        if (verdict) {
          this.questions.push({ ...question, answer: () => Promise.resolve() });
          return Promise.resolve(verdict);
        }
        return new Promise((resolve) => {
          this.questions.push({
            ...question,
            answer: async (given) => {
              resolve(given);
              await settled();
            },
          });
        });
      },
    },
    events: {
      opened: ({ name, visitor }) => this.happened.push(`opened ${name} ${visitor.token}`),
      started: ({ name }) => this.happened.push(`started ${name}`),
      updated: ({ name }) => this.happened.push(`updated ${name}`),
      closed: ({ name, visitor }, reason) => this.happened.push(`closed ${name} ${visitor.token} ${reason}`),
      denied: ({ name }) => this.happened.push(`denied ${name}`),
    },
    policyOf: (name) => this.policies.get(name),
    countryOf: () => null,
    counted: (name, viewers) => this.watchers.push([name, viewers]),
  });

  admit(facts: Partial<Arrival> = {}): Admission {
    return this.sessions.admit({
      name: 'open',
      ip: '192.0.2.7',
      token: '',
      proto: 'hls',
      userAgent: 'VLC',
      referer: '',
      host: '',
      queryString: '',
      isOpening: true,
      silentMs: 30_000,
      ...facts,
    });
  }

  /** A session of the guarded stream, let in. */
  async opened(
    token: string,
    verdict: Partial<Extract<Verdict, { kind: 'allow' }>> = {},
    name = 'asked',
  ): Promise<Session> {
    const admission = this.admit({ name, token });
    expect(admission.kind).toBe('wait');
    await this.questions.at(-1)?.answer({ ...ALLOWED, ...verdict });
    const session = this.sessions.of(name, '192.0.2.7', token, 'hls');
    if (!session) throw new Error('it was not let in');
    return session;
  }

  pass(ms: number): void {
    for (let passed = 0; passed < ms; passed += 1000) {
      this.clock.advance(1000);
      this.sessions.sweep();
    }
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
}

function codeOf(admission: Admission): string {
  return admission.kind === 'refused' ? admission.code : admission.kind;
}

describe('sessions of streams that are open to everybody', () => {
  it('are one for each name, address and protocol, whatever the token', () => {
    const context = new House();
    for (const token of ['', 'a', 'b'])
      for (const proto of ['hls', 'dash', 'cmaf'] as const) expect(context.admit({ token, proto }).kind).toBe('open');
    context.admit({ ip: '192.0.2.8' });
    expect([...context.sessions.list()].map(({ proto, visitor }) => `${proto} ${visitor.ip}`)).toEqual([
      'hls 192.0.2.7',
      'dash 192.0.2.7',
      'hls 192.0.2.8',
    ]);
    expect([context.sessions.count, context.sessions.countOf('open'), context.sessions.countOf('asked')]).toEqual([
      3, 3, 0,
    ]);
    expect(context.questions).toEqual([]);
  });

  it('are found for segments by either protocol', () => {
    const context = new House();
    context.admit({ proto: 'dash' });
    expect(context.sessions.of('open', '192.0.2.7', '', 'cmaf')?.proto).toBe('dash');
    expect(context.sessions.of('open', '192.0.2.7', '', 'hls')).toBeUndefined();
  });

  it('close after their silence, and not before', () => {
    const context = new House();
    context.admit();
    context.pass(25_000);
    const session = context.sessions.of('open', '192.0.2.7', '', 'hls');
    if (session) session.lastMs = context.clock.now();
    context.pass(29_000);
    expect(context.sessions.count).toBe(1);
    context.pass(3000);
    expect(context.happened).toEqual(['opened open ', 'closed open  silent']);
    expect(context.sessions.count).toBe(0);
  });

  it('last as long as a connection does', () => {
    const context = new House();
    const admission = context.admit({ proto: 'mpegts' });
    if (admission.kind !== 'open' || !admission.session) throw new Error('not open');
    const release = admission.session.hold(() => undefined);
    context.pass(300_000);
    expect(context.sessions.count).toBe(1);
    release();
    expect(context.happened.at(-1)).toBe('closed open  disconnected');
  });

  it('start with the first byte', () => {
    const context = new House();
    context.admit();
    const session = context.sessions.of('open', '192.0.2.7', '', 'hls');
    session?.sent(1000);
    session?.sent(500);
    expect([session?.bytes, context.happened]).toEqual([1500, ['opened open ', 'started open']]);
  });

  it('tell of viewers who got something, and of nobody who did not', () => {
    const context = new House();
    context.admit();
    context.admit({ ip: '192.0.2.8' });
    expect([context.sessions.count, context.watchers]).toEqual([2, []]);
    const sessions = [...context.sessions.list()];
    for (const session of sessions) session.sent(1000);
    sessions[0]?.sent(1000);
    for (const session of sessions) context.sessions.ban(session);
    expect(context.watchers.map(([, viewers]) => viewers)).toEqual([1, 2, 1, 0]);
  });

  it('are not counted for who only looks', () => {
    const context = new House();
    context.admit({ proto: 'api' });
    expect([context.sessions.count, [...context.sessions.list()].length]).toEqual([0, 1]);
  });

  it('are kept out after they were banned, for segments of either protocol too', () => {
    const context = new House();
    const ends: string[] = [];
    context.admit({ proto: 'dash' });
    const [session] = context.sessions.list();
    session?.hold(() => ends.push('ended'));
    if (session) context.sessions.ban(session);
    expect([codeOf(context.admit({ proto: 'dash' })), codeOf(context.admit({ proto: 'cmaf' })), ends]).toEqual([
      'session_banned',
      'session_banned',
      ['ended'],
    ]);
    expect(codeOf(context.admit({ proto: 'hls' }))).toBe('open');
    context.pass(181_000);
    expect(codeOf(context.admit({ proto: 'dash' }))).toBe('open');
  });

  it('tell once of somebody who is turned away again and again', () => {
    const context = new House();
    context.policies.set('open', { ...OPEN_POLICY, fingerprint: 'domains', domains: ['tv.example.org'] });
    for (let time = 0; time < 8; time++) {
      expect(codeOf(context.admit())).toBe('playback_denied');
      context.pass(1000);
    }
    expect(context.happened).toEqual(['denied open']);
    expect(codeOf(context.admit({ referer: 'https://tv.example.org/' }))).toBe('open');
  });

  it('do not open for streams that are not there', () => {
    expect(codeOf(new House().admit({ name: 'nothing' }))).toBe('stream_not_found');
  });
});

describe('sessions that a backend is asked about', () => {
  it('give a token to who has none, once he can be sent elsewhere', () => {
    const context = new House();
    expect(context.admit({ name: 'asked' })).toMatchObject({ kind: 'token' });
    expect(codeOf(context.admit({ name: 'asked', isOpening: false, proto: 'cmaf' }))).toBe('token_required');
    context.policies.set('asked', { ...ASKED, hasNoAutoToken: true });
    expect(codeOf(context.admit({ name: 'asked' }))).toBe('token_required');
    context.policies.set('asked', { ...ASKED, hasTokenInKey: false });
    expect(codeOf(context.admit({ name: 'asked' }))).toBe('wait');
    expect(context.questions.map(({ token }) => token)).toEqual(['']);
  });

  it('ask once for all requests that come meanwhile, and wake them', async () => {
    const context = new House();
    const woken: string[] = [];
    for (const proto of ['hls', 'cmaf', 'hls'] as const) {
      const admission = context.admit({ name: 'asked', token: 't', proto });
      if (admission.kind === 'wait')
        admission.session.whenDecided(() => woken.push(codeOf(context.admit({ name: 'asked', token: 't', proto }))));
    }
    expect(context.questions).toHaveLength(1);
    expect(context.questions[0]).toMatchObject({
      name: 'asked',
      proto: 'hls',
      ip: '192.0.2.7',
      token: 't',
      isNew: true,
      number: 0,
      userAgent: 'VLC',
      streamClients: 0,
    });
    await context.questions[0]?.answer(ALLOWED);
    expect(woken).toEqual(['open', 'open', 'open']);
  });

  it('ask again when the answer has expired, and go on meanwhile', async () => {
    const context = new House();
    const session = await context.opened('t', { durationMs: 20_000 });
    session.bytes = 5000;
    context.pass(21_000);
    expect(context.questions).toHaveLength(2);
    expect(context.questions[1]).toMatchObject({
      sessionId: session.id,
      isNew: false,
      number: 1,
      bytes: 5000,
      durationSeconds: 20,
      streamClients: 1,
      totalClients: 1,
    });
    expect(codeOf(context.admit({ name: 'asked', token: 't' }))).toBe('open');
    await context.questions[1]?.answer({ kind: 'deny', durationMs: 60_000, reason: 'no more' });
    expect(codeOf(context.admit({ name: 'asked', token: 't' }))).toBe('playback_denied');
    expect(context.happened.at(-1)).toBe('closed asked t denied');
    context.pass(61_000);
    expect(codeOf(context.admit({ name: 'asked', token: 't' }))).toBe('wait');
  });

  it('do not ask again about who was refused, until the refusal is over', async () => {
    const context = new House();
    context.admit({ name: 'asked', token: 't' });
    await context.questions[0]?.answer({ kind: 'deny', durationMs: 5000, reason: 'no' });
    for (let time = 0; time < 4; time++) {
      expect(codeOf(context.admit({ name: 'asked', token: 't' }))).toBe('playback_denied');
      context.pass(1000);
    }
    expect(context.questions).toHaveLength(1);
    context.pass(2000);
    expect(codeOf(context.admit({ name: 'asked', token: 't' }))).toBe('wait');
  });

  it('are sent elsewhere as long as the answer holds', async () => {
    const context = new House();
    context.admit({ name: 'asked', token: 't' });
    await context.questions[0]?.answer({ kind: 'redirect', durationMs: 5000, location: '/other/index.m3u8' });
    expect(context.admit({ name: 'asked', token: 't' })).toMatchObject({
      kind: 'refused',
      location: '/other/index.m3u8',
    });
    expect(context.sessions.count).toBe(0);
  });

  it('keep their state while no backend answers; new ones follow the default', async () => {
    const context = new House();
    const old = await context.opened('old', { durationMs: 20_000 });
    context.pass(21_000);
    old.lastMs = context.clock.now();
    await context.questions.at(-1)?.answer({ kind: 'failed', reason: 'down' });
    expect(codeOf(context.admit({ name: 'asked', token: 'old' }))).toBe('open');
    context.admit({ name: 'asked', token: 'new' });
    await context.questions.at(-1)?.answer({ kind: 'failed', reason: 'down' });
    expect(codeOf(context.admit({ name: 'asked', token: 'new' }))).toBe('playback_denied');
    context.policies.set('asked', { ...ASKED, isAllowedByDefault: true });
    context.admit({ name: 'asked', token: 'third' });
    await context.questions.at(-1)?.answer({ kind: 'failed', reason: 'down' });
    expect(codeOf(context.admit({ name: 'asked', token: 'third' }))).toBe('open');
    const before = context.questions.length;
    context.pass(16_000);
    expect(context.questions.slice(before).map(({ token }) => token)).toEqual(['old', 'third']);
  });

  it('are asked about at once when somebody wants that', async () => {
    const context = new House();
    await context.opened('a');
    await context.opened('b');
    expect([context.sessions.reauth('asked'), context.sessions.reauth('other')]).toEqual([2, 0]);
    context.pass(1000);
    expect(context.questions.slice(2).map(({ token, isNew }) => `${token} ${isNew}`)).toEqual(['a false', 'b false']);
  });

  it('are not asked about again where nobody decides, nor for the desk', () => {
    const context = new House();
    context.admit();
    context.admit({ name: 'asked', token: context.sessions.viewToken });
    expect([context.sessions.reauth('open'), context.sessions.reauth('asked')]).toEqual([1, 1]);
    context.pass(1000);
    expect([context.questions, context.happened.filter((what) => !what.startsWith('opened'))]).toEqual([[], []]);
    expect([...context.sessions.list()].map(({ status }) => status)).toEqual(['running', 'running']);
  });

  it('let the desk look without asking', () => {
    const context = new House();
    expect(codeOf(context.admit({ name: 'asked', token: context.sessions.viewToken }))).toBe('open');
    expect(codeOf(context.admit({ name: 'asked', token: context.sessions.viewToken.replace(/^./, 'g') }))).toBe('wait');
  });
});

describe('sessions and another configuration', () => {
  it('go on where nothing changed for them', async () => {
    const context = new House();
    context.admit();
    await context.opened('t');
    context.policies.set('asked', { ...ASKED });
    context.sessions.policiesChanged();
    context.pass(2000);
    expect([context.sessions.count, context.questions.length]).toEqual([2, 1]);
  });

  it('are asked about where somebody decides now', async () => {
    const context = new House();
    context.admit();
    context.policies.set('open', ASKED);
    context.sessions.policiesChanged();
    context.pass(1000);
    await context.questions[0]?.answer({ kind: 'deny', durationMs: 60_000, reason: 'no' });
    expect(context.happened.slice(-2)).toEqual(['denied open', 'closed open  denied']);
  });

  it('end where a rule keeps them out now, and where their stream is gone', () => {
    const context = new House();
    context.admit();
    context.admit({ ip: '192.0.2.8' });
    const networks = new BlockList();
    networks.addAddress('192.0.2.8');
    context.policies.set('open', {
      ...OPEN_POLICY,
      fingerprint: 'denying',
      deny: { tokens: new Set(), networks, countries: new Set(), players: [] },
    });
    context.sessions.policiesChanged();
    context.pass(1000);
    expect([...context.sessions.list()].map(({ visitor }) => visitor.ip)).toEqual(['192.0.2.7']);
    context.policies.delete('open');
    context.sessions.policiesChanged();
    context.pass(1000);
    expect(context.happened.at(-1)).toBe('closed open  stream_gone');
  });
});

describe('sessions of one user', () => {
  it('are banned from the first on when they are too many', async () => {
    const context = new House();
    const limited = { userId: 'u', maxSessions: 2, durationMs: 3_600_000 };
    await context.opened('a', limited);
    await context.opened('b', limited);
    expect(context.sessions.count).toBe(2);
    await context.opened('c', limited, 'other');
    expect(context.happened.slice(-2)).toEqual(['denied asked', 'closed asked a limit']);
    expect(codeOf(context.admit({ name: 'asked', token: 'a' }))).toBe('session_banned');
    expect([...context.sessions.list()].map(({ visitor }) => visitor.token)).toEqual(['b', 'c']);
  });

  it('are borne for a while under a soft limitation, so that switching over bans nobody', async () => {
    const context = new House();
    context.policies.set('asked', { ...ASKED, isSoft: true });
    context.policies.set('other', { ...ASKED, isSoft: true });
    const limited = { userId: 'u', maxSessions: 1, durationMs: 3_600_000 };
    const old = await context.opened('a', limited);
    const next = await context.opened('a', limited, 'other');
    for (let second = 0; second < 40; second++) {
      next.lastMs = context.clock.now();
      context.pass(1000);
    }
    expect(context.happened.filter((what) => what.startsWith('closed'))).toEqual(['closed asked a silent']);
    const again = await context.opened('a', limited);
    for (let second = 0; second < SOFT_LIMIT_MS / 1000 - 2; second++) {
      next.lastMs = again.lastMs = context.clock.now();
      context.pass(1000);
    }
    expect([old.isRunning, next.isRunning, again.isRunning]).toEqual([false, true, true]);
    next.lastMs = again.lastMs = context.clock.now();
    context.pass(3000);
    expect([next.isRunning, again.isRunning]).toEqual([false, true]);
  });

  it('count by their token where the backend names nobody', async () => {
    const context = new House();
    context.policies.set('asked', { ...ASKED, maxSessions: 1 });
    context.policies.set('other', { ...ASKED, maxSessions: 1 });
    await context.opened('same');
    await context.opened('different');
    expect(context.sessions.count).toBe(2);
    await context.opened('same', {}, 'other');
    expect([...context.sessions.list()].map(({ name, visitor }) => `${name} ${visitor.token}`)).toEqual([
      'asked different',
      'other same',
    ]);
  });
});

describe('sessions that wait for a backend', () => {
  it('are so many for each address and no more, and hold up no other address', async () => {
    const context = new House();
    const ask = (n: number): Admission =>
      context.admit({ name: 'asked', token: `invented ${n}`, ip: `2001:db8::${n.toString(16)}` });
    for (let n = 0; n < MAX_PENDING_OF_ADDRESS; n++) expect(ask(n).kind).toBe('wait');
    expect(codeOf(ask(6000))).toBe('too_many_pending');
    expect(codeOf(context.admit({ name: 'asked', token: 'right' }))).toBe('wait');
    expect(context.questions).toHaveLength(MAX_PENDING_OF_ADDRESS + 1);
    await context.questions[0]?.answer({ kind: 'deny', durationMs: 60_000, reason: 'no' });
    expect(ask(6000).kind).toBe('wait');
  });

  it('are so many in all and no more', () => {
    const context = new House();
    const codes = Array.from({ length: 10_001 }, (_, n) =>
      codeOf(context.admit({ name: 'asked', token: 'x', ip: `10.0.${n >> 8}.${n & 255}` })),
    );
    expect(codes.filter((code) => code === 'wait')).toHaveLength(10_000);
    expect(codes.at(-1)).toBe('unavailable');
    expect(codeOf(context.admit({ name: 'open' }))).toBe('open');
  });
});

describe('sessions by signed addresses', () => {
  const KEY = '0123456789abcdef';
  const SIGNED: AccessPolicy = { ...OPEN_POLICY, fingerprint: 'signed', keys: [KEY] };
  function context(): House {
    const made = new House();
    made.policies.set('signed', SIGNED);
    return made;
  }
  const signature = (made: House, key = KEY): { readonly queryString: string; readonly token: string } => {
    const expires = String(Math.floor(made.clock.now() / 1000) + 60);
    const sig = signAddress({ use: 'play', name: 'signed', ip: '' }, expires, key);
    return { queryString: `expires=${expires}&sig=${sig}`, token: `${expires}.${sig}` };
  };
  const of = (made: House, token: string): Session | undefined =>
    made.sessions.of('signed', '192.0.2.7', token, 'cmaf');

  it('open with a signature that holds, and with no other', () => {
    const made = context();
    expect(codeOf(made.admit({ name: 'signed' }))).toBe('playback_denied');
    expect(codeOf(made.admit({ name: 'signed', ...signature(made, 'another key') }))).toBe('playback_denied');
    const query = signature(made);
    expect(made.admit({ name: 'signed', ...query }).kind).toBe('open');
    // What the playlists carry is enough, too.
    expect(made.admit({ name: 'signed', token: query.token, ip: '192.0.2.8' }).kind).toBe('open');
    made.clock.advance(60_000);
    expect(codeOf(made.admit({ name: 'signed', ...query, ip: '192.0.2.9' }))).toBe('playback_denied');
    expect(made.sessions.isOpenToAll('signed')).toBe(false);
  });

  it('go on when the signature has expired, and end with the key', () => {
    const made = context();
    const query = signature(made);
    made.admit({ name: 'signed', ...query });
    for (let minute = 0; minute < 3; minute++) {
      made.pass(25_000);
      const session = of(made, query.token);
      if (session) session.lastMs = made.clock.now();
      made.sessions.policiesChanged();
      made.policies.set('signed', { ...SIGNED, fingerprint: `signed ${minute}` });
    }
    made.pass(2000);
    expect(of(made, query.token)?.isRunning).toBe(true);
    made.policies.set('signed', { ...SIGNED, fingerprint: 'other keys', keys: ['fedcba9876543210'] });
    made.sessions.policiesChanged();
    made.pass(2000);
    expect(of(made, query.token)).toBeUndefined();
  });
});
