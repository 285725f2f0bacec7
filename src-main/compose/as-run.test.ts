import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { clipOf, LiveStream } from '../../tests/helpers/ad-windows.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { Advertisements } from '../ads/advertisements.ts';
import { StreamOutput } from '../delivery/stream-output.ts';
import { silentLog } from '../lib/log.ts';
import { OPEN_POLICY } from '../sessions/access-policy.ts';
import { Session } from '../sessions/session.ts';
import { openAsRun } from './as-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'airdesk-as-run-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function sessionOf(id: string, v: number): Session {
  const visitor = { name: 'cam', ip: '192.0.2.1', token: 't', userAgent: '', referer: '', host: '', country: 'DE' };
  const facts = { id, key: id, proto: 'hls', queryString: '', policy: OPEN_POLICY, policyGeneration: 0 } as const;
  const session = new Session({ ...visitor, ...facts, openedMs: 0, silentMs: 60_000 }, 180_000, {
    started: () => undefined,
    released: () => undefined,
  });
  session.adInject = { v, preroll: ['ads/a'], midroll: ['ads/b', 'ads/a'], midroll_interval: 6 };
  return session;
}

/**
 * Requests as pairs: number of requests in sequence, and the viewer; each request extends the window. Viewer 2 requests
 * ahead, is absent for longer than the window, and returns before the planned end.
 */
const AWAY = [
  [5, 0],
  [1, 2],
  [1, 0],
  [1, 2],
  [5, 0],
  [1, 2],
  [1, 0],
  [1, 2],
  [7, 0],
  [1, 2],
  [16, 0],
].flatMap(([times = 0, viewer = 0]) => Array.from({ length: times }, () => ({ viewer, isLoaded: viewer === 2 })));

it('the as-run log has a row for each advertisement shown, and the same sums as the events', async () => {
  const clock = new FakeClock();
  const events: { kind: string; progress: number; id: unknown }[] = [];
  const unit = openAsRun(
    { dataFolder: folder, clock, log: silentLog, mediaThreads: 0, databaseThreadEntry: new URL('file:///none') },
    {
      emit: (kind, fields) => {
        const { progress = 0, showing_id: id } = fields as { progress?: number; showing_id?: unknown };
        events.push({ kind, progress, id });
      },
    },
    () => ({ asRunKeptMs: 86_400_000 }),
  );
  const clips = new Map([clipOf('ads/a', 3), clipOf('ads/b', 6)].map((clip) => [clip.path, clip]));
  const ads = new Advertisements({
    clock,
    files: { open: async (path) => Promise.resolve(clips.get(path) ?? { path, reason: 'clip_not_found', detail: '' }) },
    played: unit.played,
  });
  let number = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ viewer: fc.nat(3), isLoaded: fc.boolean() }), { minLength: 40, maxLength: 80 }),
      async (steps) => {
        const stream = new LiveStream({ segmentMs: 2000, listed: 6 });
        stream.growTo(6);
        const live = new StreamOutput('cam', stream.window);
        const sessions = [1, 2, 1, 2].map((v) => sessionOf(`s${number++}`, v));
        await ads.prepare(
          {
            kind: 'allow',
            durationMs: 1,
            userId: null,
            maxSessions: null,
            adInject: sessions[0]?.adInject,
          },
          'cam',
        );
        for (const { viewer, isLoaded } of steps) {
          stream.grow();
          const output = ads.outputFor(sessions[viewer], live);
          for (const { address } of output?.window.segments('v1') ?? []) if (isLoaded) output?.delivered('v1', address);
        }
        for (const session of sessions) ads.closed(session);
      },
    ),
    { numRuns: 10, examples: [[AWAY]] },
  );
  const sum = async (least: number): Promise<number> =>
    unit.log.count([{ field: 'progress', operator: 'gte', values: [least] }]);
  await unit.log.write();
  const started = events.filter(({ kind }) => kind === 'ad_inject');
  expect(started.length).toBeGreaterThan(20);
  expect(await sum(0)).toBe(started.length);
  expect(new Set(started.map(({ id }) => id)).size).toBe(started.length);
  for (const percent of [25, 50, 75, 100])
    expect([percent, await sum(percent)]).toEqual([
      percent,
      events.filter(({ kind, progress }) => kind === 'ad_progress' && progress === percent).length,
    ]);
  const rows = await unit.log.rows({ conditions: [], isDescending: false, limit: 1000 });
  expect(rows.every(({ sent, duration, progress }) => Math.floor((sent * 4) / duration) * 25 === progress)).toBe(true);
  await unit.close();
});
