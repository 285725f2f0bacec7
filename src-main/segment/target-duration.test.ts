import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MadeInput } from '../../tests/helpers/made-input.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import { renderMediaPlaylist } from '../packaging/hls/media-playlist.ts';

// No segment rounds to more than the target duration, which never changes (RFC 8216, 4.3.3.1 and 6.2.1), also if frames
// are missing at the end of a segment.

const RUNS = Number(process.env['AIRDESK_RUNS'] ?? 100);

const SILENCES = (['a1', 'all'] as const).flatMap((track) =>
  [6100, 7300, 7600, 7900, 7990].flatMap((fromMs) =>
    [300, 560, 900, 1500, 2600].map((lengthMs) => ({ track, fromMs, toMs: fromMs + lengthMs })),
  ),
);

describe.each(SILENCES)('a stream whose $track is silent from $fromMs to $toMs ms', (silence) => {
  it.each([25, 50])('keeps its target duration with GOPs of %i pictures', (gopFrames) => {
    const input: MadeInput = {
      video: { fps: 25, gopFrames, bFrames: 0 },
      audio: { sampleRate: 48_000, lateMs: 0 },
      seconds: 20,
      silences: [silence],
    };
    const run = new StreamRun({ segmentMs: 2000, segmentCount: 20 });
    const targets = new Set<number>();
    let longest = 0;
    run.onBatch = () => {
      for (const { track } of run.window.tracks) {
        const playlist = renderMediaPlaylist(run.window, { trackId: track.id }) ?? '';
        for (const [, target] of playlist.matchAll(/#EXT-X-TARGETDURATION:(\d+)/g)) targets.add(Number(target));
        for (const [, seconds] of playlist.matchAll(/#EXTINF:([\d.]+)/g))
          longest = Math.max(longest, Math.round(Number(seconds)));
      }
    };
    run.play(input);
    run.close();
    expect([...targets]).toEqual([2]);
    expect(longest).toBe(2);
  });
});

describe('a stream with random pauses in any of its tracks', () => {
  it('keeps its target duration, its segment numbers, and the same segments in all tracks', () => {
    const pause = fc.record({
      track: fc.constantFrom('v1' as const, 'a1' as const, 'all' as const),
      fromMs: fc.integer({ min: 0, max: 35_000 }),
      lengthMs: fc.oneof(fc.integer({ min: 40, max: 3500 }), fc.integer({ min: 3500, max: 15_000 })),
    });
    const given = fc.record({
      pauses: fc.array(pause, { minLength: 1, maxLength: 4 }),
      gopFrames: fc.constantFrom(25, 50, 40, 100),
      lateMs: fc.constantFrom(0, -400, 300),
      bFrames: fc.constantFrom(0, 2),
    });
    fc.assert(
      fc.property(given, ({ pauses, gopFrames, bFrames, lateMs }) => {
        const { targets, faults } = playlistsOf({
          video: { fps: 25, gopFrames, bFrames },
          audio: { sampleRate: 48_000, lateMs },
          seconds: 40,
          silences: pauses.map(({ track, fromMs, lengthMs }) => ({ track, fromMs, toMs: fromMs + lengthMs })),
        });
        expect(faults.slice(0, 5)).toEqual([]);
        expect([...targets]).toHaveLength(1);
      }),
      {
        numRuns: RUNS,
        examples: [
          // Another pause before the video has its next key frame, and a pause of both tracks.
          [{ pauses: pausesOf(['v1', 8954, 3087], ['v1', 12_472, 1529]), gopFrames: 25, lateMs: 0, bFrames: 0 }],
          [{ pauses: pausesOf(['v1', 27_529, 2552], ['a1', 29_099, 982]), gopFrames: 40, lateMs: 0, bFrames: 0 }],
        ],
      },
    );
  });
});

function pausesOf(...pauses: readonly ['v1' | 'a1' | 'all', number, number][]) {
  return pauses.map(([track, fromMs, lengthMs]) => ({ track, fromMs, lengthMs }));
}

/** Target durations of all playlists of a stream, and violations of the rules for playlists. */
function playlistsOf(input: MadeInput) {
  const run = new StreamRun({ segmentMs: 2000, segmentCount: 20 });
  const targets = new Set<number>();
  const faults: string[] = [];
  const sequence = new Map<string, number>();
  run.onBatch = () => {
    for (const { track } of run.window.tracks) {
      const playlist = renderMediaPlaylist(run.window, { trackId: track.id });
      if (playlist === undefined) continue;
      const target = Number(/#EXT-X-TARGETDURATION:(\d+)/.exec(playlist)?.[1]);
      const first = Number(/#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(playlist)?.[1]);
      // The first complete segment fixes the target duration.
      if (run.window.longestSegmentMs > 0) targets.add(target);
      if (first < (sequence.get(track.id) ?? 0)) faults.push(`${track.id}: sequence back to ${first}`);
      sequence.set(track.id, first);
      for (const [, seconds] of playlist.matchAll(/#EXTINF:([\d.]+)/g))
        if (Math.round(Number(seconds)) > target) faults.push(`${track.id}: ${seconds} s with target ${target}`);
    }
  };
  run.play(input);
  run.close();
  const all = { fromMs: -Infinity, toMs: Infinity };
  const lengths = run.window.tracks.map(({ track }) => run.window.segments(track.id, all).length);
  if (new Set(lengths).size > 1) faults.push(`segments: ${lengths.join(', ')}`);
  return { targets, faults };
}
