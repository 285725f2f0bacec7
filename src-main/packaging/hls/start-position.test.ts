import { describe, expect, it } from 'vitest';
import { StreamRun } from '../../../tests/helpers/stream-run.ts';
import { checkReload, readStrictPlaylist, type ReadPlaylist } from '../../../tests/helpers/strict-playlist.ts';
import type { WindowSegment } from '../../segment/segment-window.ts';
import { renderMediaPlaylist } from './media-playlist.ts';
import { renderTsPlaylist } from './ts-playlist.ts';

const AUDIO = { sampleRate: 48_000, lateMs: 0 };
const SHORT_GOPS = { video: { fps: 25, gopFrames: 50, bFrames: 0 }, audio: AUDIO, seconds: 8 };

/** Input after `SHORT_GOPS` whose GOPs have a number of pictures. */
function longGops(gopFrames: number, seconds = 40) {
  return { video: { fps: 25, gopFrames, bFrames: 0 }, audio: AUDIO, seconds, startTicks: 8 * 90_000 };
}

/** Segment that EXT-X-START names; the playlist must have one. */
function startOf(text: string | undefined): { readonly msn: number; readonly isComplete: boolean } {
  const { startSeconds = Infinity, segments } = readStrictPlaylist(text ?? '');
  let seconds = 0;
  for (const { msn, uri, durationSeconds } of segments) {
    if (Math.abs(seconds - startSeconds) < 0.002) return { msn, isComplete: uri !== undefined };
    seconds += durationSeconds;
  }
  throw new Error(`no segment starts at ${startSeconds} s:\n${text}`);
}

/** Whether decoding can start with each of these segments. */
function canStartWith(segments: readonly WindowSegment[]): boolean {
  return segments.every(({ segment: { parts } }) => parts[0]?.isIndependent !== false);
}

describe.each([
  { seconds: 5, gopFrames: 125 },
  { seconds: 10, gopFrames: 250 },
  { seconds: 18, gopFrames: 450 },
])('startLines for GOPs of $seconds s after GOPs of 2 s', ({ gopFrames }) => {
  it('lets players of all playlists start with a complete segment that starts with a key frame', () => {
    const stream = new StreamRun();
    stream.play(SHORT_GOPS);
    const play = stream.playing(longGops(gopFrames));
    const starts = new Set<number>();
    for (let ms = 3000; ms < 40_000; ms += 300) {
      play(ms);
      const { window } = stream;
      const video = window.segments('v1');
      if (canStartWith(video.slice(-4))) continue;
      const { msn, isComplete } = startOf(renderMediaPlaylist(window, { trackId: 'v1' }));
      expect(isComplete).toBe(true);
      expect(video.find((entry) => entry.msn === msn)?.segment.parts[0]?.isIndependent).toBe(true);
      expect(startOf(renderMediaPlaylist(window, { trackId: 'a1' })).msn).toBe(msn);
      const complete = video.filter(({ segment }) => segment.isComplete);
      if (!canStartWith(complete.slice(-3))) expect(startOf(renderTsPlaylist(window)).msn).toBe(msn);
      starts.add(msn);
    }
    expect(starts.size).toBeGreaterThanOrEqual(2);
  });
});

describe('startLines', () => {
  it('is empty while every segment near the live edge starts with a key frame', () => {
    const stream = new StreamRun();
    const play = stream.playing({ ...SHORT_GOPS, seconds: 30 });
    for (let ms = 8000; ms < 30_000; ms += 300) {
      play(ms);
      expect(renderMediaPlaylist(stream.window, { trackId: 'v1' })).not.toContain('EXT-X-START');
      expect(renderTsPlaylist(stream.window)).not.toContain('EXT-X-START');
    }
  });

  it('lets the window end if no key frame comes at all', () => {
    const stream = new StreamRun({ segmentCount: 6 });
    stream.play(SHORT_GOPS);
    stream.play(longGops(100_000, 120));
    // 6 segments, 20 s of segments without a key frame, and the open one.
    expect(stream.window.segments('v1').length).toBeLessThanOrEqual(17);
    expect(renderMediaPlaylist(stream.window, { trackId: 'v1' })).not.toContain('EXT-X-START');
  });
});

/** First playlists of video and audio for a player, at each change of a window with segments of one duration. */
function firstPlaylists(segmentMs: number, segmentCount: number): (readonly ReadPlaylist[])[] {
  const stream = new StreamRun({ segmentMs, segmentCount, partMs: 500 });
  const input = { video: { fps: 25, gopFrames: segmentMs / 40, bFrames: 0 }, audio: { sampleRate: 48_000, lateMs: 0 } };
  stream.play({ ...input, seconds: 20 });
  const all: (readonly ReadPlaylist[])[] = [];
  stream.onBatch = () => {
    const both = ['v1', 'a1'].map((trackId) => {
      const first = readStrictPlaylist(renderMediaPlaylist(stream.window, { trackId, isFirst: true }) ?? '');
      const next = readStrictPlaylist(renderMediaPlaylist(stream.window, { trackId }) ?? '');
      // The state of a player continues between reloads.
      checkReload(first, next);
      return first;
    });
    all.push(both);
  };
  stream.play({ ...input, seconds: 5, startTicks: 20 * 90_000 });
  stream.close();
  expect(all.length).toBeGreaterThan(15);
  return all;
}

const hasOpen = ({ segments, hint }: ReadPlaylist): boolean =>
  hint !== undefined || segments.some(({ uri }) => uri === undefined);

describe('the first playlist of a player', () => {
  it('ends with the same complete segment in all tracks of a window that has just started, because otherwise Shaka stalls one track for seconds', () => {
    for (const both of firstPlaylists(1000, 2)) {
      expect(both.map(hasOpen)).toEqual([false, false]);
      const [video, audio] = both.map(({ segments }) => segments.map(({ msn, parts }) => [msn, parts.length]));
      expect(audio).toEqual(video);
      // A low-latency player starts with parts.
      expect(video?.at(-1)?.[1]).toBe(2);
    }
  });

  it('ends with the open segment if earlier segments exist or segments are long, because that is closer to live', () => {
    for (const [segmentMs, segmentCount] of [
      [1000, 4],
      [2000, 1],
    ] as const)
      expect(firstPlaylists(segmentMs, segmentCount).flat().filter(hasOpen).length).toBeGreaterThan(15);
  });
});
