import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { silentLog } from '../lib/log.ts';
import { OPEN_POLICY, type AccessPolicy } from './access-policy.ts';
import type { Admission } from './admission.ts';
import { Bans, type Ban, type BanRequest } from './bans.ts';
import { Sessions } from './sessions.ts';

const ABOUT = { who: 'boss', reason: 'asked to' };
const address = (value: string, seconds: number): BanRequest => ({ ...ABOUT, kind: 'address', value, seconds });
const user = (value: string, seconds: number): BanRequest => ({ ...ABOUT, kind: 'user', value, seconds });

describe('bans', () => {
  it('apply to an IPv4 address, an IPv6 /64 network and a user, until they expire', () => {
    const bans = new Bans();
    bans.add(address('192.0.2.7', 60), 0);
    bans.add(address('2001:db8:1:2::7', 60), 0);
    bans.add(user('viewer-1', 120), 0);
    const applied = (nowMs: number): boolean[] => [
      ...['192.0.2.7', '192.0.2.8', '2001:db8:1:2::9', '2001:db8:1:3::9'].map((ip) => bans.isAddressBanned(ip, nowMs)),
      ...['viewer-1', 'viewer-2', null].map((user) => bans.isUserBanned(user, nowMs)),
    ];
    expect(applied(59_999)).toEqual([true, false, true, false, true, false, false]);
    expect(applied(60_000)).toEqual([false, false, false, false, true, false, false]);
    expect(bans.list(60_000).map(({ id, untilMs, who }) => [id, untilMs, who])).toEqual([
      ['user:viewer-1', 120_000, 'boss'],
    ]);
  });

  it('can be lifted, and replace an earlier ban of the same value', () => {
    const bans = new Bans();
    bans.add(user('a', 60), 0);
    const longer = bans.add(user('a', 600), 0);
    expect(bans.list(0)).toEqual([longer]);
    expect([bans.lift('user:a'), bans.lift('user:a'), bans.isUserBanned('a', 0)]).toEqual([true, false, false]);
  });

  it('are restored after a restart if stored, and apply even if they cannot be stored', () => {
    const rows = new Map<string, Ban>();
    let isFull = false;
    const failures: string[] = [];
    const store = {
      list: (nowMs: number): Ban[] => [...rows.values()].filter(({ untilMs }) => untilMs > nowMs),
      put(ban: Ban): void {
        if (isFull) throw new Error('no room');
        rows.set(ban.id, ban);
      },
      remove: (id: string): void => void rows.delete(id),
    };
    const open = (nowMs: number): Bans => new Bans({ store, nowMs, failed: (error) => failures.push(String(error)) });
    const before = open(0);
    before.add(user('a', 60), 0);
    before.add(user('b', 600), 0);
    before.add(address('192.0.2.7', 600), 0);
    before.lift('address:192.0.2.7');
    const after = open(60_000);
    expect(after.list(60_000)).toEqual([
      { ...ABOUT, id: 'user:b', kind: 'user', value: 'b', bannedMs: 0, untilMs: 600_000 },
    ]);
    isFull = true;
    after.add(user('c', 60), 60_000);
    expect([after.isUserBanned('c', 60_001), failures]).toEqual([true, ['Error: no room']]);
  });

  it('are limited to 1000; expired bans make room for new ones', () => {
    const bans = new Bans();
    for (let count = 0; count < 1000; count++) bans.add(user(`u${count}`, 60), 0);
    expect([bans.add(user('more', 60), 0), bans.list(0).length]).toEqual([undefined, 1000]);
    expect(bans.add(user('u1', 60), 0)?.value).toBe('u1');
    expect(bans.add(user('more', 60), 60_000)?.value).toBe('more');
  });

  it('apply exactly to the banned values, after any sequence of bans', () => {
    const step = fc.record({ user: fc.constantFrom('a', 'b'), seconds: fc.integer({ min: 0, max: 5 }) });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const bans = new Bans();
        const until = new Map<string, number>();
        for (const [index, { user: one, seconds }] of steps.entries()) {
          const nowMs = index * 1000;
          if (seconds === 0) {
            bans.lift(`user:${one}`);
            until.delete(one);
          } else {
            bans.add(user(one, seconds), nowMs);
            until.set(one, nowMs + seconds * 1000);
          }
          for (const name of ['a', 'b'])
            expect(bans.isUserBanned(name, nowMs + 500)).toBe((until.get(name) ?? 0) > nowMs + 500);
        }
      }),
    );
  });
});

describe('banned viewers', () => {
  const WITH_BACKEND: AccessPolicy = {
    ...OPEN_POLICY,
    fingerprint: 'asked',
    backends: [{ location: { kind: 'http', url: 'http://127.0.0.1:1/' }, extra: {} }],
    isAllowedByDefault: false,
  };
  /** Sessions of an open stream and of one whose backend treats each token as a user. */
  const stage = () => {
    const clock = new FakeClock();
    const ended: string[] = [];
    const none = (): void => undefined;
    const sessions = new Sessions({
      clock,
      log: silentLog,
      countryOf: () => null,
      authority: {
        authorize: (_policy, { token }) =>
          Promise.resolve({ kind: 'allow', durationMs: 60_000, userId: token, maxSessions: null, adInject: undefined }),
      },
      events: {
        opened: none,
        started: none,
        updated: none,
        denied: none,
        closed: ({ name, visitor }) => ended.push(`${name} ${visitor.ip}`),
      },
      policyOf: (name) => (name === 'asked' ? WITH_BACKEND : OPEN_POLICY),
    });
    const admit = async (name: string, ip: string, token = ''): Promise<string> => {
      const arrival = { name, ip, token, proto: 'hls' as const, userAgent: '', referer: '', host: '', queryString: '' };
      const arrive = (): Admission => sessions.admit({ ...arrival, isOpening: true, silentMs: 30_000 });
      arrive();
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      const admission = arrive();
      return admission.kind === 'refused' ? admission.code : admission.kind;
    };
    return { clock, ended, sessions, admit };
  };

  it('can play immediately when their ban is lifted, but not when another ban is lifted', async () => {
    const { sessions, admit } = stage();
    for (const token of ['a', 'b']) expect(await admit('asked', '192.0.2.7', token)).toBe('open');
    sessions.addBan(user('a', 600));
    sessions.addBan(address('192.0.2.7', 600));
    expect(await admit('asked', '192.0.2.7', 'b')).toBe('session_banned');
    sessions.lift('address:192.0.2.7');
    expect([await admit('asked', '192.0.2.7', 'b'), await admit('asked', '192.0.2.7', 'a')]).toEqual([
      'open',
      'session_banned',
    ]);
    sessions.lift('user:a');
    expect(await admit('asked', '192.0.2.7', 'a')).toBe('open');
  });

  it('by address lose all sessions at once, and are allowed again when the ban expires', async () => {
    const { clock, ended, sessions, admit } = stage();
    await admit('open', '192.0.2.7');
    await admit('open', '192.0.2.8');
    sessions.addBan(address('192.0.2.7', 300));
    expect(ended).toEqual(['open 192.0.2.7']);
    expect([await admit('other', '192.0.2.7'), await admit('other', '192.0.2.8')]).toEqual(['session_banned', 'open']);
    expect(sessions.count).toBe(2);
    clock.advance(300_000);
    expect(await admit('other', '192.0.2.7')).toBe('open');
  });

  it('by user are refused at every address', async () => {
    const { sessions, admit } = stage();
    expect(await admit('asked', '192.0.2.7', 'pat')).toBe('open');
    sessions.addBan(user('pat', 300));
    expect([sessions.count, await admit('asked', '192.0.2.9', 'pat')]).toEqual([0, 'session_banned']);
    expect(await admit('asked', '192.0.2.9', 'kim')).toBe('open');
  });
});
