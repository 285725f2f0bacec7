import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { playlistFrom } from './start-of-playlist.ts';

const AT = Date.UTC(2027, 0, 15, 12);
const time = (ms: number): string => `#EXT-X-PROGRAM-DATE-TIME:${new Date(AT + ms).toISOString()}`;
/** Ten seconds, a gap of a minute, and ten more seconds. */
const PLAYLIST = [
  '#EXTM3U',
  '#EXT-X-VERSION:9',
  '#EXT-X-DISCONTINUITY-SEQUENCE:3',
  '#EXT-X-MAP:URI="init.mp4"',
  time(0),
  '#EXTINF:4,',
  'a.m4s',
  '#EXTINF:6,',
  'b.m4s',
  '#EXT-X-DISCONTINUITY',
  time(70_000),
  '#EXTINF:5,',
  'c.m4s',
  time(75_000),
  '#EXTINF:5,',
  'd.m4s',
  '',
].join('\n');
const offsetAt = (ms: number): number =>
  Number(/^#EXTM3U\n#EXT-X-START:TIME-OFFSET=([\d.]+),PRECISE=YES\n/.exec(playlistFrom(PLAYLIST, AT + ms))?.[1]);

describe('the start position of a playlist', () => {
  it('is the requested time, at any segment boundaries', () => {
    expect([300, 1500.5, 4000, 9999, 72_000, 76_500].map(offsetAt)).toEqual([0.3, 1.5005, 4, 9.999, 12, 16.5]);
  });

  it('is the next media after a gap, and the last picture after the end', () => {
    expect([-5000, 30_000, 900_000].map(offsetAt)).toEqual([0.25, 10.25, 19.95]);
  });

  it('is not the very start of a discontinuity, where audio and video belong to both sides', () => {
    expect([0, 69_999, 70_000, 70_150, 70_300].map(offsetAt)).toEqual([0.25, 10.25, 10.25, 10.25, 10.3]);
  });

  it('is never outside the playlist, which is otherwise unchanged', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000, max: 200_000 }), (ms) => {
        const offset = offsetAt(ms);
        expect(offset).toBeGreaterThanOrEqual(0);
        expect(offset).toBeLessThanOrEqual(20);
        expect(playlistFrom(PLAYLIST, AT + ms).replace(/^#EXT-X-START.*\n/m, '')).toBe(PLAYLIST);
      }),
    );
  });

  it('is absent in a playlist without times', () => {
    for (const text of ['', '#EXTM3U\n#EXTINF:4,\na.m4s\n']) expect(playlistFrom(text, AT)).toBe(text);
  });
});
