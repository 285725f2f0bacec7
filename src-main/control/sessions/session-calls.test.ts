import { describe, expect, it } from 'vitest';
import { SESSION_CALLS, SESSIONS_MAX } from '../../../src-preload/contract/operations/session-calls.ts';
import { testSession } from '../../../tests/helpers/api-stage.ts';
import { forCaller } from '../../../tests/helpers/for-caller.ts';
import { sessionSource } from '../../../tests/helpers/session-source.ts';
import type { Caller } from '../../operators/caller.ts';
import type { SessionSource, SessionView } from './playback-sessions.ts';
import { sessionCalls } from './session-calls.ts';

const CALLER: Caller = { mayRead: true, mayWrite: true, who: 'boss', address: '' };

const bound = (source: SessionSource) => forCaller(sessionCalls(source, Date.now), CALLER);
type Calls = ReturnType<typeof bound>;

function callsOf(...sessions: SessionView[]): Calls {
  return bound(sessionSource(new Map(sessions.map((one) => [one.id, one]))));
}
/** Answer to a request of the desk, with default fields. */
function list(calls: Calls, query = {}): ReturnType<(typeof calls)['sessions.list']> {
  return calls['sessions.list'](SESSION_CALLS['sessions.list'].input.parse(query));
}
async function idsOf(calls: Calls, query = {}): Promise<string[]> {
  return (await list(calls, query)).sessions.map(({ id }) => id);
}

describe('the session calls of the desk', () => {
  it('return no sessions without viewers', async () => {
    expect(await list(callsOf())).toEqual({ sessions: [], total: 0 });
  });

  it('find sessions by stream, address, user and player, in any case', async () => {
    const calls = callsOf(
      testSession('a', 'cam1', { ip: '192.0.2.1', userId: 'Pat', userAgent: 'VLC/3' }),
      testSession('b', 'cam2', { ip: '192.0.2.22', userId: null, userAgent: 'Mozilla' }),
    );
    expect(await idsOf(calls)).toEqual(['b', 'a']);
    expect(await idsOf(calls, { name: 'cam1' })).toEqual(['a']);
    for (const [find, ids] of [
      ['pat', ['a']],
      ['vlc', ['a']],
      ['192.0.2.2', ['b']],
      [' CAM ', ['b', 'a']],
      ['none', []],
    ] as const)
      expect(await idsOf(calls, { find }), find).toEqual(ids);
  });

  it.each([SESSIONS_MAX - 1, SESSIONS_MAX, SESSIONS_MAX + 1, 1000 * 20 + 7])(
    'return the newest of %d sessions, with their number',
    async (count) => {
      const calls = callsOf(...Array.from({ length: count }, (_, at) => testSession(`s${at}`, 'cam')));
      const { sessions, total } = await list(calls);
      const newest = Array.from({ length: Math.min(count, SESSIONS_MAX) }, (_, at) => `s${count - 1 - at}`);
      expect([sessions.map(({ id }) => id), total]).toEqual([newest, count]);
    },
  );

  it('sort sessions by visible fields, and return ranges', async () => {
    const calls = callsOf(
      testSession('a', 'cam2', { ip: '192.0.2.1', userId: 'pat', bytes: 30, userAgent: 'b' }),
      testSession('b', 'cam1', { ip: '192.0.2.3', bytes: 7, userAgent: null }),
      testSession('c', 'cam1', { ip: '192.0.2.2', bytes: 200, userAgent: 'a' }),
    );
    for (const [by, up, down] of [
      ['opened', 'abc', 'cba'],
      ['viewer', 'cba', 'abc'],
      ['name', 'cba', 'acb'],
      ['bytes', 'bac', 'cab'],
      ['player', 'bca', 'acb'],
    ]) {
      expect((await idsOf(calls, { by, is_down: false })).join(''), by).toBe(up);
      expect((await idsOf(calls, { by, is_down: true })).join(''), by).toBe(down);
    }
    const many = callsOf(
      ...Array.from({ length: 3000 }, (_, at) => testSession(`${at}`, 'cam', { bytes: (at * 7) % 3000 })),
    );
    const { sessions, total } = await list(many, { by: 'bytes', is_down: false, from: 2400, count: 200 });
    expect([sessions.map(({ bytes }) => bytes), total]).toEqual([
      Array.from({ length: 200 }, (_, at) => 2400 + at),
      3000,
    ]);
    expect(await list(many, { from: 3000 })).toEqual({ sessions: [], total: 3000 });
  });

  it('close several sessions, and ignore missing ones', async () => {
    const calls = callsOf(testSession('a', 'cam'), testSession('b', 'cam'), testSession('c', 'cam'));
    expect(await calls['sessions.close_all']({ ids: ['a', 'gone', 'c'] })).toEqual({ closed: 2 });
    expect(await idsOf(calls)).toEqual(['b']);
  });

  it('report a missing session', async () => {
    await expect(callsOf()['sessions.close']({ id: 'x' })).rejects.toMatchObject({ code: 'session_not_found' });
  });
});

describe('the ban calls of the desk', () => {
  it('ban an address or a user, list bans with their end, and lift them', async () => {
    const calls = callsOf();
    await calls['sessions.ban']({ kind: 'address', value: '192.0.2.7', seconds: 60, reason: 'copies it' });
    const { bans } = await calls['sessions.ban']({ kind: 'user', value: 'pat', seconds: 900, reason: '' });
    expect(bans.map(({ id, who, reason, banned_at: at, until }) => [id, who, reason, until - at])).toEqual([
      ['user:pat', 'boss', '', 900_000],
      ['address:192.0.2.7', 'boss', 'copies it', 60_000],
    ]);
    expect((await calls['sessions.unban']({ id: 'user:pat' })).bans).toHaveLength(1);
    expect((await calls['sessions.bans']({})).bans).toHaveLength(1);
  });

  it('refuse invalid addresses, and limit the number of bans', async () => {
    const calls = callsOf();
    await expect(calls['sessions.ban']({ kind: 'address', value: 'home', seconds: 60, reason: '' })).rejects.toThrow(
      'IPv4 or IPv6',
    );
    for (let count = 0; count < 1000; count++)
      await calls['sessions.ban']({ kind: 'user', value: `u${count}`, seconds: 60, reason: '' });
    await expect(calls['sessions.ban']({ kind: 'user', value: 'more', seconds: 60, reason: '' })).rejects.toMatchObject(
      {
        code: 'too_many_bans',
      },
    );
  });
});
