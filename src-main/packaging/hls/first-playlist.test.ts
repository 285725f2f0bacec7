import { describe, expect, it } from 'vitest';
import { StreamRun } from '../../../tests/helpers/stream-run.ts';
import { checkReload, readStrictPlaylist, type ReadPlaylist } from '../../../tests/helpers/strict-playlist.ts';
import { renderMediaPlaylist } from './media-playlist.ts';

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
