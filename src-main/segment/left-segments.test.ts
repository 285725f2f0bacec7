import fc from 'fast-check';
import { expect, it } from 'vitest';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import { Programme } from '../packaging/programme.ts';

const RUNS = Number(process.env['AIRDESK_RUNS'] ?? 100);
const TARGET_MS = 2000;
/** Tolerance for the time at which a segment leaves, due to frames and waiting units, in milliseconds. */
const SLACK_MS = 200;

/** Plays a stream, and returns the addresses that were refused although a playlist had listed them shortly before. */
function refusedOf(
  pauses: readonly { readonly fromMs: number; readonly lengthMs: number }[],
  gopFrames: number,
): string[] {
  const run = new StreamRun({ segmentMs: TARGET_MS, segmentCount: 3 });
  const { window, clock } = run;
  const lastListed = new Map<string, { readonly id: string; readonly address: string; ms: number; ownMs: number }>();
  const refused = new Set<string>();
  run.onBatch = () => {
    const now = clock.now();
    for (const { track } of window.tracks)
      for (const { address, segment } of window.segments(track.id))
        if (segment.isComplete && !segment.isGap) {
          const ownMs = (segment.durationTicks * 1000) / track.timescale;
          lastListed.set(`${track.id}/${address}`, { id: track.id, address, ms: now, ownMs });
        }
    const programme = new Programme(window);
    for (const [name, { id, address, ms, ownMs }] of lastListed) {
      if (now - ms > ownMs + TARGET_MS - SLACK_MS) continue;
      const entry = window.segmentByAddress(id, address);
      const init = entry && window.init(id, entry.segment.initId);
      if (!init || entry.segment.parts.length === 0) refused.add(name);
      if (id === 'v1' && !programme.byAddress(address)) refused.add(`ts/${address}`);
    }
  };
  run.play({
    video: { fps: 25, gopFrames, bFrames: 0 },
    audio: { sampleRate: 48_000, lateMs: 0 },
    seconds: 40,
    silences: pauses.map(({ fromMs, lengthMs }) => ({ track: 'all' as const, fromMs, toMs: fromMs + lengthMs })),
  });
  run.close();
  window.clear();
  return [...refused];
}

it('segments that left the window are still served for their own duration plus a target duration', () => {
  expect(refusedOf([], 50)).toEqual([]);
});

it('segments that left the window are still served after random pauses of the input', () => {
  const pause = fc.record({
    fromMs: fc.integer({ min: 0, max: 35_000 }),
    lengthMs: fc.integer({ min: 40, max: 9000 }),
  });
  fc.assert(
    fc.property(fc.array(pause, { maxLength: 3 }), fc.constantFrom(12, 25, 50), (pauses, gopFrames) => {
      expect(refusedOf(pauses, gopFrames)).toEqual([]);
    }),
    { numRuns: Math.ceil(RUNS / 5), seed: 6022 },
  );
});

it('segments that left the window release their memory after a while, and their number is limited', () => {
  const run = new StreamRun({ segmentMs: TARGET_MS, segmentCount: 3 });
  run.play({
    video: { fps: 25, gopFrames: 50, bFrames: 0 },
    audio: { sampleRate: 48_000, lateMs: 0 },
    seconds: 30,
  });
  const firstMsn = run.window.segments('v1')[0]?.msn ?? 0;
  const found = Array.from({ length: 8 }, (_, back) => run.window.segmentByMsn('v1', firstMsn - 1 - back));
  expect(found.filter((entry) => entry !== undefined)).toHaveLength(2);
});
