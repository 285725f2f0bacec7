import { describe, expect, it } from 'vitest';
import { audioOnlyStream, ordinaryStream } from '../../../tests/helpers/golden-streams.ts';
import { madeAudio, madeVideo } from '../../../tests/helpers/made-input.ts';
import { ListWindow, type ListedTrack } from '../../../tests/helpers/list-window.ts';
import type { AudioTrack, Track } from '../../media/track.ts';
import type { SegmentWindow, TrackRate, WindowSegment } from '../../segment/segment-window.ts';
import { measuredRate } from '../../segment/track-facts.ts';
import { StreamRun } from '../../../tests/helpers/stream-run.ts';
import { renderMultivariant } from './multivariant-playlist.ts';

/**
 * A track with segments of the given sizes in bytes. Each is two seconds long, except the last, which is open and half
 * a second long.
 */
function trackOf(track: Track, bytes: readonly number[]): ListedTrack {
  const segments = bytes.map((sizeBytes, index): WindowSegment => {
    const isComplete = index < bytes.length - 1;
    const durationTicks = track.timescale * (isComplete ? 2 : 0.5);
    const startTicks = index * 2 * track.timescale;
    const pieces = [{ bytes: new Uint8Array(sizeBytes) }];
    const part = { index: 0, startTicks, durationTicks, isIndependent: true, sizeBytes, pieces, arrivedMs: 0 };
    const startMs = index * 2000;
    const parts = [part];
    return {
      segment: {
        trackId: track.id,
        startTicks,
        durationTicks,
        startMs,
        parts,
        sizeBytes,
        isComplete,
        isGap: false,
        initId: 1,
      },
      msn: index,
      startMs,
      isDiscontinuity: false,
      discontinuitySequence: 0,
      address: String(startMs),
    };
  });
  return { track, segments };
}

function windowOf(...tracks: ListedTrack[]): SegmentWindow {
  return new ListWindow({ mutability: 'live', epochMs: 0, partMs: 500, tracks });
}

describe('renderMultivariant', () => {
  it('matches the snapshot', async () => {
    await expect(renderMultivariant(ordinaryStream().window, { query: 'token=x' }) ?? '').toMatchFileSnapshot(
      '../../../tests/golden/hls/ordinary-multivariant.m3u8',
    );
    await expect(renderMultivariant(audioOnlyStream().window) ?? '').toMatchFileSnapshot(
      '../../../tests/golden/hls/sound-alone-multivariant.m3u8',
    );
  });

  it.each([
    { change: 'square pixels', display: {}, size: '320x180' },
    { change: 'wide pixels', display: { sarWidth: 16, sarHeight: 11 }, size: '465x180' },
    {
      change: 'a quarter turn',
      display: { displayMatrix: [0, 0x1_0000, 0, 0xffff_0000, 0, 0, 180 * 0x1_0000, 0, 0x4000_0000] },
      size: '180x320',
    },
    {
      change: 'a turn of wide pixels',
      display: { sarWidth: 2, sarHeight: 1, displayMatrix: [0, 0xffff_0000, 0, 0x1_0000, 0, 0, 0, 0, 0x4000_0000] },
      size: '180x640',
    },
    { change: 'a scale of 0', display: { displayMatrix: [0, 0, 0, 0, 0, 0, 0, 0, 0x4000_0000] }, size: '320x180' },
  ])('writes the display size as RESOLUTION for $change', ({ display, size }) => {
    const window = windowOf(trackOf({ ...madeVideo(), width: 320, height: 180, ...display }, [5000, 5000]));
    expect(renderMultivariant(window)).toContain(`,RESOLUTION=${size},`);
  });

  it('is undefined until every track has a part, except for a track that stays silent', () => {
    const stream = new StreamRun();
    const seen: (string | undefined)[] = [];
    stream.onBatch = () => seen.push(renderMultivariant(stream.window));
    stream.play({
      video: { fps: 25, gopFrames: 50, bFrames: 0 },
      audio: { sampleRate: 48_000, lateMs: 0 },
      seconds: 5,
      silences: [{ track: 'a1', fromMs: 0, toMs: 9000 }],
    });
    const texts = seen.filter((text) => text !== undefined);
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.some((text) => text.includes('a1/'))).toBe(false);
    expect(renderMultivariant(windowOf())).toBeUndefined();
  });

  it('writes BANDWIDTH at the first part, and AVERAGE-BANDWIDTH only after a complete segment was measured', () => {
    const stream = new StreamRun();
    const play = stream.playing({
      video: { fps: 25, gopFrames: 50, bFrames: 2 },
      audio: { sampleRate: 48_000, lateMs: 0 },
      seconds: 5,
    });
    const variant = (): string => /STREAM-INF:(.*)/.exec(renderMultivariant(stream.window) ?? '')?.[1] ?? '';
    const bandwidth = (): number => Number(/BANDWIDTH=(\d+)/.exec(variant())?.[1]);
    play(700);
    const first = variant();
    const guessed = bandwidth();
    expect(first).toMatch(/^BANDWIDTH=\d+,CODECS="avc1\.[0-9a-f]{6},mp4a\.40\.2",RESOLUTION=\d+x\d+/);
    play(4500);
    expect(variant()).toContain('AVERAGE-BANDWIDTH=');
    expect(guessed / bandwidth()).toBeGreaterThan(0.5);
    const without = (text: string): string => text.replaceAll(/(AVERAGE-)?BANDWIDTH=\d+,/g, '');
    expect(without(first)).toBe(without(variant()));
  });

  it('gives each rendition of a group a different name', () => {
    const sound = (id: string, language?: string): AudioTrack => ({
      ...madeAudio(id),
      ...(language === undefined ? {} : { language }),
    });
    const text = renderMultivariant(
      windowOf(
        trackOf(madeVideo(), [1000, 1000]),
        trackOf(sound('a1', 'eng'), [100, 100]),
        trackOf(sound('a2', 'eng'), [100, 100]),
        trackOf(sound('a3', 'fra'), [100, 100]),
        trackOf(sound('a4'), [100, 100]),
      ),
    );
    const names = [...(text ?? '').matchAll(/NAME="([^"]*)"/g)].map(([, name]) => name);
    expect(names).toHaveLength(4);
    expect(new Set(names).size).toBe(4);
  });
});

describe('measuredRate', () => {
  it('measures complete segments only, because a key frame alone does not show a bit rate', () => {
    const rateOf = (...bytes: number[]): TrackRate => measuredRate(madeVideo(), trackOf(madeVideo(), bytes).segments);
    expect(rateOf(250_000, 500_000, 400_000)).toEqual({ peak: 2_000_000, average: 1_500_000 });
    expect(rateOf(125_000)).toEqual({ peak: 2_000_000 });
    expect(rateOf()).toEqual({ peak: 2_000_000 });
  });
});
