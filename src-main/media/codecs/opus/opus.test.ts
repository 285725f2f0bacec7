import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { opusConfigOfCode } from './channel-config.ts';
import { opusControlHeaderSize, readOpusControlHeader, writeOpusControlHeader } from './control-header.ts';
import { readDOps, readOpusHead, writeDOps, writeOpusHead } from './opus-config.ts';
import type { OpusConfig } from './opus-config.ts';
import { OpusSplitter } from './splitter.ts';
import { isOpusStereo, opusSamples } from './toc.ts';
import { trackFromDOps, trackFromOpusHead } from './track.ts';

const bits = (count: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: 2 ** count - 1 });
const base = { preSkip: bits(16), inputSampleRate: bits(32), outputGain: fc.integer({ min: -32768, max: 32767 }) };
const configs: fc.Arbitrary<OpusConfig> = fc.oneof(
  fc.record({ ...base, channels: fc.constantFrom(1, 2), mappingFamily: fc.constant(0) }),
  fc.integer({ min: 1, max: 8 }).chain((channels) =>
    fc.record({
      ...base,
      channels: fc.constant(channels),
      mappingFamily: fc.constantFrom(1, 255),
      mapping: fc.record({
        streams: bits(8),
        coupledStreams: bits(8),
        channels: fc.array(bits(8), { minLength: channels, maxLength: channels }),
      }),
    }),
  ),
);

function withHeader(packet: Uint8Array): Buffer {
  const out = Buffer.alloc(opusControlHeaderSize(packet.length) + packet.length);
  out.set(packet, writeOpusControlHeader(out, 0, packet.length));
  return out;
}

describe('Opus configurations', () => {
  it('are parsed as written, in both forms', () => {
    fc.assert(
      fc.property(configs, (config) => {
        expect(readOpusHead(writeOpusHead(config))).toEqual(config);
        expect(readDOps(writeDOps(config))).toEqual(config);
        expect(trackFromOpusHead(writeOpusHead(config), { trackId: 'a1' })).toEqual(
          trackFromDOps(writeDOps(config), { trackId: 'a1' }),
        );
      }),
    );
  });

  it('terminate on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(readDOps(Uint8Array.of(0, ...bytes))?.channels).not.toBe(0);
        expect(readOpusHead(Buffer.concat([Buffer.from('OpusHead\u0001'), bytes]))?.channels).not.toBe(0);
      }),
    );
    expect(readOpusHead(Buffer.from('OpusTags 1234567890'))).toBeUndefined();
  });

  it('are derived from the channel code in the PMT', () => {
    expect(opusConfigOfCode(2)).toMatchObject({ channels: 2, mappingFamily: 0 });
    expect(opusConfigOfCode(6)).toMatchObject({
      channels: 6,
      mappingFamily: 1,
      mapping: { streams: 4, coupledStreams: 2 },
    });
    expect(opusConfigOfCode(0)).toMatchObject({ channels: 2, mapping: { streams: 2, coupledStreams: 0 } });
    expect(opusConfigOfCode(0x83)).toMatchObject({ channels: 3, mapping: { streams: 3, coupledStreams: 0 } });
    for (const code of [9, 0x80, 0x81, 0x89, 255]) expect(opusConfigOfCode(code)).toBeUndefined();
  });
});

describe('opusSamples', () => {
  it.each([
    [[0x00], 480],
    [[0x1c], 2880],
    [[0x60], 480],
    [[0x78], 960],
    [[0x80], 120],
    [[0xfc], 960],
    [[0xfd], 1920],
    [[0xff, 0x03], 2880],
    [[0x1b, 0x03], 0],
    [[0xff, 0x00], 0],
    [[], 0],
  ])('counts %j as %i samples', (packet, samples) => {
    expect(opusSamples(Uint8Array.from(packet))).toBe(samples);
  });

  it('isOpusStereo reads the stereo flag', () => {
    expect([isOpusStereo(Uint8Array.of(0xfc)), isOpusStereo(Uint8Array.of(0xf8))]).toEqual([true, false]);
  });
});

describe('Opus control headers', () => {
  it('are parsed as written', () => {
    fc.assert(
      fc.property(fc.nat(3000), fc.nat(3), (length, offset) => {
        const bytes = Buffer.alloc(offset + opusControlHeaderSize(length));
        expect(writeOpusControlHeader(bytes, offset, length)).toBe(bytes.length);
        expect(readOpusControlHeader(bytes, offset, bytes.length)).toEqual({
          headerBytes: bytes.length - offset,
          packetBytes: length,
          startTrim: 0,
          endTrim: 0,
        });
        expect(readOpusControlHeader(bytes, offset, bytes.length - 1)).toBe('partial');
      }),
    );
  });

  it('include trims and extensions', () => {
    const bytes = Buffer.from('7ffc0a013800640203041122', 'hex');
    expect(readOpusControlHeader(bytes, 0, bytes.length)).toEqual({
      headerBytes: 10,
      packetBytes: 10,
      startTrim: 312,
      endTrim: 100,
    });
    expect(readOpusControlHeader(Buffer.from('7fc00a', 'hex'), 0, 3)).toBe('none');
    expect(readOpusControlHeader(Buffer.alloc(200, 0xff).fill(0x7f, 0, 1), 0, 200)).toBe('partial');
    expect(readOpusControlHeader(Buffer.alloc(600, 0xff).fill(0x7f, 0, 1), 0, 600)).toBe('none');
  });
});

describe('OpusSplitter', () => {
  const config = opusConfigOfCode(2) ?? expect.fail('no configuration');
  const packet = fc.uint8Array({ minLength: 0, maxLength: 600, max: 0x7e }).map((rest) => Uint8Array.of(0xfc, ...rest));

  it('returns the same packets however the bytes are split', () => {
    fc.assert(
      fc.property(fc.array(packet, { maxLength: 6 }), fc.integer({ min: 1, max: 300 }), (packets, size) => {
        const stream = Buffer.concat(packets.map(withHeader));
        const problems: string[] = [];
        const splitter = new OpusSplitter(config, { trackId: 'a1', problem: (problem) => problems.push(problem.code) });
        const got: number[][] = [];
        for (let at = 0; at < stream.length; at += size)
          splitter.split(stream.subarray(at, at + size), (data) => got.push([...data]));
        expect(got).toEqual(packets.map((bytes) => [...bytes]));
        expect(problems).toEqual([]);
      }),
    );
  });

  it('resynchronizes after garbage, and reports it once', () => {
    const problems: string[] = [];
    const splitter = new OpusSplitter(config, { trackId: 'a1', problem: (problem) => problems.push(problem.code) });
    const one = withHeader(Uint8Array.of(0xfc, 1, 2));
    const fresh: boolean[] = [];
    splitter.split(Buffer.concat([one, Buffer.from('0102037f00', 'hex'), one, one.subarray(0, 2)]), (_data, starts) =>
      fresh.push(starts),
    );
    splitter.split(one.subarray(2), (_data, starts) => fresh.push(starts));
    expect(fresh).toEqual([true, true, false]);
    expect(problems).toEqual(['codec_bad_frame']);
    expect(splitter.track).toMatchObject({ timescale: 48000, samplesPerFrame: 960 });
    splitter.reset();
    splitter.split(withHeader(new Uint8Array(0)), () => expect.fail('an empty packet'));
    expect(problems).toHaveLength(2);
  });
});
