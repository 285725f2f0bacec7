import { expect, it } from 'vitest';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import { renderMpd } from './dash/mpd.ts';
import { renderMultivariant } from './hls/multivariant-playlist.ts';

// Players switch and start at segments marked as independent (RFC 8216bis 4.4.2.1; ISO/IEC 23009-1 5.3.7.2).

const SETS = [
  { gopFrames: 50, fromMs: 0, toMs: 0, name: 'key frames in time', isIndependent: true },
  { gopFrames: 1000, fromMs: 0, toMs: 0, name: 'key frames too far apart', isIndependent: false },
  { gopFrames: 50, fromMs: 7000, toMs: 8900, name: 'a pause of the picture over a key frame', isIndependent: false },
];

it.each(SETS)(
  'segments are marked as independent only if each starts with a key frame: $name',
  ({ gopFrames, fromMs, toMs, isIndependent }) => {
    const run = new StreamRun({ segmentMs: 2000, segmentCount: 20, maxSegmentMs: 8000 });
    const silences = [{ track: 'v1' as const, fromMs, toMs }];
    run.play({
      video: { fps: 25, gopFrames, bFrames: 0 },
      audio: { sampleRate: 48_000, lateMs: 0 },
      seconds: 19,
      silences,
    });
    const mpd = renderMpd(run.window, { nowMs: run.clock.now() }) ?? '';
    expect(/contentType="video"[^>]*startWithSAP="1"/.test(mpd)).toBe(isIndependent);
    expect(/contentType="audio"[^>]*startWithSAP="1"/.test(mpd)).toBe(true);
    expect(renderMultivariant(run.window)?.includes('#EXT-X-INDEPENDENT-SEGMENTS')).toBe(isIndependent);
  },
);
