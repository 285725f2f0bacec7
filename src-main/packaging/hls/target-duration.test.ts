import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { madeAudio, madeVideo } from '../../../tests/helpers/made-input.ts';
import { StreamRun } from '../../../tests/helpers/stream-run.ts';
import { readStrictPlaylist } from '../../../tests/helpers/strict-playlist.ts';
import type { AccessUnit } from '../../media/access-unit.ts';
import { renderMediaPlaylist } from './media-playlist.ts';

const FRAME_MS = 40;

/** A GOP of an input, in milliseconds. */
interface Group {
  readonly lengthMs: number;
  /** Pause of the encoder in the middle of the GOP, while its timestamps continue. */
  readonly pauseMs: number;
}

/** Ticks of an audio frame of 1024 samples at 48 kHz. */
const AUDIO_TICKS = 1920;

/** Video at 25 fps with audio: key frames at the starts of the GOPs, no units during pauses. */
function unitsOf(groups: readonly Group[]): AccessUnit[] {
  const video: AccessUnit[] = [];
  const pauses: (readonly [fromTicks: number, toTicks: number])[] = [];
  let atMs = 0;
  for (const { lengthMs, pauseMs } of groups) {
    for (let ms = 0; ms < lengthMs; ms += FRAME_MS) {
      if (ms === FRAME_MS * 5 && pauseMs > 0) {
        pauses.push([atMs * 90, (atMs + pauseMs) * 90]);
        atMs += pauseMs;
      }
      const dtsTicks = Math.round(atMs * 90);
      video.push({ trackId: 'v1', dtsTicks, ptsTicks: dtsTicks, isRandomAccess: ms === 0, data: Buffer.alloc(200) });
      atMs += FRAME_MS;
    }
  }
  const audio = Array.from({ length: Math.floor((atMs * 90) / AUDIO_TICKS) }, (_, index) => index * AUDIO_TICKS)
    .filter((ticks) => !pauses.some(([from, to]) => ticks >= from && ticks < to))
    .map((ticks) => ({
      trackId: 'a1',
      dtsTicks: ticks,
      ptsTicks: ticks,
      isRandomAccess: true,
      data: Buffer.alloc(50),
    }));
  return [...video, ...audio].sort((a, b) => a.dtsTicks - b.dtsTicks);
}

/** Video playlists after each batch of events, without repetitions. */
function playlistsOf(groups: readonly Group[]): ReturnType<typeof readStrictPlaylist>[] {
  const stream = new StreamRun();
  const texts = new Set<string>();
  stream.onBatch = () => {
    const text = renderMediaPlaylist(stream.window, { trackId: 'v1' });
    if (text !== undefined) texts.add(text);
  };
  stream.playUnits([madeVideo(), madeAudio()], unitsOf(groups));
  stream.close();
  return [...texts].map((text) => readStrictPlaylist(text));
}

/** Value of each playlist, without repetitions in a row. */
function changesOf<T>(values: readonly T[]): T[] {
  return values.filter((value, index) => index === 0 || value !== values[index - 1]);
}

const anyGroup = fc.record({
  lengthMs: fc.integer({ min: 1, max: 200 }).map((frames) => frames * FRAME_MS),
  pauseMs: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 20_000 })),
});

describe('EXT-X-TARGETDURATION', () => {
  it('stays the same once the first segment is complete, and the media sequence never decreases', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 50, max: 300 }),
        fc.array(anyGroup, { minLength: 3, maxLength: 12 }),
        (first, rest) => {
          const playlists = playlistsOf([{ lengthMs: first * FRAME_MS, pauseMs: 0 }, ...rest]);
          const settled = playlists.filter(({ segments }) =>
            segments.some(({ msn, uri }) => msn >= 100 && uri !== undefined),
          );
          expect(changesOf(settled.map(({ targetSeconds }) => targetSeconds)).length).toBeLessThanOrEqual(1);
          const sequence = playlists.map(({ mediaSequence }) => mediaSequence);
          expect(sequence).toEqual([...sequence].sort((a, b) => a - b));
        },
      ),
    );
  });

  it('becomes the duration of a first segment of 10 s, and every playlist lists a segment', () => {
    const playlists = playlistsOf(Array.from({ length: 5 }, () => ({ lengthMs: 10_000, pauseMs: 0 })));
    expect(changesOf(playlists.map(({ targetSeconds }) => targetSeconds))).toEqual([2, 10]);
    for (const { segments } of playlists) expect(segments.some(({ uri }) => uri !== undefined)).toBe(true);
  });

  it.each([
    [2000, 0],
    [8000, 1],
    [15_000, 1],
  ])(
    'does not change after a pause of %d ms, and a pause too long for the segment is a discontinuity',
    (pauseMs, count) => {
      const groups = Array.from({ length: 8 }, (_, index) => ({ lengthMs: 2000, pauseMs: index === 3 ? pauseMs : 0 }));
      const playlists = playlistsOf(groups);
      expect(changesOf(playlists.map(({ targetSeconds }) => targetSeconds))).toEqual([2]);
      const breaks = playlists.at(-1)?.segments.filter(({ isDiscontinuity }) => isDiscontinuity) ?? [];
      expect(breaks).toHaveLength(count);
    },
  );
});
