import { describe, expect, it } from 'vitest';
import { SESSIONS_MAX } from '../../../src-preload/contract/session-calls.ts';
import { madeSession } from '../../../tests/helpers/api-stage.ts';
import { sessionSource } from '../../../tests/helpers/session-source.ts';
import type { SessionView } from '../playback-sessions.ts';
import { sessionCalls } from './session-calls.ts';

function callsOf(...sessions: SessionView[]): ReturnType<typeof sessionCalls> {
  return sessionCalls(sessionSource(new Map(sessions.map((one) => [one.id, one]))), {});
}
async function idsOf(calls: ReturnType<typeof sessionCalls>, wanted = {}): Promise<string[]> {
  return (await calls['sessions.list'](wanted)).sessions.map(({ id }) => id);
}

describe('sessions on the desk', () => {
  it('are none without viewers', async () => {
    expect(await callsOf()['sessions.list']({})).toEqual({ sessions: [], total: 0 });
  });

  it('are found by stream, address, user and player, in any case', async () => {
    const calls = callsOf(
      madeSession('a', 'cam1', { ip: '192.0.2.1', userId: 'Pat', userAgent: 'VLC/3' }),
      madeSession('b', 'cam2', { ip: '192.0.2.22', userId: null, userAgent: 'Mozilla' }),
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
    'are the newest of %d, with how many there are',
    async (count) => {
      const calls = callsOf(...Array.from({ length: count }, (_, at) => madeSession(`s${at}`, 'cam')));
      const { sessions, total } = await calls['sessions.list']({});
      const newest = Array.from({ length: Math.min(count, SESSIONS_MAX) }, (_, at) => `s${count - 1 - at}`);
      expect([sessions.map(({ id }) => id), total]).toEqual([newest, count]);
    },
  );

  it('say which of them is not there', async () => {
    await expect(callsOf()['sessions.close']({ id: 'x' })).rejects.toMatchObject({ code: 'session_not_found' });
  });
});
