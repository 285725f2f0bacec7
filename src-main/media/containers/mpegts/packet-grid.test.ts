import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PacketGrid } from './packet-grid.ts';

/** Packet whose payload has no sync bytes and contains its number. */
function packet(number: number): Buffer {
  const bytes = Buffer.alloc(188, number % 64);
  bytes[0] = 0x47;
  return bytes;
}

function stream(count: number, stride: number): Buffer {
  const filler = Buffer.alloc(stride - 188, 0xee);
  // M2TS has its timestamp before the packet. Reed-Solomon bytes come after it.
  return Buffer.concat(
    Array.from({ length: count }, (_, n) => (stride === 192 ? [filler, packet(n)] : [packet(n), filler])).flat(),
  );
}

function walk(bytes: Buffer, sizes: readonly number[]): { numbers: number[]; losses: number; grid: PacketGrid } {
  const numbers: number[] = [];
  let losses = 0;
  const grid = new PacketGrid({ packet: (all, at) => numbers.push(all[at + 1] ?? -1), syncLost: () => losses++ });
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = sizes[n % sizes.length] ?? 1;
    grid.push(bytes.subarray(at, at + size));
    at += size;
  }
  return { numbers, losses, grid };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n % 64);

describe('PacketGrid', () => {
  it.each([188, 192, 204])('finds packets at a distance of %i bytes, in chunks of any size', (stride) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 8, max: 60 }),
        fc.array(fc.integer({ min: 1, max: 1500 }), { minLength: 1, maxLength: 5 }),
        (count, sizes) => {
          const { numbers, losses, grid } = walk(stream(count, stride), sizes);
          expect(numbers).toEqual(upTo(count));
          expect(losses).toBe(0);
          expect(grid.strideBytes).toBe(stride);
        },
      ),
    );
  });

  it('finds packets after other bytes', () => {
    const { numbers, grid } = walk(
      Buffer.concat([Buffer.alloc(300, 0x47), Buffer.alloc(3001, 1), stream(20, 188)]),
      [777],
    );
    expect(numbers).toEqual(upTo(20));
    expect(grid.skippedBytes).toBe(3301);
  });

  it('finds packets again after lost bytes, and reports one loss', () => {
    const bytes = stream(40, 188);
    const cut = Buffer.concat([bytes.subarray(0, 20 * 188 + 50), bytes.subarray(20 * 188 + 90)]);
    for (const size of [1, 100, 188, cut.length]) {
      const { numbers, losses } = walk(cut, [size]);
      expect(losses).toBe(1);
      // The damaged packet is still on the old grid. The next packet is not.
      expect(numbers.slice(0, 20)).toEqual(upTo(20));
      expect(numbers.slice(-18)).toEqual(upTo(40).slice(22));
    }
  });

  it('loses one packet for a wrong sync byte', () => {
    const bytes = stream(40, 188);
    bytes[10 * 188] = 0;
    const { numbers, losses } = walk(bytes, [188]);
    expect(numbers).toEqual(upTo(40).filter((n) => n !== 10));
    expect(losses).toBe(1);
  });

  it('counts bytes without packets, and reads no packets from them', () => {
    const { numbers, grid } = walk(Buffer.alloc(200_000, 0x20), [1000]);
    expect(numbers).toEqual([]);
    expect(grid.bytesWithoutGrid).toBe(200_000);
  });

  it('accepts fewer packets at the end of the stream', () => {
    const { numbers, grid } = walk(stream(3, 188), [1]);
    expect(numbers).toEqual([]);
    grid.flush();
    expect(numbers).toEqual([0, 1, 2]);
  });

  it('returns the same packets from damaged bytes in chunks of any size', () => {
    const damaged = fc.tuple(
      fc.integer({ min: 10, max: 60 }),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 10 }),
      fc.integer({ min: 1, max: 700 }),
    );
    fc.assert(
      fc.property(damaged, ([count, faults, size]) => {
        const bytes = stream(count, 188);
        for (const [at, value] of faults) bytes[at % bytes.length] = value;
        const inOne = walk(bytes, [bytes.length]);
        const pieces = walk(bytes, [size]);
        expect(pieces.numbers).toEqual(inOne.numbers);
        expect(pieces.losses).toBe(inOne.losses);
        expect(pieces.grid.skippedBytes).toBe(inOne.grid.skippedBytes);
      }),
    );
  });
});
