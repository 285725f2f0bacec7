import { describe, expect, it } from 'vitest';
import { madeAudio, madeUnits, madeVideo } from '../../tests/helpers/made-input.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import type { VideoTrack } from '../media/track.ts';
import { viewShared } from './shared-bytes.ts';

// Another encoder, or the same encoder on a new connection, continues at the end of the previous connection.

const FIRST = madeVideo();
/** Same as `FIRST`, with another level, frame rate and picture parameter set. */
const OTHER_SETS: VideoTrack = {
  ...FIRST,
  codecString: 'avc1.640028',
  level: '4.0',
  fps: 25,
  decoderConfig: Uint8Array.of(1, 100, 0, 40, 255, 225, 0, 4, 103, 100, 0, 9, 1, 0, 2, 104, 77),
};
/** The sets of `OTHER_SETS` in a sample. */
const SETS = Buffer.from([0, 0, 0, 4, 103, 100, 0, 9, 0, 0, 0, 2, 104, 77]);
/** The sets of `FIRST` in a sample. */
const FIRST_SETS = Buffer.from([0, 0, 0, 4, 103, 100, 0, 0, 0, 0, 0, 1, 104]);

/** Plays an input whose tracks change every 4 s, and returns the run. */
function play(join: (run: StreamRun) => void, encoders: readonly VideoTrack[]): StreamRun {
  const run = new StreamRun({ segmentMs: 2000, segmentCount: 20 });
  const seconds = 4 * encoders.length;
  const units = madeUnits({
    video: { fps: 25, gopFrames: 50, bFrames: 0 },
    audio: { sampleRate: 48_000, lateMs: 0 },
    seconds,
  });
  const start = run.clock.now();
  let index = -1;
  for (const { unit, arrivesMs } of units) {
    run.clock.advance(Math.max(0, start + arrivesMs - run.clock.now()));
    if (unit.trackId === 'v1' && unit.dtsTicks >= (index + 1) * 360_000) {
      const encoder = encoders[++index];
      if (index > 0) run.feed(() => join(run));
      if (encoder) run.feed(() => run.hub.tracks([encoder, madeAudio()]));
    }
    run.feed(() => run.hub.accessUnit(unit));
  }
  run.close();
  return run;
}

const JOINS = [
  ['in one connection', () => undefined],
  ['on a new connection', ({ hub }: StreamRun) => hub.inputRejoined()],
  ['from another input with the same clock', ({ hub }: StreamRun) => hub.inputSwitched()],
] as const;

describe.each(JOINS)('an encoder with other parameter sets %s', (_, join) => {
  it('causes no discontinuity, and its new parameter sets are sent in the samples', () => {
    const run = play(join, [FIRST, OTHER_SETS, FIRST]);
    const starts = run.events.flatMap((event) => (event.type === 'segment-start' ? [event] : []));
    expect(starts.filter(({ isDiscontinuity }) => isDiscontinuity)).toEqual([]);
    expect(run.events.filter(({ type }) => type === 'init')).toHaveLength(1);
    const parts = run.events.flatMap((event) => (event.type === 'part' && event.trackId === 'v1' ? [event] : []));
    expect(parts.reduce((sum, { durationTicks }) => sum + durationTicks, 0)).toBe(12 * 90_000);
    const carried = parts
      .filter(({ isIndependent }) => isIndependent)
      .map(({ bytes }) => {
        const media = viewShared(bytes);
        return [FIRST_SETS, SETS].map((sets) => media.includes(sets));
      });
    expect(carried).toEqual([
      ...Array.from({ length: 2 }, () => [false, false]),
      ...Array.from({ length: 2 }, () => [false, true]),
      ...Array.from({ length: 2 }, () => [true, false]),
    ]);
  });

  it('starts a new format if the decoder must change', () => {
    const others: VideoTrack[] = [
      madeVideo('v1', 1),
      { ...OTHER_SETS, profile: 'High 10' },
      { ...OTHER_SETS, sarWidth: 4 },
    ];
    for (const other of others) {
      const run = play(join, [FIRST, other]);
      expect(run.events.filter(({ type }) => type === 'init')).toHaveLength(2);
    }
  });
});
