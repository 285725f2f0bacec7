import { describe, expect, it } from 'vitest';
import { madeAudio, madeUnits, madeVideo, type MadeInput, type MadeUnit } from '../../tests/helpers/made-input.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import type { AudioTrack } from '../media/track.ts';
import { renderMpd } from '../packaging/dash/mpd.ts';
import { renderMediaPlaylist } from '../packaging/hls/media-playlist.ts';
import type { PartEvent } from './window-event.ts';

// The sound of an encoder becomes mono while its picture goes on.

const GOP_FRAMES = 125;
const STEREO = madeAudio();
const MONO: AudioTrack = { ...STEREO, channels: 1, decoderConfig: Uint8Array.of(0x11, 0x88) };

interface Change {
  readonly atMs: number;
  /** Delay of the sound behind its time; negative: it comes early. */
  readonly lateMs: number;
  readonly bFrames: number;
}

interface Played {
  readonly run: StreamRun;
  readonly given: readonly MadeUnit[];
}

function play({ atMs, lateMs, bFrames }: Change): Played {
  const input: MadeInput = {
    video: { fps: 25, gopFrames: GOP_FRAMES, bFrames },
    audio: { sampleRate: 48_000, lateMs },
    seconds: 16,
  };
  const run = new StreamRun({ segmentMs: 2000, segmentCount: 20 });
  // Playlists are asked for whatever state the window is in.
  run.onBatch = () => {
    for (const { track } of run.window.tracks) renderMediaPlaylist(run.window, { trackId: track.id });
    renderMpd(run.window, { nowMs: run.clock.now() });
  };
  const start = run.clock.now();
  const given = madeUnits(input);
  run.feed(() => run.hub.tracks([madeVideo(), STEREO]));
  let sound = STEREO;
  for (const { unit, arrivesMs } of given) {
    run.clock.advance(Math.max(0, start + arrivesMs - run.clock.now()));
    if (unit.trackId === 'a1' && sound === STEREO && unit.dtsTicks >= atMs * 90) {
      sound = MONO;
      run.feed(() => run.hub.tracks([madeVideo(), MONO]));
    }
    run.feed(() => run.hub.accessUnit(unit));
  }
  run.close();
  return { run, given };
}

const CHANGES = [1960, 2010, 5000, 5020, 5100, 7000, 9900, 9990, 10_000].flatMap((atMs) =>
  [-300, 0, 700].flatMap((lateMs) => [0, 3].map((bFrames) => ({ atMs, lateMs, bFrames }))),
);

describe.each(CHANGES)('sound that changes at $atMs ms, $lateMs ms late, with $bFrames B-frames', (change) => {
  const { run, given } = play(change);
  const parts = (id: string): PartEvent[] =>
    run.events.filter((event): event is PartEvent => event.type === 'part' && event.trackId === id);
  const ticksOf = (id: string): number => parts(id).reduce((sum, { durationTicks }) => sum + durationTicks, 0);

  it('loses no picture and at most two frames of sound, and changes at its frame', () => {
    const count = (id: string): number => given.filter(({ unit }) => unit.trackId === id).length;
    expect(ticksOf('v1')).toBe(count('v1') * 3600);
    expect(Math.abs(ticksOf('a1') - count('a1') * 1024)).toBeLessThanOrEqual(2 * 1024);
    const inits = run.events.filter((event) => event.type === 'init');
    expect(inits).toHaveLength(2);
    const [first] = parts('a1');
    const starts = run.events.filter((event) => event.type === 'segment-start' && event.trackId === 'a1');
    const changed = starts.findIndex(
      (event, index) => index > 0 && 'initId' in event && event.initId !== (starts[index - 1] as typeof event).initId,
    );
    const event = starts[changed];
    if (event?.type !== 'segment-start' || !first) throw new Error('The sound did not change.');
    expect(Math.abs((event.startTicks - first.startTicks) / 48 - change.atMs)).toBeLessThan(45);
  });

  it('has numbers without a hole in all tracks, and no discontinuity', () => {
    const starts = run.events.flatMap((event) => (event.type === 'segment-start' ? [event] : []));
    for (const id of ['v1', 'a1']) {
      const numbers = starts.filter(({ trackId }) => trackId === id).map(({ msn }) => msn);
      expect(numbers).toEqual(numbers.map((_, index) => 100 + index));
    }
    expect(starts.filter(({ isDiscontinuity }) => isDiscontinuity)).toEqual([]);
  });
});
