import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REORDER_PACKETS, RtpOrder } from './rtp-order.ts';
import { readRtpPacket, writeRtpPacket, type RtpPacket } from '../../media/containers/mpegts/rtp-packet.ts';

const packet = (number: number, ssrc = 1): RtpPacket => ({
  payloadType: 33,
  sequence: number & 0xffff,
  ssrc,
  payload: Uint8Array.of(number >> 16, number >> 8, number),
});

function order(packets: readonly RtpPacket[]): { out: number[]; lost: number } {
  const out: number[] = [];
  let lost = 0;
  const ordered = new RtpOrder({
    payload: (bytes) => out.push((bytes[0]! << 16) | (bytes[1]! << 8) | bytes[2]!),
    lost: (count) => (lost += count),
  });
  for (const one of packets) ordered.push(one);
  return { out, lost };
}

const numbers = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from + n);

describe('RTP packets', () => {
  it('are written and parsed', () => {
    const any = fc.record({
      payloadType: fc.integer({ min: 0, max: 127 }),
      sequence: fc.integer({ min: 0, max: 0xffff }),
      ssrc: fc.integer({ min: 0, max: 0xffffffff }),
      payload: fc.uint8Array({ maxLength: 50 }),
    });
    fc.assert(
      fc.property(any, (value) => {
        expect(readRtpPacket(writeRtpPacket(value))).toEqual(value);
      }),
    );
  });

  it('may have contributing sources, an extension and padding around the payload', () => {
    const bytes = Uint8Array.of(
      0x80 | 0x20 | 0x10 | 1,
      33,
      0,
      7,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      9,
      1,
      1,
      1,
      1,
      0xbe,
      0xde,
      0,
      1,
      5,
      5,
      5,
      5,
      0x47,
      0x48,
      0,
      2,
    );
    expect(readRtpPacket(bytes)).toEqual({ payloadType: 33, sequence: 7, ssrc: 9, payload: Uint8Array.of(0x47, 0x48) });
  });

  it('with random bytes never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(readRtpPacket(bytes)?.payload.length ?? 0).toBeLessThanOrEqual(bytes.length);
      }),
    );
  });
});

describe('RtpOrder', () => {
  it('continues across the wrap of the sequence number', () => {
    expect(order(numbers(65_500, 100).map((n) => packet(n)))).toEqual({ out: numbers(65_500, 100), lost: 0 });
  });

  it('restores the order of packets that are a few places late or duplicated', () => {
    const moves = fc.array(fc.tuple(fc.integer({ min: 1, max: 195 }), fc.integer({ min: 1, max: 4 })), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(moves, (swaps) => {
        const sent = numbers(65_436, 200);
        for (const [at, by] of swaps) if (at > 20) sent.splice(at + by, 0, sent[at]!);
        expect(order(sent.map((n) => packet(n)))).toEqual({ out: numbers(65_436, 200), lost: 0 });
        const late = numbers(0, 200);
        for (const [at, by] of swaps.slice(0, 1)) late.splice(at + by, 0, ...late.splice(at, 1));
        expect(order(late.map((n) => packet(n)))).toEqual({ out: numbers(0, 200), lost: 0 });
      }),
    );
  });

  it('skips packets that never arrive, and counts them', () => {
    const sent = numbers(0, 100).filter((n) => n < 40 || n > 42);
    expect(order(sent.map((n) => packet(n)))).toEqual({ out: sent, lost: 3 });
  });

  it('waits for at most REORDER_PACKETS packets', () => {
    const { out } = order(
      numbers(0, 20)
        .filter((n) => n !== 3)
        .map((n) => packet(n))
        .slice(0, 3 + REORDER_PACKETS),
    );
    expect(out).toHaveLength(3 + REORDER_PACKETS);
    expect(
      order(
        numbers(0, 20)
          .filter((n) => n !== 3)
          .map((n) => packet(n))
          .slice(0, 2 + REORDER_PACKETS),
      ).out,
    ).toEqual([0, 1, 2]);
  });

  it('restarts when the sender restarts', () => {
    expect(order([...numbers(0, 10).map((n) => packet(n)), ...numbers(30_000, 10).map((n) => packet(n))]).out).toEqual([
      ...numbers(0, 10),
      ...numbers(30_000, 10),
    ]);
    expect(order([...numbers(500, 10).map((n) => packet(n)), ...numbers(3, 10).map((n) => packet(n, 2))]).out).toEqual([
      ...numbers(500, 10),
      ...numbers(3, 10),
    ]);
  });
});
