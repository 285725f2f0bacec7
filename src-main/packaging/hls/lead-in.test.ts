import { describe, expect, it } from 'vitest';
import { StreamRun } from '../../../tests/helpers/stream-run.ts';
import { checkReload, readStrictPlaylist, type ReadPlaylist } from '../../../tests/helpers/strict-playlist.ts';
import { renderMediaPlaylist } from './media-playlist.ts';

const INPUT = { video: { fps: 25, gopFrames: 50, bFrames: 0 }, audio: { sampleRate: 48_000, lateMs: 0 }, seconds: 20 };

/** Current playlist of a track. */
function listed(stream: StreamRun, trackId = 'v1'): ReadPlaylist {
  return readStrictPlaylist(renderMediaPlaylist(stream.window, { trackId }) ?? '');
}

/** Segments before the first one with media: number, whether it is a gap, and whether each of its parts is a gap. */
function leadIn({ segments }: ReadPlaylist, firstMsn: number): unknown[] {
  return segments
    .filter(({ msn }) => msn < firstMsn)
    .map(({ msn, isGap, parts }) => [msn, isGap, parts.map((part) => part.isGap)]);
}

describe('leadInOf', () => {
  it('matches the snapshot', async () => {
    const stream = new StreamRun();
    stream.playing(INPUT)(700);
    await expect(renderMediaPlaylist(stream.window, { trackId: 'v1' }) ?? '').toMatchFileSnapshot(
      '../../../tests/golden/hls/first-part.m3u8',
    );
  });

  it('precedes the first part with the same segments in all tracks, and sets the start position of players', () => {
    const stream = new StreamRun();
    stream.playing(INPUT)(700);
    for (const track of ['v1', 'a1']) {
      const playlist = listed(stream, track);
      expect(leadIn(playlist, 100)).toEqual([
        [97, true, []],
        [98, true, []],
        [99, false, [false]],
      ]);
      expect(playlist.startSeconds).toBe(1.5);
      // A player that loads these segments anyway gets existing bytes.
      for (const { uri, map } of playlist.segments.filter(({ msn }) => msn < 100)) expect(uri).toBe(map);
    }
  });

  it('stays listed until a segment may leave the playlist, and lets players start at the newest complete segment', () => {
    const stream = new StreamRun();
    const play = stream.playing(INPUT);
    let before: ReadPlaylist | undefined;
    const seen: string[] = [];
    for (let ms = 700; ms < 12_000; ms += 300) {
      play(ms);
      const playlist = listed(stream);
      if (before) checkReload(before, playlist);
      before = playlist;
      const complete = playlist.segments.filter(({ msn, uri }) => msn >= 100 && uri !== undefined).length;
      seen.push(`${complete} ${playlist.mediaSequence} ${playlist.startSeconds ?? 'live'}`);
    }
    expect([...new Set(seen)]).toEqual(['0 97 1.5', '1 97 1.5', '2 97 3.5', '3 100 live', '4 100 live', '5 100 live']);
  });

  it('is absent if a segment has already left the window', () => {
    const stream = new StreamRun({ segmentCount: 1 });
    const play = stream.playing(INPUT);
    play(5000);
    expect(listed(stream).mediaSequence).toBeGreaterThan(100);
    expect(leadIn(listed(stream), stream.window.segments('v1')[0]?.msn ?? 0)).toEqual([]);
  });

  it('is absent if the stream has no parts', () => {
    const stream = new StreamRun({ partMs: 0 });
    stream.playing(INPUT)(5000);
    expect(renderMediaPlaylist(stream.window, { trackId: 'v1' })).not.toContain('GAP');
  });
});
