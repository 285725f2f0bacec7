import { describe, expect, it } from 'vitest';
import { ALLOWED, WITH_BACKEND, codeOf, SessionsStage } from '../../tests/helpers/sessions-stage.ts';
import { OPEN_POLICY, type AccessPolicy } from './access-policy.ts';
import type { Admission } from './admission.ts';
import type { Session } from './session.ts';
import { MAX_PENDING_OF_ADDRESS } from './session-questions.ts';
import { signAddress } from './signed-address.ts';
import { SOFT_LIMIT_MS } from './user-limits.ts';

describe('requests for an archive', () => {
  const archive = { fromSeconds: 1_795_233_066, durationSeconds: 60 };

  it('use the session of the live stream, and the backend receives the requested range', async () => {
    const stage = new SessionsStage();
    expect(stage.admit({ name: 'asked', token: 'a', archive }).kind).toBe('wait');
    expect(stage.questions[0]?.archive).toEqual(archive);
    await stage.questions[0]?.answer(ALLOWED);
    expect(stage.admit({ name: 'asked', token: 'a' }).kind).toBe('open');
    expect(stage.questions).toHaveLength(1);
  });

  it('are authorized separately if the archive is protected', async () => {
    const stage = new SessionsStage();
    stage.policies.set('asked', { ...WITH_BACKEND, isArchiveProtected: true });
    const live = await stage.opened('a');
    expect(stage.sessions.of('asked', '192.0.2.7', 'a', 'cmaf')).toBe(live);
    expect(stage.sessions.of('asked', '192.0.2.7', 'a', 'cmaf', true)).toBeUndefined();
    expect(codeOf(stage.admit({ name: 'asked', token: 'a', archive }))).toBe('wait');
    await stage.questions[1]?.answer({ kind: 'deny', durationMs: 180_000, reason: 'backend' });
    expect(codeOf(stage.admit({ name: 'asked', token: 'a', archive }))).toBe('playback_denied');
    expect(stage.admit({ name: 'asked', token: 'a' }).kind).toBe('open');
    expect(stage.admit({ name: 'asked', token: 'b', archive }).kind).toBe('wait');
    await stage.questions[2]?.answer(ALLOWED);
    const recorded = stage.sessions.of('asked', '192.0.2.7', 'b', 'hls', true);
    expect(recorded?.isOfArchive).toBe(true);
    expect(stage.sessions.of('asked', '192.0.2.7', 'b', 'cmaf')).toBe(recorded);
    expect(stage.sessions.of('asked', '192.0.2.7', 'b', 'hls')).toBeUndefined();
  });
});

describe('sessions of open streams', () => {
  it('exist once per name, address and protocol, with any token', () => {
    const stage = new SessionsStage();
    for (const token of ['', 'a', 'b'])
      for (const proto of ['hls', 'dash', 'cmaf'] as const) expect(stage.admit({ token, proto }).kind).toBe('open');
    stage.admit({ ip: '192.0.2.8' });
    expect([...stage.sessions.list()].map(({ proto, visitor }) => `${proto} ${visitor.ip}`)).toEqual([
      'hls 192.0.2.7',
      'dash 192.0.2.7',
      'hls 192.0.2.8',
    ]);
    expect([stage.sessions.count, stage.sessions.countOf('open'), stage.sessions.countOf('asked')]).toEqual([3, 3, 0]);
    expect(stage.questions).toEqual([]);
  });

  it('are found for CMAF segments, which HLS and DASH share', () => {
    const stage = new SessionsStage();
    stage.admit({ proto: 'dash' });
    expect(stage.sessions.of('open', '192.0.2.7', '', 'cmaf')?.proto).toBe('dash');
    expect(stage.sessions.of('open', '192.0.2.7', '', 'hls')).toBeUndefined();
  });

  it('close after their maximum silence, and not before', () => {
    const stage = new SessionsStage();
    stage.admit();
    stage.pass(25_000);
    const session = stage.sessions.of('open', '192.0.2.7', '', 'hls');
    if (session) session.lastMs = stage.clock.now();
    stage.pass(29_000);
    expect(stage.sessions.count).toBe(1);
    stage.pass(3000);
    expect(stage.happened).toEqual(['opened open ', 'closed open  silent']);
    expect(stage.sessions.count).toBe(0);
  });

  it('last as long as their connection', () => {
    const stage = new SessionsStage();
    const admission = stage.admit({ proto: 'mpegts' });
    if (admission.kind !== 'open' || !admission.session) throw new Error('not open');
    const release = admission.session.hold(() => undefined);
    stage.pass(300_000);
    expect(stage.sessions.count).toBe(1);
    release();
    expect(stage.happened.at(-1)).toBe('closed open  disconnected');
  });

  it('start with the first byte', () => {
    const stage = new SessionsStage();
    stage.admit();
    const session = stage.sessions.of('open', '192.0.2.7', '', 'hls');
    session?.sent(1000);
    session?.sent(500);
    expect([session?.bytes, stage.happened]).toEqual([1500, ['opened open ', 'started open']]);
  });

  it('count as viewers only after they have received media', () => {
    const stage = new SessionsStage();
    stage.admit();
    stage.admit({ ip: '192.0.2.8' });
    expect([stage.sessions.count, stage.watchers]).toEqual([2, []]);
    const sessions = [...stage.sessions.list()];
    for (const session of sessions) session.sent(1000);
    sessions[0]?.sent(1000);
    for (const session of sessions) stage.sessions.ban(session);
    expect(stage.watchers.map(([, viewers]) => viewers)).toEqual([1, 2, 1, 0]);
  });

  it('of the protocol api do not count as viewers', () => {
    const stage = new SessionsStage();
    stage.admit({ proto: 'api' });
    expect([stage.sessions.count, [...stage.sessions.list()].length]).toEqual([0, 1]);
  });

  it('are refused after a ban, also for CMAF segments, but not with another protocol', () => {
    const stage = new SessionsStage();
    const ends: string[] = [];
    stage.admit({ proto: 'dash' });
    const [session] = stage.sessions.list();
    session?.hold(() => ends.push('ended'));
    if (session) stage.sessions.ban(session);
    expect([codeOf(stage.admit({ proto: 'dash' })), codeOf(stage.admit({ proto: 'cmaf' })), ends]).toEqual([
      'session_banned',
      'session_banned',
      ['ended'],
    ]);
    expect(codeOf(stage.admit({ proto: 'hls' }))).toBe('open');
    stage.pass(181_000);
    expect(codeOf(stage.admit({ proto: 'dash' }))).toBe('open');
  });

  it('report a repeatedly refused viewer once', () => {
    const stage = new SessionsStage();
    stage.policies.set('open', { ...OPEN_POLICY, fingerprint: 'domains', domains: ['tv.example.org'] });
    for (let time = 0; time < 8; time++) {
      expect(codeOf(stage.admit())).toBe('playback_denied');
      stage.pass(1000);
    }
    expect(stage.happened).toEqual(['denied open']);
    expect(codeOf(stage.admit({ referer: 'https://tv.example.org/' }))).toBe('open');
  });

  it('do not open for missing streams', () => {
    expect(codeOf(new SessionsStage().admit({ name: 'nothing' }))).toBe('stream_not_found');
  });
});

describe('sessions with a backend', () => {
  it('need a token, which a viewer receives if a redirect is possible', () => {
    const stage = new SessionsStage();
    expect(stage.admit({ name: 'asked' })).toMatchObject({ kind: 'token' });
    expect(codeOf(stage.admit({ name: 'asked', isOpening: false, proto: 'cmaf' }))).toBe('token_required');
    stage.policies.set('asked', { ...WITH_BACKEND, hasNoAutoToken: true });
    expect(codeOf(stage.admit({ name: 'asked' }))).toBe('token_required');
    stage.policies.set('asked', { ...WITH_BACKEND, hasTokenInKey: false });
    expect(codeOf(stage.admit({ name: 'asked' }))).toBe('wait');
    expect(stage.questions.map(({ token }) => token)).toEqual(['']);
  });

  it('need one answer for all concurrent requests', async () => {
    const stage = new SessionsStage();
    const woken: string[] = [];
    for (const proto of ['hls', 'cmaf', 'hls'] as const) {
      const admission = stage.admit({ name: 'asked', token: 't', proto });
      if (admission.kind === 'wait')
        admission.session.whenDecided(() => woken.push(codeOf(stage.admit({ name: 'asked', token: 't', proto }))));
    }
    expect(stage.questions).toHaveLength(1);
    expect(stage.questions[0]).toMatchObject({
      name: 'asked',
      proto: 'hls',
      ip: '192.0.2.7',
      token: 't',
      isNew: true,
      number: 0,
      userAgent: 'VLC',
      streamClients: 0,
    });
    await stage.questions[0]?.answer(ALLOWED);
    expect(woken).toEqual(['open', 'open', 'open']);
  });

  it('are authorized again when the answer expires, and continue meanwhile', async () => {
    const stage = new SessionsStage();
    const session = await stage.opened('t', { durationMs: 20_000 });
    session.bytes = 5000;
    stage.pass(21_000);
    expect(stage.questions).toHaveLength(2);
    expect(stage.questions[1]).toMatchObject({
      sessionId: session.id,
      isNew: false,
      number: 1,
      bytes: 5000,
      durationSeconds: 20,
      streamClients: 1,
      totalClients: 1,
    });
    expect(codeOf(stage.admit({ name: 'asked', token: 't' }))).toBe('open');
    await stage.questions[1]?.answer({ kind: 'deny', durationMs: 60_000, reason: 'no more' });
    expect(codeOf(stage.admit({ name: 'asked', token: 't' }))).toBe('playback_denied');
    expect(stage.happened.at(-1)).toBe('closed asked t denied');
    stage.pass(61_000);
    expect(codeOf(stage.admit({ name: 'asked', token: 't' }))).toBe('wait');
  });

  it('of a refused viewer are not authorized again until the refusal expires', async () => {
    const stage = new SessionsStage();
    stage.admit({ name: 'asked', token: 't' });
    await stage.questions[0]?.answer({ kind: 'deny', durationMs: 5000, reason: 'no' });
    for (let time = 0; time < 4; time++) {
      expect(codeOf(stage.admit({ name: 'asked', token: 't' }))).toBe('playback_denied');
      stage.pass(1000);
    }
    expect(stage.questions).toHaveLength(1);
    stage.pass(2000);
    expect(codeOf(stage.admit({ name: 'asked', token: 't' }))).toBe('wait');
  });

  it('are redirected as long as the answer is valid', async () => {
    const stage = new SessionsStage();
    stage.admit({ name: 'asked', token: 't' });
    await stage.questions[0]?.answer({ kind: 'redirect', durationMs: 5000, location: '/other/index.m3u8' });
    expect(stage.admit({ name: 'asked', token: 't' })).toMatchObject({
      kind: 'refused',
      location: '/other/index.m3u8',
    });
    expect(stage.sessions.count).toBe(0);
  });

  it('keep their state while no backend answers; new sessions follow the default', async () => {
    const stage = new SessionsStage();
    const old = await stage.opened('old', { durationMs: 20_000 });
    stage.pass(21_000);
    old.lastMs = stage.clock.now();
    await stage.questions.at(-1)?.answer({ kind: 'failed', reason: 'down' });
    expect(codeOf(stage.admit({ name: 'asked', token: 'old' }))).toBe('open');
    stage.admit({ name: 'asked', token: 'new' });
    await stage.questions.at(-1)?.answer({ kind: 'failed', reason: 'down' });
    expect(codeOf(stage.admit({ name: 'asked', token: 'new' }))).toBe('playback_denied');
    stage.policies.set('asked', { ...WITH_BACKEND, isAllowedByDefault: true });
    stage.admit({ name: 'asked', token: 'third' });
    await stage.questions.at(-1)?.answer({ kind: 'failed', reason: 'down' });
    expect(codeOf(stage.admit({ name: 'asked', token: 'third' }))).toBe('open');
    const before = stage.questions.length;
    stage.pass(16_000);
    expect(stage.questions.slice(before).map(({ token }) => token)).toEqual(['old', 'third']);
  });

  it('are authorized immediately on request', async () => {
    const stage = new SessionsStage();
    await stage.opened('a');
    await stage.opened('b');
    expect([stage.sessions.reauth('asked'), stage.sessions.reauth('other')]).toEqual([2, 0]);
    stage.pass(1000);
    expect(stage.questions.slice(2).map(({ token, isNew }) => `${token} ${isNew}`)).toEqual(['a false', 'b false']);
  });

  it('are not authorized on request without a backend', () => {
    const stage = new SessionsStage();
    stage.admit();
    expect(stage.sessions.reauth('open')).toBe(1);
    stage.pass(1000);
    expect([stage.questions, stage.happened.filter((what) => !what.startsWith('opened'))]).toEqual([[], []]);
    expect([...stage.sessions.list()].map(({ status }) => status)).toEqual(['running']);
  });

  it('are separate from playback in the desk, which is identified by its token', () => {
    const { sessions } = new SessionsStage();
    const holder = { id: 'boss', login: 'boss', rights: '' };
    const token = sessions.deskTokens.issue(holder, 'all');
    for (const given of ['', token.replace(/^./, 'g'), `${token}0`, token])
      expect(sessions.isOfDesk(given, 'cam')).toBe(given === token);
    const ofReader = sessions.deskTokens.issue(holder, 'open');
    expect(['open', 'asked'].map((name) => sessions.isOfDesk(ofReader, name))).toEqual([true, false]);
  });
});

describe('sessions of one user', () => {
  it('are banned, the oldest first, when there are too many', async () => {
    const stage = new SessionsStage();
    const limited = { userId: 'u', maxSessions: 2, durationMs: 3_600_000 };
    await stage.opened('a', limited);
    await stage.opened('b', limited);
    expect(stage.sessions.count).toBe(2);
    await stage.opened('c', limited, 'other');
    expect(stage.happened.slice(-2)).toEqual(['denied asked', 'closed asked a limit']);
    expect(codeOf(stage.admit({ name: 'asked', token: 'a' }))).toBe('session_banned');
    expect([...stage.sessions.list()].map(({ visitor }) => visitor.token)).toEqual(['b', 'c']);
  });

  it('are tolerated for some time with a soft limit, so that switching channels bans no viewer', async () => {
    const stage = new SessionsStage();
    stage.policies.set('asked', { ...WITH_BACKEND, isSoft: true });
    stage.policies.set('other', { ...WITH_BACKEND, isSoft: true });
    const limited = { userId: 'u', maxSessions: 1, durationMs: 3_600_000 };
    const old = await stage.opened('a', limited);
    const next = await stage.opened('a', limited, 'other');
    for (let second = 0; second < 40; second++) {
      next.lastMs = stage.clock.now();
      stage.pass(1000);
    }
    expect(stage.happened.filter((what) => what.startsWith('closed'))).toEqual(['closed asked a silent']);
    const again = await stage.opened('a', limited);
    for (let second = 0; second < SOFT_LIMIT_MS / 1000 - 2; second++) {
      next.lastMs = again.lastMs = stage.clock.now();
      stage.pass(1000);
    }
    expect([old.isRunning, next.isRunning, again.isRunning]).toEqual([false, true, true]);
    next.lastMs = again.lastMs = stage.clock.now();
    stage.pass(3000);
    expect([next.isRunning, again.isRunning]).toEqual([false, true]);
  });

  it('are counted by their token if the backend returns no user', async () => {
    const stage = new SessionsStage();
    stage.policies.set('asked', { ...WITH_BACKEND, maxSessions: 1 });
    stage.policies.set('other', { ...WITH_BACKEND, maxSessions: 1 });
    await stage.opened('same');
    await stage.opened('different');
    expect(stage.sessions.count).toBe(2);
    await stage.opened('same', {}, 'other');
    expect([...stage.sessions.list()].map(({ name, visitor }) => `${name} ${visitor.token}`)).toEqual([
      'asked different',
      'other same',
    ]);
  });
});

describe('sessions that wait for a backend', () => {
  it('are limited per address, and do not delay other addresses', async () => {
    const stage = new SessionsStage();
    const admit = (n: number): Admission =>
      stage.admit({ name: 'asked', token: `invented ${n}`, ip: `2001:db8::${n.toString(16)}` });
    for (let n = 0; n < MAX_PENDING_OF_ADDRESS; n++) expect(admit(n).kind).toBe('wait');
    expect(codeOf(admit(6000))).toBe('too_many_pending');
    expect(codeOf(stage.admit({ name: 'asked', token: 'right' }))).toBe('wait');
    expect(stage.questions).toHaveLength(MAX_PENDING_OF_ADDRESS + 1);
    await stage.questions[0]?.answer({ kind: 'deny', durationMs: 60_000, reason: 'no' });
    expect(admit(6000).kind).toBe('wait');
  });

  it('are limited in total', () => {
    const stage = new SessionsStage();
    const codes = Array.from({ length: 10_001 }, (_, n) =>
      codeOf(stage.admit({ name: 'asked', token: 'x', ip: `10.0.${n >> 8}.${n & 255}` })),
    );
    expect(codes.filter((code) => code === 'wait')).toHaveLength(10_000);
    expect(codes.at(-1)).toBe('unavailable');
    expect(codeOf(stage.admit({ name: 'open' }))).toBe('open');
  });
});

describe('sessions with signed addresses', () => {
  const KEY = '0123456789abcdef';
  const SIGNED: AccessPolicy = { ...OPEN_POLICY, fingerprint: 'signed', keys: [KEY] };
  function stage(): SessionsStage {
    const server = new SessionsStage();
    server.policies.set('signed', SIGNED);
    return server;
  }
  const signature = (server: SessionsStage, key = KEY): { readonly queryString: string; readonly token: string } => {
    const expires = String(Math.floor(server.clock.now() / 1000) + 60);
    const sig = signAddress({ use: 'play', name: 'signed', ip: '' }, expires, key);
    return { queryString: `expires=${expires}&sig=${sig}`, token: `${expires}.${sig}` };
  };
  const of = (server: SessionsStage, token: string): Session | undefined =>
    server.sessions.of('signed', '192.0.2.7', token, 'cmaf');

  it('open only with a valid signature', () => {
    const server = stage();
    expect(codeOf(server.admit({ name: 'signed' }))).toBe('playback_denied');
    expect(codeOf(server.admit({ name: 'signed', ...signature(server, 'another key') }))).toBe('playback_denied');
    const query = signature(server);
    expect(server.admit({ name: 'signed', ...query }).kind).toBe('open');
    // The signature in the playlists is sufficient, too.
    expect(server.admit({ name: 'signed', token: query.token, ip: '192.0.2.8' }).kind).toBe('open');
    server.clock.advance(60_000);
    expect(codeOf(server.admit({ name: 'signed', ...query, ip: '192.0.2.9' }))).toBe('playback_denied');
    expect(server.sessions.isOpenToAll('signed')).toBe(false);
  });

  it('continue when the signature expires, and end when the key is removed', () => {
    const server = stage();
    const query = signature(server);
    server.admit({ name: 'signed', ...query });
    for (let minute = 0; minute < 3; minute++) {
      server.pass(25_000);
      const session = of(server, query.token);
      if (session) session.lastMs = server.clock.now();
      server.sessions.policiesChanged();
      server.policies.set('signed', { ...SIGNED, fingerprint: `signed ${minute}` });
    }
    server.pass(2000);
    expect(of(server, query.token)?.isRunning).toBe(true);
    server.policies.set('signed', { ...SIGNED, fingerprint: 'other keys', keys: ['fedcba9876543210'] });
    server.sessions.policiesChanged();
    server.pass(2000);
    expect(of(server, query.token)).toBeUndefined();
  });
});

describe('sessions of subscribers', () => {
  const questionCount = (server: SessionsStage): number => server.questions.length;
  const refuse = { kind: 'deny', durationMs: 5000, reason: 'disabled' } as const;

  it('are authorized again when their subscriber changes, and others are not', async () => {
    const server = new SessionsStage();
    const anna = await server.opened('a', { userId: 'anna' }, 'subscribed');
    const bert = await server.opened('b', { userId: 'bert' }, 'subscribed');
    const other = await server.opened('a', { userId: 'anna' }, 'asked');
    server.sessions.subscribersChanged('anna');
    server.pass(2000);
    expect(questionCount(server)).toBe(4);
    await server.questions.at(-1)?.answer(refuse);
    expect([anna, bert, other].map(({ isRunning }) => isRunning)).toEqual([false, true, true]);
    expect(codeOf(server.admit({ name: 'subscribed', token: 'a' }))).toBe('playback_denied');
    server.pass(6000);
    expect(server.admit({ name: 'subscribed', token: 'a' }).kind).toBe('wait');
  });

  it('are authorized once more if the change occurs during a request', async () => {
    const server = new SessionsStage();
    const anna = await server.opened('a', { userId: 'anna' }, 'subscribed');
    server.sessions.subscribersChanged('anna');
    server.pass(1000);
    server.sessions.subscribersChanged();
    await server.questions.at(-1)?.answer({ ...ALLOWED, userId: 'anna' });
    server.pass(1000);
    await server.questions.at(-1)?.answer(refuse);
    expect([questionCount(server), anna.isRunning]).toEqual([3, false]);
  });

  it('are all authorized again when packages change', async () => {
    const server = new SessionsStage();
    await server.opened('a', { userId: 'anna' }, 'subscribed');
    await server.opened('b', {}, 'asked');
    server.sessions.subscribersChanged();
    server.pass(2000);
    expect(server.questions.map(({ token }) => token)).toEqual(['a', 'b', 'a']);
  });
});
