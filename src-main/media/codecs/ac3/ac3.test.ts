import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BitWriter } from '../nal/bit-writer.ts';
import { readDac3, writeDac3 } from './dac3.ts';
import { channelLocationsOf, channelsAt, readDec3, writeDec3 } from './dec3.ts';
import { Ac3Splitter } from './splitter.ts';
import { readSyncFrame, syncFrameBytes } from './sync-frame.ts';

const bits = (count: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: 2 ** count - 1 });

interface MadeFrame {
  readonly type?: 0 | 1;
  readonly id?: number;
  /** Code 0 to 3 for 1, 2, 3 and 6 blocks. */
  readonly blocksCode?: number;
  readonly acmod?: number;
  readonly hasLfe?: boolean;
  readonly channelMap?: number;
}

/** A sync frame of E-AC-3 with 64 bytes. */
function syncFrame(frame: MadeFrame = {}): Buffer {
  const writer = new BitWriter()
    .bits(16, 0x0b77)
    .bits(2, frame.type ?? 0)
    .bits(3, frame.id ?? 0)
    .bits(11, 31);
  writer
    .bits(2, 0)
    .bits(2, frame.blocksCode ?? 3)
    .bits(3, frame.acmod ?? 7)
    .flag(frame.hasLfe ?? true)
    .bits(5, 16)
    .bits(5, 27)
    .flag(true)
    .bits(8, 0);
  if (frame.type === 1) writer.flag(true).bits(16, frame.channelMap ?? 0);
  return Buffer.concat([writer.finish(), Buffer.alloc(64, 0x11)]).subarray(0, 64);
}

function splitAll(pieces: readonly Uint8Array[]): { lengths: number[]; fresh: boolean[]; splitter: Ac3Splitter } {
  const splitter = new Ac3Splitter({ trackId: 'a1', problem: () => undefined });
  const lengths: number[] = [];
  const fresh: boolean[] = [];
  for (const piece of pieces) {
    splitter.split(piece, (data, starts) => {
      lengths.push(data.length);
      fresh.push(starts);
    });
  }
  return { lengths, fresh, splitter };
}

describe('AC-3 and E-AC-3 decoder configurations', () => {
  it('are parsed as written', () => {
    const sub = { fscod: bits(2), bsid: bits(5), bsmod: bits(3), acmod: bits(3), hasLfe: fc.boolean() };
    const plain = fc.record({ ...sub, dependents: fc.constant(0), channelLocations: fc.constant(0) });
    const extended = fc.record({ ...sub, dependents: fc.integer({ min: 1, max: 15 }), channelLocations: bits(9) });
    fc.assert(
      fc.property(fc.record({ ...sub, bitRateCode: bits(5) }), (value) => {
        expect(readDac3(writeDac3(value))).toEqual(value);
      }),
    );
    fc.assert(
      fc.property(
        fc.record({
          dataRate: bits(13),
          substreams: fc.array(fc.oneof(plain, extended), { minLength: 1, maxLength: 8 }),
        }),
        (value) => {
          expect(readDec3(writeDec3(value))).toEqual(value);
        },
      ),
    );
    expect(readDac3(new Uint8Array(2))).toBeUndefined();
    expect(readDec3(new Uint8Array(4))).toBeUndefined();
  });

  it('locate the channels of dependent substreams', () => {
    // Left and right rear surround, and the second low frequency channel.
    expect(channelLocationsOf(0b0000_0010_0000_0010)).toBe(0b1_0000_0010);
    expect(channelsAt(0b1_0000_0010)).toBe(3);
    expect(channelLocationsOf(0b1111_1000_0000_0001)).toBe(0);
    expect(channelsAt(0b1_1111_1111)).toBe(14);
  });
});

describe('AC-3 sync frames', () => {
  it('have a length within the limit, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 6, maxLength: 20 }), (bytes) => {
        const frame = readSyncFrame(Uint8Array.of(0x0b, 0x77, ...bytes));
        if (!frame) return;
        expect(frame.frameBytes).toBeGreaterThan(8);
        expect(frame.frameBytes).toBeLessThanOrEqual(4096);
        expect(frame.sampleRate).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it('have the sizes of the table of ETSI TS 102 366', () => {
    const bytesOf = (fscod: number, code: number): number =>
      syncFrameBytes(Uint8Array.of(0x0b, 0x77, 0, 0, (fscod << 6) | code, 8 << 3, 0, 0), 0);
    expect([bytesOf(0, 0), bytesOf(1, 0), bytesOf(1, 1), bytesOf(2, 0)]).toEqual([128, 138, 140, 192]);
    expect([bytesOf(0, 37), bytesOf(1, 36), bytesOf(1, 37), bytesOf(2, 37)]).toEqual([2560, 2786, 2788, 3840]);
    expect([bytesOf(3, 0), bytesOf(0, 38)]).toEqual([0, 0]);
  });
});

describe('Ac3Splitter with E-AC-3', () => {
  it('collects six blocks, and emits a unit at the end of the call if it is as long as the previous unit', () => {
    const third = syncFrame({ blocksCode: 1 });
    const unit = Buffer.concat([third, third, third]);
    const { lengths, fresh, splitter } = splitAll([unit, unit, unit]);
    // The first unit is emitted when the second one starts, because only then no dependent frame can follow.
    expect(lengths).toEqual([192, 192, 192]);
    expect(fresh).toEqual([false, true, true]);
    expect(splitter.track).toMatchObject({ codec: 'eac3', sampleRate: 48000, channels: 6, samplesPerFrame: 1536 });
  });

  it('keeps dependent substreams with their independent substream', () => {
    const unit = Buffer.concat([syncFrame(), syncFrame({ type: 1, acmod: 2, hasLfe: false, channelMap: 0x0200 })]);
    const { lengths, splitter } = splitAll([unit, unit, unit.subarray(0, 64), unit.subarray(64)]);
    expect(lengths).toEqual([128, 128, 128]);
    expect(splitter.track?.channels).toBe(8);
    expect(readDec3(splitter.track?.decoderConfig ?? new Uint8Array(0))?.substreams).toMatchObject([
      { dependents: 1, channelLocations: 2, acmod: 7 },
    ]);
  });

  it('drops frames before the first independent frame, and partial units on reset', () => {
    const { lengths, splitter } = splitAll([syncFrame({ type: 1 }), syncFrame(), syncFrame()]);
    expect(lengths).toEqual([64, 64]);
    splitter.split(syncFrame({ blocksCode: 0 }), () => expect.fail('one block is no unit'));
    splitter.reset();
    let emittedBytes = 0;
    splitter.split(syncFrame(), (data) => (emittedBytes += data.length));
    expect(emittedBytes).toBe(64);
  });

  it('accepts frames in any order', () => {
    const frame = fc
      .record({
        type: fc.constantFrom(0 as const, 1 as const),
        id: bits(3),
        blocksCode: bits(2),
        acmod: bits(3),
        channelMap: bits(16),
      })
      .map(syncFrame);
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 80 }), (frames) => {
        const { lengths } = splitAll(frames);
        expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(frames.length * 64);
      }),
    );
  });
});
