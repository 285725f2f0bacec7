import { describe, expect, it } from 'vitest';
import { StreamRun } from '../../../tests/helpers/stream-run.ts';
import { checkReload, readStrictPlaylist, type ReadPlaylist } from '../../../tests/helpers/strict-playlist.ts';
import { renderMediaPlaylist } from './media-playlist.ts';

/** The playlists of picture and sound that a player begins with, at each change of a window of so many segments of one length. */
function begins(segmentMs: number, segmentCount: number): (readonly ReadPlaylist[])[] {
  const stream = new StreamRun({ segmentMs, segmentCount, partMs: 500 });
  const input = { video: { fps: 25, gopFrames: segmentMs / 40, bFrames: 0 }, audio: { sampleRate: 48_000, lateMs: 0 } };
  stream.play({ ...input, seconds: 20 });
  const all: (readonly ReadPlaylist[])[] = [];
  stream.onBatch = () => {
    const both = ['v1', 'a1'].map((trackId) => {
      const first = readStrictPlaylist(renderMediaPlaylist(stream.window, { trackId, isFirst: true }) ?? '');
      const next = readStrictPlaylist(renderMediaPlaylist(stream.window, { trackId }) ?? '');
      // What a player knows of it goes on.
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
  it('ends with the same whole segment in all tracks where the window has just begun: Shaka loads nothing of a track for seconds else', () => {
    for (const both of begins(1000, 2)) {
      expect(both.map(hasOpen)).toEqual([false, false]);
      const [video, audio] = both.map(({ segments }) => segments.map(({ msn, parts }) => [msn, parts.length]));
      expect(audio).toEqual(video);
      // A player with low latency begins with parts.
      expect(video?.at(-1)?.[1]).toBe(2);
    }
  });

  it('goes on with the open segment where others stand before it, or longer ones: that is closer to live', () => {
    for (const [segmentMs, segmentCount] of [
      [1000, 4],
      [2000, 1],
    ] as const)
      expect(begins(segmentMs, segmentCount).flat().filter(hasOpen).length).toBeGreaterThan(15);
  });
});
