import { describe, expect, it } from 'vitest';
import { hasReached, playlistProgress } from './playlist-progress.ts';

const playlist = `#EXTM3U
#EXT-X-VERSION:9
#EXT-X-TARGETDURATION:2
#EXT-X-PART-INF:PART-TARGET=0.5
#EXT-X-MEDIA-SEQUENCE:100
#EXTINF:2.000,
a.m4s
#EXT-X-PART:DURATION=0.5,URI="b0.m4s",INDEPENDENT=YES
#EXT-X-PART:DURATION=0.5,URI="b1.m4s"
#EXTINF:2.000,
b.m4s
#EXT-X-PART:DURATION=0.5,URI="c0.m4s",INDEPENDENT=YES
#EXT-X-PRELOAD-HINT:TYPE=PART,URI="c1.m4s"
`;

describe('the progress of a media playlist', () => {
  it('counts segments and the parts of the open one', () => {
    expect(playlistProgress(playlist)).toEqual({ lastMsn: 101, openParts: 1, partTargetMs: 500, hasEnded: false });
  });

  it('counts skipped segments of a delta update', () => {
    const delta = playlist.replace('#EXTINF:2.000,\na.m4s', '#EXT-X-SKIP:SKIPPED-SEGMENTS=7');
    expect(playlistProgress(delta).lastMsn).toBe(107);
  });

  it.each([
    [101, undefined, true],
    [102, undefined, false],
    [102, 0, true],
    [102, 1, false],
    [103, 0, false],
  ])('has reached segment %i part %s: %s', (msn, part, expected) => {
    expect(hasReached(playlistProgress(playlist), msn, part)).toBe(expected);
  });

  it('is complete after the end', () => {
    expect(hasReached(playlistProgress(`${playlist}#EXT-X-ENDLIST\n`), 999, 0)).toBe(true);
  });
});
