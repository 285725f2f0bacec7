import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { MediaPlaylist } from '../../media/manifests/hls/media-playlist.ts';
import { parsePlaylist } from '../../media/manifests/hls/parse-playlist.ts';
import { HlsPlaylist, MAX_SEGMENT_MS } from './hls-playlist.ts';

const NOW_MS = 1_800_000_000_000;

function read(text: string): MediaPlaylist {
  const playlist = parsePlaylist(text);
  if (playlist?.kind !== 'media') throw new Error(`no playlist: ${text}`);
  return playlist;
}

it('lists three target durations, and keeps the numbers of its segments', () => {
  const steps = fc.array(
    fc.record({
      durationMs: fc.integer({ min: 1000, max: MAX_SEGMENT_MS }),
      isDiscontinuity: fc.boolean(),
      /** Whether the server is restarted before the segment. */
      restarts: fc.boolean(),
    }),
    { minLength: 1, maxLength: 60 },
  );
  fc.assert(
    fc.property(steps, (segments) => {
      let playlist = new HlsPlaylist('index.m3u8', NOW_MS);
      let before: MediaPlaylist | undefined;
      const numberOf = new Map<string, number>();
      const discontinuityOf = new Map<string, number>();
      const removed = new Set<string>();
      for (const { durationMs, isDiscontinuity, restarts } of segments) {
        if (restarts) {
          const text = playlist.text();
          // The clock of the machine may be wrong after a restart.
          playlist = new HlsPlaylist('index.m3u8', 0);
          playlist.continue(text);
        }
        const name = playlist.takeName();
        playlist.add({ name, durationMs, isDiscontinuity });
        const now = read(playlist.text());
        expect(now.targetMs).toBe(10_000);
        expect(now.mediaSequence).toBeGreaterThanOrEqual(before?.mediaSequence ?? 0);
        expect(now.segments.at(-1)?.uri).toBe(name);
        const total = now.segments.reduce((sum, segment) => sum + segment.durationMs, 0);
        if (before && now.mediaSequence > before.mediaSequence) expect(total).toBeGreaterThanOrEqual(30_000);
        expect(total - (now.segments[0]?.durationMs ?? 0)).toBeLessThan(30_000);
        for (const { msn, uri = '', durationMs: listedMs, discontinuities } of now.segments) {
          expect(removed.has(uri)).toBe(false);
          expect(Math.round(listedMs / 1000)).toBeLessThanOrEqual(10);
          // A segment has the same number in all playlists, and so has its discontinuity.
          expect(numberOf.get(uri) ?? msn).toBe(msn);
          numberOf.set(uri, msn);
          const discontinuity = (now.discontinuitySequence ?? 0) + discontinuities;
          expect(discontinuityOf.get(uri) ?? discontinuity).toBe(discontinuity);
          discontinuityOf.set(uri, discontinuity);
        }
        for (const old of playlist.takeExpired()) removed.add(old);
        expect(read(playlist.text()).segments).toEqual(now.segments);
        before = now;
      }
      expect(new Set(numberOf.values()).size).toBe(segments.length);
    }),
    { numRuns: 40 },
  );
});

it.each([
  '',
  'no playlist',
  '#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:6,\nindex-5.ts\n',
  '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:6,\nother.ts\n',
  '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:6,\n../index-5.ts\n',
  '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nindex-5.ts\n',
])('does not continue %j', (text) => {
  const playlist = new HlsPlaylist('index.m3u8', NOW_MS);
  playlist.continue(text);
  const name = playlist.takeName();
  expect(name).toBe('index-1800000000.ts');
  playlist.add({ name, durationMs: 4000, isDiscontinuity: true });
  expect(playlist.text()).toBe(
    '#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:1800000000\n#EXT-X-DISCONTINUITY-SEQUENCE:0\n#EXT-X-DISCONTINUITY\n#EXTINF:4.000,\nindex-1800000000.ts\n',
  );
});

it('removes the segments that no player needs any more, and no others', () => {
  const playlist = new HlsPlaylist('cam.m3u8', NOW_MS);
  const removed: string[] = [];
  for (let index = 0; index < 100; index++) {
    playlist.add({ name: playlist.takeName(), durationMs: 4000, isDiscontinuity: false });
    removed.push(...playlist.takeExpired());
  }
  // 81 s are kept.
  expect(removed).toEqual(Array.from({ length: 79 }, (_, index) => `cam-${1_800_000_000 + index}.ts`));
});
