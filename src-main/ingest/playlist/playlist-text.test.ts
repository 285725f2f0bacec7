import { describe, expect, it } from 'vitest';
import { nextIndex, parsePlaylist } from './playlist-text.ts';

describe('parsePlaylist of a text playlist', () => {
  it('reads one file per line, and skips comments but keeps durations', () => {
    const text =
      '\uFEFF#EXTM3U\r\n# morning\r\n\r\nnews/first.mp4\r\n#EXTINF:12.5,Second\r\n#EXTVLCOPT:x=1\r\n  second clip.ts  \rfile:///media/third.mkv\n#EXTINF:-1,\nfourth.mp4';
    expect(parsePlaylist(text)).toEqual([
      { path: 'news/first.mp4' },
      { path: 'second clip.ts', durationMs: 12_500 },
      { path: '/media/third.mkv' },
      { path: 'fourth.mp4' },
    ]);
  });

  it('reads at most 10 000 entries', () => {
    expect(parsePlaylist('a.ts\n'.repeat(20_000))).toHaveLength(10_000);
  });
});

describe('the next entry after the list was changed', () => {
  const list = (text: string): { path: string }[] => [...text].map((path) => ({ path }));

  it.each([
    ['the next line', 'abc', 1, 'b', 2],
    ['the end of the list', 'abc', 2, 'c', 3],
    ['the line after it if it moved', 'xabc', 1, 'b', 3],
    ['the nearest of several', 'bxxbxb', 2, 'b', 4],
    ['the line in its place if it was removed', 'acd', 1, 'b', 1],
    ['the end if all lines after it were removed', 'a', 3, 'd', 1],
    ['the start of an empty list', '', 3, 'd', 0],
  ])('is %s', (_name, letters, index, current, next) => {
    expect(nextIndex(list(letters), index, current)).toBe(next);
  });
});
