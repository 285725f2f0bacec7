import fc from 'fast-check';
import type { ArrivingBytes } from './mutated-source.ts';

/** Damage to the packets of a transport stream. */
export interface Damage {
  /** Position in the stream, in thousandths of its packets. */
  readonly at: number;
  /** Packets are lost or overwritten; bytes are lost, so that the packets after them are shifted. */
  readonly kind: 'lost' | 'overwritten' | 'shifted';
  /** Number of packets, or of bytes. */
  readonly count: number;
}

const PACKET_BYTES = 188;
/** Number of pieces between two repetitions of the tables. */
const TABLES_EACH = 20;

/** Arbitrary damages: single packets, complete pictures or some seconds, including the tables. */
export const anyDamages: fc.Arbitrary<readonly Damage[]> = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 999 }),
    kind: fc.constantFrom('lost', 'lost', 'overwritten', 'shifted'),
    count: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 20 }), fc.integer({ min: 20, max: 500 })),
  }),
  { minLength: 1, maxLength: 30 },
);

/**
 * Damages a transport stream. Returns its packets with their arrival times; the tables (the first piece) are repeated.
 */
export function damaged(input: readonly ArrivingBytes[], damages: readonly Damage[]): ArrivingBytes[] {
  const [tables] = input;
  const packets = input.flatMap(({ atTicks, bytes }, piece) => {
    const all = piece > 0 && piece % TABLES_EACH === 0 && tables ? Buffer.concat([tables.bytes, bytes]) : bytes;
    return Array.from({ length: all.length / PACKET_BYTES }, (_, index) => ({
      atTicks,
      bytes: Uint8Array.from(all.subarray(index * PACKET_BYTES, (index + 1) * PACKET_BYTES)),
    }));
  });
  for (const { at, kind, count } of damages) {
    const from = Math.floor((at * packets.length) / 1000);
    const some = packets.slice(from, from + count);
    if (kind === 'lost') for (const packet of some) packet.bytes = new Uint8Array(0);
    if (kind === 'overwritten') for (const { bytes } of some) bytes.subarray(4).fill(0xff);
    if (kind === 'shifted' && some[0]) some[0].bytes = some[0].bytes.subarray(count % PACKET_BYTES);
  }
  return packets;
}
