import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FormatProblem } from '../../access-unit.ts';
import type { AudioTrack } from '../../track.ts';
import { BitWriter } from '../nal/bit-writer.ts';
import { readAdtsHeader, writeAdtsHeader } from './adts.ts';
import { AdtsSplitter } from './splitter.ts';
import { trackFromAudioSpecificConfig } from './track.ts';

function trackOf(config: string): AudioTrack {
  return trackFromAudioSpecificConfig(Buffer.from(config, 'hex'), { trackId: 'a1' }) ?? expect.fail('bad config');
}

function adts(raw: Uint8Array, track = trackOf('1190')): Buffer {
  const out = Buffer.alloc(7 + raw.length);
  out.set(raw, writeAdtsHeader(out, 0, track, raw.length));
  return out;
}

/**
 * Output of a splitter for pieces: frames in hexadecimal, with an asterisk if they started in the last call, and
 * problem codes.
 */
function splitAll(pieces: readonly Uint8Array[]): {
  frames: string[];
  problems: string[];
  track: AudioTrack | undefined;
} {
  const problems: FormatProblem[] = [];
  const frames: string[] = [];
  const splitter = new AdtsSplitter({ trackId: 'a1', problem: (problem) => problems.push(problem) });
  for (const piece of pieces)
    splitter.split(piece, (data, starts) => frames.push(Buffer.from(data).toString('hex') + (starts ? '*' : '')));
  return { frames, problems: problems.map((problem) => problem.code), track: splitter.track };
}

/** Raw frames that cannot be mistaken for headers. */
const raw = fc.uint8Array({ minLength: 1, maxLength: 60, max: 0xfe });

describe('ADTS headers', () => {
  it('are parsed as written', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('1190', '1208', '1230', '0b88'),
        fc.integer({ min: 1, max: 8184 }),
        (config, length) => {
          const track = trackOf(config);
          const bytes = Buffer.alloc(9);
          expect(writeAdtsHeader(bytes, 2, track, length)).toBe(9);
          const header = readAdtsHeader(bytes, 2);
          expect(header).toMatchObject({
            sampleRate: track.sampleRate,
            channelConfiguration: track.channels,
            frameBytes: length + 7,
            headerBytes: 7,
            blocks: 1,
          });
          expect(`mp4a.40.${header?.objectType}`).toBe(track.codecString);
        },
      ),
    );
  });

  it('of HE-AAC carry the core rate', () => {
    const bytes = Buffer.alloc(7);
    writeAdtsHeader(bytes, 0, trackOf('eb098800'), 100);
    expect(readAdtsHeader(bytes)).toMatchObject({ sampleRate: 24000, channelConfiguration: 1, objectType: 2 });
  });
});

describe('AdtsSplitter', () => {
  it('returns the same frames however the bytes are split', () => {
    fc.assert(
      fc.property(fc.array(raw, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 90 }), (frames, size) => {
        const stream = Buffer.concat(frames.map((frame) => adts(frame)));
        const pieces = Array.from({ length: Math.ceil(stream.length / size) }, (_, index) =>
          stream.subarray(index * size, (index + 1) * size),
        );
        const result = splitAll(pieces);
        expect(result.frames.map((frame) => frame.replace('*', ''))).toEqual(
          frames.map((frame) => Buffer.from(frame).toString('hex')),
        );
        expect(result.problems).toEqual([]);
        expect(result.track).toMatchObject({
          codecString: 'mp4a.40.2',
          sampleRate: 48000,
          channels: 2,
          samplesPerFrame: 1024,
        });
      }),
    );
  });

  it('reports which frames start in the current call', () => {
    const [one, two] = [adts(Uint8Array.of(1, 2)), adts(Uint8Array.of(3, 4))];
    const result = splitAll([Buffer.concat([one, two.subarray(0, 3)]), Buffer.concat([two.subarray(3), one])]);
    expect(result.frames).toEqual(['0102*', '0304', '0102*']);
  });

  it('resynchronizes after garbage, and reports it once', () => {
    const frame = adts(Uint8Array.of(1, 2, 3));
    const garbage = Buffer.from('00ff00fff1aabb', 'hex');
    const result = splitAll([Buffer.concat([garbage, frame, frame, garbage, garbage, frame, frame])]);
    expect(result.frames).toHaveLength(4);
    expect(result.problems).toEqual(['codec_bad_frame']);
  });

  it('skips a CRC, and refuses frames with several raw data blocks', () => {
    const frame = adts(Uint8Array.of(0xc0, 0xc1, 1, 2));
    frame[1] = 0xf0;
    expect(splitAll([frame, frame]).frames).toEqual(['0102*', '0102*']);
    const blocks = adts(Uint8Array.of(1, 2));
    blocks[6] = 0xfd;
    expect(splitAll([blocks, blocks])).toMatchObject({ frames: [], problems: ['codec_bad_frame'] });
  });

  it('returns a new track object only if the format changes', () => {
    const splitter = new AdtsSplitter({ trackId: 'a1', problem: () => undefined });
    const tracks = ['1190', '1190', '1208'].map((config) => {
      splitter.split(adts(Uint8Array.of(1), trackOf(config)), () => undefined);
      return splitter.track;
    });
    expect(tracks[1]).toBe(tracks[0]);
    expect(tracks[2]).toMatchObject({ sampleRate: 44100, channels: 1 });
  });

  it('reads the channels of configuration 0 from the program config element', () => {
    const element = new BitWriter()
      .bits(3, 5)
      .bits(4, 0)
      .bits(2, 1)
      .bits(4, 3)
      .bits(4, 2)
      .bits(4, 0)
      .bits(4, 1)
      .bits(2, 1)
      .bits(3, 0)
      .bits(4, 0);
    element
      .bits(3, 0)
      .bits(5, 0b0_0000)
      .bits(5, 0b1_0001)
      .bits(5, 0b1_0010)
      .bits(4, 0)
      .align()
      .bits(8, 0)
      .bits(16, 0x1234);
    const frame = adts(element.finish());
    frame[2] = (frame[2] ?? 0) & 0xfe;
    frame[3] = (frame[3] ?? 0) & 0x3f;
    const without = adts(Uint8Array.of(0x20, 1, 2));
    without[3] = (without[3] ?? 0) & 0x3f;
    const result = splitAll([without, frame, without]);
    expect(result.frames).toHaveLength(2);
    expect(result.track?.channels).toBe(6);
    expect(trackFromAudioSpecificConfig(result.track?.decoderConfig ?? new Uint8Array(0), { trackId: 'a1' })).toEqual(
      result.track,
    );
  });

  it('accepts any bytes, and drops partial data on reset', () => {
    const splitter = new AdtsSplitter({ trackId: 'a1', problem: () => undefined });
    const bytes = fc.array(
      fc
        .uint8Array({ maxLength: 100 })
        .map((piece) => piece.map((value) => (value % 3 === 0 ? 0xff : value % 3 === 1 ? 0xf1 : value))),
    );
    fc.assert(
      fc.property(bytes, (pieces) => {
        splitter.reset();
        let emittedBytes = 0;
        for (const piece of pieces) splitter.split(piece, (data) => (emittedBytes += data.length));
        expect(emittedBytes).toBeLessThanOrEqual(pieces.reduce((sum, piece) => sum + piece.length, 0));
      }),
    );
    splitter.reset();
    let frames = 0;
    splitter.split(adts(Uint8Array.of(1)).subarray(0, 5), () => frames++);
    splitter.reset();
    splitter.split(adts(Uint8Array.of(2)), () => frames++);
    expect(frames).toBe(1);
  });
});
