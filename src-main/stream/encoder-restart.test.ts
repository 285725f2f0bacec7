import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { madeAudio, madeVideo } from '../../tests/helpers/made-input.ts';
import { StreamHub, type StreamReader } from './stream-hub.ts';

const RUNS = Number(process.env['AIRDESK_RUNS'] ?? 60);
const FRAME_MS = { v1: 40, a1: 1024 / 48, a2: 1024 / 48 } as const;
type Id = keyof typeof FRAME_MS;

interface Restart {
  /** Timestamps before and after the restart. */
  readonly beforeMs: number;
  readonly afterMs: number;
  /** Delay of each track. */
  readonly lateMs: Readonly<Record<Id, number>>;
}

/** Plays 20 s of an encoder that restarts its timestamps after 10 s. */
function play({ beforeMs, afterMs, lateMs }: Restart) {
  const units = (['v1', 'a1', 'a2'] as const)
    .flatMap((id) =>
      Array.from({ length: Math.floor(20_000 / FRAME_MS[id]) }, (_, index) => ({ id, atMs: index * FRAME_MS[id] })),
    )
    .map((unit) => ({ ...unit, arrivesMs: unit.atMs + lateMs[unit.id] }))
    .sort((a, b) => a.arrivesMs - b.arrivesMs);
  const clock = new FakeClock();
  const startMs = clock.now();
  const hub = new StreamHub(clock, () => undefined);
  const given = new Map<Id, { readonly outMs: number; readonly epoch: number; readonly waitedMs: number }[]>();
  let epoch = 0;
  const reader: Pick<StreamReader, 'discontinuity' | 'unit'> = {
    discontinuity: () => epoch++,
    unit: ({ track, dtsTicks, arrivedMs, data }) => {
      const list = given.get(track.id as Id) ?? [];
      expect(data[0]).toBe(list.length & 0xff);
      list.push({ outMs: (dtsTicks * 1000) / track.timescale - startMs, epoch, waitedMs: clock.now() - arrivedMs });
      given.set(track.id as Id, list);
    },
  };
  hub.addReader({ ...reader, tracks: () => undefined, splice: () => undefined, idle: () => undefined });
  hub.tracks([madeVideo('v1', 0, 25), madeAudio('a1'), madeAudio('a2')]);
  const counts = { v1: 0, a1: 0, a2: 0 };
  // The data of units is borrowed.
  const data = new Uint8Array(1);
  for (const { id, atMs, arrivesMs } of units) {
    clock.advance(Math.max(0, startMs + arrivesMs - clock.now()));
    const ticks = Math.round((atMs < 10_000 ? atMs - 10_000 + beforeMs : atMs - 10_000 + afterMs) * 90);
    data[0] = counts[id]++ & 0xff;
    hub.accessUnit({ trackId: id, dtsTicks: ticks, ptsTicks: ticks, isRandomAccess: true, data });
  }
  hub.inputEnded();
  return { given, epoch, counts, dropped: hub.droppedUnits };
}

describe('an encoder that restarts its timestamps on a running connection', () => {
  it('causes one discontinuity, and no frame of any track is lost', () => {
    const delay = fc.integer({ min: 0, max: 800 });
    const given = fc.record({
      times: fc.oneof(
        fc.constant({ beforeMs: 3_610_000, afterMs: 0 }),
        fc.record({ beforeMs: fc.integer({ min: 20_000, max: 1e8 }), afterMs: fc.integer({ min: 0, max: 10_000 }) }),
        fc.record({ beforeMs: fc.constant(20_000), afterMs: fc.integer({ min: 40_000, max: 1e8 }) }),
      ),
      lateMs: fc.record({ v1: delay, a1: delay, a2: delay }),
    });
    fc.assert(
      fc.property(given, ({ times, lateMs }) => {
        const { given: tracks, epoch, counts, dropped } = play({ ...times, lateMs });
        expect(epoch).toBe(1);
        expect(dropped).toBe(0);
        for (const [id, list] of tracks) {
          expect(list).toHaveLength(counts[id]);
          expect(Math.max(...list.map(({ waitedMs }) => waitedMs))).toBeLessThan(1100);
          // The discontinuity is before the first frame with the new timestamps, in each track.
          const first = list.findIndex((unit) => unit.epoch === 1);
          expect(Math.abs(first * FRAME_MS[id] - 10_000)).toBeLessThan(FRAME_MS[id]);
          for (let index = 1; index < list.length; index++)
            expect(list[index]!.outMs).toBeGreaterThan(list[index - 1]!.outMs);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('does not wait for a track that never changes to the new timestamps', () => {
    const clock = new FakeClock();
    const hub = new StreamHub(clock, () => undefined);
    const outputs: string[] = [];
    hub.addReader({
      tracks: () => undefined,
      discontinuity: () => outputs.push('discontinuity'),
      unit: ({ track }) => outputs.push(track.id),
      splice: () => undefined,
      idle: () => undefined,
    });
    hub.tracks([madeVideo('v1', 0, 25), madeAudio('a1')]);
    for (let atMs = 0; atMs < 8000; atMs += 40) {
      const jumped = atMs < 4000 ? 3_600_000 + atMs : atMs;
      for (const [trackId, ms] of [['v1', jumped] as const, ['a1', 3_600_000 + atMs] as const]) {
        const unit = { trackId, isRandomAccess: true, data: new Uint8Array(1) };
        hub.accessUnit({ ...unit, dtsTicks: ms * 90, ptsTicks: ms * 90 });
      }
      clock.advance(40);
      // The maximum wait is a second.
      if (atMs === 5200) expect(outputs.filter((output) => output === 'discontinuity')).toHaveLength(1);
    }
    expect(outputs.filter((output) => output === 'v1')).toHaveLength(200);
  });
});
