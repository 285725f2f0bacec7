import { describe, expect, it } from 'vitest';
import type { MadeInput } from '../../tests/helpers/made-input.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import { renderMediaPlaylist } from '../packaging/hls/media-playlist.ts';

// No segment rounds to more than the target duration, which never changes (RFC 8216, 4.3.3.1 and 6.2.1), also where frames are missing
// over the end of a segment.

const SILENCES = (['a1', 'all'] as const).flatMap((track) =>
  [6100, 7300, 7600, 7900, 7990].flatMap((fromMs) =>
    [300, 560, 900, 1500, 2600].map((lengthMs) => ({ track, fromMs, toMs: fromMs + lengthMs })),
  ),
);

describe.each(SILENCES)('a stream whose $track is silent from $fromMs to $toMs ms', (silence) => {
  it.each([25, 50])('keeps to its target duration with GOPs of %i pictures', (gopFrames) => {
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
