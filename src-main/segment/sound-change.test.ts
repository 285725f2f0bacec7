import { describe, expect, it } from 'vitest';
import { madeAudio, madeUnits, madeVideo, type MadeUnit } from '../../tests/helpers/made-input.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import type { AudioTrack } from '../media/track.ts';
import { renderMpd } from '../packaging/dash/mpd.ts';
import { renderMediaPlaylist } from '../packaging/hls/media-playlist.ts';
import { viewShared } from './shared-bytes.ts';
import type { PartEvent } from './window-event.ts';

// An encoder changes its audio format while its video continues.

const GOP_FRAMES = 125;
const STEREO = madeAudio();
const MONO: AudioTrack = { ...STEREO, channels: 1, decoderConfig: Uint8Array.of(0x11, 0x88) };
const LOWER_RATE: AudioTrack = { ...madeAudio('a1', 44_100), decoderConfig: Uint8Array.of(0x12, 0x10) };
const HALF_RATE: AudioTrack = { ...madeAudio('a1', 24_000), decoderConfig: Uint8Array.of(0x13, 0x10) };
const OTHER_CODEC: AudioTrack = {
  ...madeAudio('a1', 32_000),
  codec: 'mp3',
  codecString: 'mp4a.6b',
  decoderConfig: new Uint8Array(0),
  samplesPerFrame: 1152,
};
const MPEG_AUDIO: AudioTrack = { ...OTHER_CODEC, timescale: 48_000, sampleRate: 48_000 };
const HALF_MPEG_AUDIO: AudioTrack = { ...OTHER_CODEC, timescale: 24_000, sampleRate: 24_000, samplesPerFrame: 576 };

interface Change {
  readonly from: AudioTrack;
  readonly to: AudioTrack;
  readonly atMs: number;
  /** Delay of the audio relative to its time. Negative if the audio is early. */
  readonly lateMs: number;
  readonly bFrames: number;
  /** Overlap of the stated times of both formats. */
  readonly overlapMs?: number;
}

interface Played {
  readonly run: StreamRun;
  readonly given: readonly MadeUnit[];
}

function play({ from, to, atMs, lateMs, bFrames, overlapMs = 0 }: Change): Played {
  const video = { fps: 25, gopFrames: GOP_FRAMES, bFrames };
  const pictures = madeUnits({ video, seconds: 16 });
  const before = sound(from, 0, atMs, lateMs);
  const after = sound(to, before.length * frameMs(from) - overlapMs, 16_000 - overlapMs, lateMs + overlapMs);
  const given = [...pictures, ...before, ...after].sort((a, b) => a.arrivesMs - b.arrivesMs);
  const run = new StreamRun({ segmentMs: 2000, segmentCount: 20 });
  // Playlists are requested in every state of the window.
  run.onBatch = () => {
    for (const { track } of run.window.tracks) renderMediaPlaylist(run.window, { trackId: track.id });
    renderMpd(run.window, { nowMs: run.clock.now() });
  };
  const start = run.clock.now();
  run.feed(() => run.hub.tracks([madeVideo(), from]));
  for (const arrival of given) {
    run.clock.advance(Math.max(0, start + arrival.arrivesMs - run.clock.now()));
    if (arrival === after[0]) run.feed(() => run.hub.tracks([madeVideo(), to]));
    run.feed(() => run.hub.accessUnit(arrival.unit));
  }
  run.close();
  return { run, given };
}

function frameMs({ samplesPerFrame, sampleRate }: AudioTrack): number {
  return (samplesPerFrame * 1000) / sampleRate;
}

/** Frames of an audio track that start from `fromMs` to before `untilMs`. */
function sound(track: AudioTrack, fromMs: number, untilMs: number, lateMs: number): MadeUnit[] {
  const count = Math.ceil((untilMs - fromMs) / frameMs(track));
  return Array.from({ length: count }, (_, index) => {
    const atMs = fromMs + index * frameMs(track);
    const ticks = Math.round(atMs * 90);
    const data = Buffer.alloc(100 + (index % 200), 'a1');
    const unit = { trackId: 'a1', dtsTicks: ticks, ptsTicks: ticks, isRandomAccess: true, data };
    return { arrivesMs: Math.max(0, atMs + lateMs), unit };
  });
}

/** Number of samples in a chunk (`trun`, ISO/IEC 14496-12, 8.8.8). */
function samplesIn(bytes: Buffer): number {
  return bytes.readUInt32BE(bytes.indexOf('trun') + 8);
}

const TIMES = [1960, 2010, 5000, 5020, 5100, 7000, 9900, 9990, 10_000].flatMap((atMs) =>
  [-300, 0, 700].flatMap((lateMs) => [0, 3].map((bFrames) => ({ atMs, lateMs, bFrames }))),
);
const CHANGES: readonly Change[] = [
  ...TIMES.map((time) => ({ from: STEREO, to: MONO, ...time })),
  ...[20, 60, 200].flatMap((overlapMs) =>
    TIMES.filter(({ lateMs }) => lateMs >= 0).map((time) => ({ from: STEREO, to: LOWER_RATE, ...time, overlapMs })),
  ),
  ...TIMES.map((time) => ({ from: MPEG_AUDIO, to: HALF_MPEG_AUDIO, ...time })),
  ...[LOWER_RATE, HALF_RATE, OTHER_CODEC].flatMap((to) =>
    TIMES.filter(({ bFrames }) => bFrames === 3).flatMap((time) => [
      { from: STEREO, to, ...time },
      { from: to, to: STEREO, ...time },
    ]),
  ),
];
const nameOf = ({ from, to, ...rest }: Change): string =>
  `${from.codec} ${from.sampleRate} to ${to.codec} ${to.sampleRate} ${JSON.stringify(rest)}`;

describe.each(CHANGES.map((change) => [nameOf(change), change] as const))('audio that changes: %s', (_, change) => {
  const { run, given } = play(change);
  const parts = (id: string): PartEvent[] =>
    run.events.filter((event): event is PartEvent => event.type === 'part' && event.trackId === id);
  const ticksOf = (id: string): number => parts(id).reduce((sum, { durationTicks }) => sum + durationTicks, 0);

  const { overlapMs = 0 } = change;
  const { timescale } = change.from;

  it('loses no frame from the first picture on, and changes at the first frame of the new format', () => {
    const count = (id: string): number => given.filter(({ unit }) => unit.trackId === id).length;
    expect(ticksOf('v1')).toBe(count('v1') * 3600);
    const longestMs = Math.max(frameMs(change.from), frameMs(change.to));
    expect(Math.abs(ticksOf('a1') / timescale - 16)).toBeLessThan((2.2 * longestMs + overlapMs) / 1000);
    // Audio before the first shown picture is dropped.
    const isShown = ({ unit }: MadeUnit): boolean => unit.dtsTicks >= (change.bFrames === 0 ? 0 : 3600 - 1080);
    const shown = given.filter((made) => made.unit.trackId === 'a1' && isShown(made)).length;
    expect(parts('a1').reduce((sum, { bytes }) => sum + samplesIn(viewShared(bytes)), 0)).toBe(shown);
    const inits = run.events.filter((event) => event.type === 'init');
    expect(inits).toHaveLength(2);
    const [first] = parts('a1');
    const starts = run.events.filter((event) => event.type === 'segment-start' && event.trackId === 'a1');
    const changed = starts.findIndex(
      (event, index) => index > 0 && 'initId' in event && event.initId !== (starts[index - 1] as typeof event).initId,
    );
    const event = starts[changed];
    if (event?.type !== 'segment-start' || !first) throw new Error('The sound did not change.');
    expect(Math.abs(((event.startTicks - first.startTicks) * 1000) / timescale - change.atMs)).toBeLessThan(
      Math.max(45, 1.5 * longestMs),
    );
  });

  it('has consecutive numbers in all tracks, and no discontinuity', () => {
    const starts = run.events.flatMap((event) => (event.type === 'segment-start' ? [event] : []));
    for (const id of ['v1', 'a1']) {
      const numbers = starts.filter(({ trackId }) => trackId === id).map(({ msn }) => msn);
      expect(numbers).toEqual(numbers.map((_, index) => 100 + index));
    }
    expect(starts.filter(({ isDiscontinuity }) => isDiscontinuity)).toEqual([]);
  });

  it('keeps all segments in the audio playlist', () => {
    const playlist = renderMediaPlaylist(run.window, { trackId: 'a1' }) ?? '';
    const seconds = [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].reduce((sum, [, length]) => sum + Number(length), 0);
    expect(playlist).toContain('#EXT-X-MEDIA-SEQUENCE:100\n');
    expect(Math.abs(seconds - 16)).toBeLessThan(0.1 + overlapMs / 1000);
  });
});
