import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mpegAudioFrameBytes, readMpegAudioHeader } from './header.ts';
import { MpegAudioSplitter } from './splitter.ts';
import { trackFromMpegAudioFrame } from './track.ts';

describe('MPEG audio headers', () => {
  it.each([
    [
      'fffb9064',
      {
        version: '1',
        layer: 3,
        bitrate: 128_000,
        sampleRate: 44100,
        channels: 2,
        frameBytes: 417,
        samplesPerFrame: 1152,
      },
    ],
    ['fffb92c4', { version: '1', layer: 3, frameBytes: 418, channels: 1 }],
    [
      'fffda404',
      { version: '1', layer: 2, bitrate: 192_000, sampleRate: 48000, frameBytes: 576, samplesPerFrame: 1152 },
    ],
    ['fff35064', { version: '2', layer: 3, bitrate: 40_000, sampleRate: 22050, frameBytes: 130, samplesPerFrame: 576 }],
    [
      'fff58464',
      { version: '2', layer: 2, bitrate: 64_000, sampleRate: 24000, frameBytes: 384, samplesPerFrame: 1152 },
    ],
    [
      'ffe340c4',
      {
        version: '2.5',
        layer: 3,
        bitrate: 32_000,
        sampleRate: 11025,
        frameBytes: 208,
        channels: 1,
        samplesPerFrame: 576,
      },
    ],
  ])('are parsed: %s', (hex, expected) => {
    expect(readMpegAudioHeader(Buffer.from(hex, 'hex'))).toMatchObject(expected);
  });

  it.each(['fffb0064', 'fffbf064', 'fffb9c64', 'fff99064', 'ffeb9064', 'fefb9064', 'ffff9064', 'fffb90'])(
    'are refused: %s',
    (hex) => {
      expect(readMpegAudioHeader(Buffer.from(hex, 'hex'))).toBeUndefined();
    },
  );

  it('give a frame length within the limit, for any fields', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 2, maxLength: 2 }),
        fc.integer({ min: 0xe0, max: 0xff }),
        ([third = 0, fourth = 0], second) => {
          const length = mpegAudioFrameBytes(Uint8Array.of(0xff, second, third, fourth), 0);
          expect(length === 0 || (length > 4 && length <= 2881)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('MpegAudioSplitter', () => {
  const frame = Buffer.concat([Buffer.from('fffb9064', 'hex'), Buffer.alloc(413, 0x55)]);
  const joint = Buffer.concat([Buffer.from('fffb9024', 'hex'), Buffer.alloc(413, 0x55)]);

  it('keeps the track while only the stereo mode changes', () => {
    const problems: string[] = [];
    const splitter = new MpegAudioSplitter({ trackId: 'a1', problem: (problem) => problems.push(problem.code) });
    splitter.split(frame, () => undefined);
    const track = splitter.track;
    let frames = 0;
    splitter.split(
      Buffer.concat([joint, Buffer.from('001122', 'hex'), frame, joint]),
      (data) => (frames += data.length === 417 ? 1 : 0),
    );
    expect(splitter.track).toBe(track);
    expect(frames).toBe(3);
    expect(problems).toEqual(['codec_bad_frame']);
    expect(track).toMatchObject({
      codecString: 'mp4a.40.34',
      samplesPerFrame: 1152,
      profile: 'MPEG-1 Layer III',
      timescale: 44100,
    });
    expect(track?.decoderConfig).toHaveLength(0);
    expect(trackFromMpegAudioFrame(frame, { trackId: 'a1' })).toEqual(track);
  });
});
