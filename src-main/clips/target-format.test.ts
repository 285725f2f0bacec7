import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TrackInfo } from '../../src-preload/contract/api/media-info.ts';
import { differences } from '../ads/clips/clip-fit.ts';
import { fraction, targetFormat } from './target-format.ts';

const VIDEO: TrackInfo = {
  content: 'video',
  codec: 'h264',
  track_id: 'v1',
  bitrate: 2500,
  width: 1280,
  height: 720,
  fps: 29.97,
  sar_width: 1,
  sar_height: 1,
  profile: 'High',
  level: '3.1',
};
const AUDIO: TrackInfo = {
  content: 'audio',
  codec: 'aac',
  track_id: 'a1',
  bitrate: 2,
  channels: 2,
  sample_rate: 48_000,
};

describe('the target format of a clip', () => {
  it('comes from the media info of a stream, in both of its forms', () => {
    const format = {
      picture: {
        width: 1280,
        height: 720,
        sarWidth: 1,
        sarHeight: 1,
        fpsNum: 30_000,
        fpsDen: 1001,
        profile: 'high',
        level: '3.1',
        bitrateKbps: 2500,
      },
      // The measured level is lower than that of any audible sound.
      sound: { sampleRate: 48_000, channels: 2, bitrateKbps: undefined },
    };
    expect(targetFormat({ tracks: [VIDEO, AUDIO] }, '')).toMatchObject(format);
    expect(targetFormat({ streams: [VIDEO, AUDIO] }, '')).toMatchObject(format);
    expect(targetFormat({ tracks: [VIDEO] }, '').sound).toBeNull();
    // One sound track stands for all audio tracks of a stream.
    expect(targetFormat({ tracks: [VIDEO, AUDIO, { ...AUDIO, track_id: 'a2' }] }, '')).toMatchObject(format);
  });

  it.each([
    [[]],
    [[AUDIO]],
    [[VIDEO, { ...VIDEO, track_id: 'v2' }]],
    [[VIDEO, AUDIO, { ...AUDIO, track_id: 'a2', channels: 1 }]],
    [[{ ...VIDEO, codec: 'h265' }]],
    [[{ ...VIDEO, codec: 'h265', profile: 'Main', scan: 'interlaced' as const }]],
    [[{ ...VIDEO, height: 722, scan: 'interlaced' as const }]],
    [[{ ...VIDEO, profile: 'Baseline', scan: 'interlaced' as const }]],
    [[{ ...VIDEO, codec: 'vp9' }]],
    [[{ ...VIDEO, profile: 'High 10' }]],
    [[{ ...VIDEO, level: '9' }]],
    [[{ ...VIDEO, width: 1279 }]],
    [[{ ...VIDEO, width: 100_000 }]],
    [[{ ...VIDEO, fps: 0.5 }]],
    [[{ ...VIDEO, sar_height: 0 }]],
    [[VIDEO, { ...AUDIO, codec: 'ac3' }]],
    [[VIDEO, { ...AUDIO, profile: 'HE-AAC' }]],
    [[VIDEO, { ...AUDIO, sample_rate: 47_999 }]],
    [[VIDEO, { ...AUDIO, channels: 3 }]],
  ])('is refused for the unsupported tracks %j', (tracks) => {
    expect(() => targetFormat({ tracks }, '/filters/0')).toThrow(
      expect.objectContaining({ code: 'clip_target_not_supported', details: { pointer: '/filters/0' } }),
    );
  });

  it('can be H.265, also with 10 bits, and interlaced H.264', () => {
    const pictureOf = (change: Partial<TrackInfo>): object =>
      targetFormat({ tracks: [{ ...VIDEO, ...change }] }, '').picture;
    expect([
      pictureOf({ codec: 'h265', profile: 'Main' }),
      pictureOf({ codec: 'h265', profile: 'Main 10' }),
      pictureOf({ scan: 'interlaced' }),
    ]).toMatchObject([
      { codec: 'h265', profile: 'main', isInterlaced: false },
      { codec: 'h265', profile: 'main10' },
      { codec: 'h264', profile: 'high', isInterlaced: true },
    ]);
    const { stream } = targetFormat({ tracks: [{ ...VIDEO, scan: 'interlaced' }] }, '');
    const plain = targetFormat({ tracks: [VIDEO] }, '').stream;
    expect(differences({ ...plain, longestSegmentMs: 1000, segments: () => [] }, stream)).toEqual([
      { field: 'v1.scan', clip: 'progressive', stream: 'interlaced' },
    ]);
  });

  it('is compared with the stream that it comes from', () => {
    const { stream } = targetFormat({ tracks: [VIDEO, AUDIO] }, '');
    expect(differences({ ...stream, longestSegmentMs: 1001, segments: () => [] }, stream)).toEqual([]);
    const other = targetFormat(
      {
        tracks: [
          { ...VIDEO, height: 480 },
          { ...AUDIO, channels: 1 },
        ],
      },
      '',
    ).stream;
    expect(
      differences({ ...other, longestSegmentMs: 2000, segments: () => [] }, stream).map(({ field }) => field),
    ).toEqual(['v1.height', 'a1.channels', 'gop_ms']);
  });

  it('has the frame rate of the stream as a fraction', () => {
    expect([23.976, 25, 29.97, 59.94, 12.5].map(fraction)).toEqual([
      { fpsNum: 24_000, fpsDen: 1001 },
      { fpsNum: 25, fpsDen: 1 },
      { fpsNum: 30_000, fpsDen: 1001 },
      { fpsNum: 60_000, fpsDen: 1001 },
      { fpsNum: 12_500, fpsDen: 1000 },
    ]);
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 120_000 }), (thousandths) => {
        const { fpsNum, fpsDen } = fraction(thousandths / 1000);
        expect(Math.abs(fpsNum / fpsDen - thousandths / 1000)).toBeLessThan(0.01);
      }),
    );
  });
});
