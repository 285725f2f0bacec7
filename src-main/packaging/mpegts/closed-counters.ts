import { PACKET_BYTES, PID_COUNT, readPacketHeader, type PacketHeader } from '../../media/containers/mpegts/packet.ts';

/** Period of a continuity counter, in packets with payload (ISO/IEC 13818-1, 2.4.3.3). */
const ROUND = 16;
/** Minimum payload of a packet that starts a unit, in bytes: the longest PES header that is written. */
const MIN_START_BYTES = 19;

/** Counts of one PID. */
interface PidCounts {
  packets: number;
  /** Number of packets that start a unit; for a table, the number of its copies. */
  starts: number;
  /** Position of the packet that starts the last unit. */
  lastStart: number;
  /** Position of a packet whose payload can be divided among several packets. */
  spare: number;
}

/**
 * Completes the period of each continuity counter: every PID gets a multiple of 16 packets with payload, counted from
 * 0. This way, segments played in sequence have no gap in any counter, in any order and from any thread, without shared
 * state. Tables are repeated; of other units one packet becomes several, the new ones with one byte each.
 *
 * @param tables PIDs that carry tables
 */
export function closeCounters(packets: Buffer, tables: ReadonlySet<number>): Buffer {
  const pids = countPackets(packets);
  const inserted = new Map<number, Buffer>();
  let more = 0;
  for (const [pid, counts] of pids) {
    const bytes = tables.has(pid) ? repeat(packets, pid, counts) : split(packets, counts);
    if (!bytes) continue;
    inserted.set(tables.has(pid) ? endOfUnit(packets, pid, counts) : counts.spare + PACKET_BYTES, bytes);
    more += bytes.length;
  }
  const result = Buffer.allocUnsafeSlow(packets.length + more);
  let from = 0;
  let to = 0;
  for (const [at, bytes] of [...inserted].sort(([a], [b]) => a - b)) {
    to += packets.copy(result, to, from, at);
    to += bytes.copy(result, to);
    from = at;
  }
  packets.copy(result, to, from);
  renumber(result);
  return result;
}

function countPackets(packets: Buffer): Map<number, PidCounts> {
  const pids = new Map<number, PidCounts>();
  for (let at = 0; at < packets.length; at += PACKET_BYTES) {
    const header = headerAt(packets, at);
    const bytes = header.payloadEnd - header.payloadStart;
    if (bytes === 0) continue;
    let counts = pids.get(header.pid);
    if (!counts) {
      counts = { packets: 0, starts: 0, lastStart: at, spare: at };
      pids.set(header.pid, counts);
    }
    counts.packets++;
    if (header.isUnitStart) {
      counts.starts++;
      counts.lastStart = at;
    }
    if (bytes >= ROUND + (header.isUnitStart ? MIN_START_BYTES : 0)) counts.spare = at;
  }
  return pids;
}

/** Further copies of a table; all copies have the same length. */
function repeat(packets: Buffer, pid: number, counts: PidCounts): Buffer | undefined {
  const copies = (ROUND - (counts.starts % ROUND)) % ROUND;
  if (copies === 0) return undefined;
  const copy = packets.subarray(counts.lastStart, endOfUnit(packets, pid, counts));
  return Buffer.concat(Array.from({ length: copies }, () => copy));
}

/** End of the unit that starts at `lastStart`; a table is written without other packets in between. */
function endOfUnit(packets: Buffer, pid: number, { lastStart }: PidCounts): number {
  let end = lastStart + PACKET_BYTES;
  while (end < packets.length && headerAt(packets, end).pid === pid && !headerAt(packets, end).isUnitStart)
    end += PACKET_BYTES;
  return end;
}

/** Removes the last bytes of a packet, and creates a packet for each of them. */
function split(packets: Buffer, { packets: count, spare }: PidCounts): Buffer | undefined {
  const missing = (ROUND - (count % ROUND)) % ROUND;
  if (missing === 0) return undefined;
  const { pid, payloadStart, payloadEnd } = headerAt(packets, spare);
  const taken = Buffer.from(packets.subarray(spare + payloadEnd - missing, spare + payloadEnd));
  stuff(packets, spare, payloadStart, missing);
  const further = Buffer.alloc(missing * PACKET_BYTES, 0xff);
  for (let index = 0; index < missing; index++) {
    const at = index * PACKET_BYTES;
    further.set([0x47, pid >> 8, pid & 0xff, 0x30, PACKET_BYTES - 6, 0], at);
    further[at + PACKET_BYTES - 1] = taken[index] ?? 0;
  }
  return further;
}

/** Extends the adaptation field of a packet by stuffing, and shifts its payload. */
function stuff(packets: Buffer, at: number, payloadStart: number, bytes: number): void {
  const start = at + payloadStart;
  const fieldBytes = payloadStart - 4;
  packets.copyWithin(start + bytes, start, at + PACKET_BYTES - bytes);
  packets.fill(0xff, start, start + bytes);
  packets[at + 3] = (packets[at + 3] ?? 0) | 0x20;
  packets[at + 4] = fieldBytes + bytes - 1;
  // A field of more than its length byte starts with flags.
  if (fieldBytes < 2 && fieldBytes + bytes > 1) packets[at + 5] = 0;
}

/** Renumbers all packets. Packets without payload repeat the counter of the previous one (2.4.3.3). */
function renumber(packets: Buffer): void {
  const next = new Uint8Array(PID_COUNT);
  for (let at = 0; at < packets.length; at += PACKET_BYTES) {
    const pid = packets.readUInt16BE(at + 1) & 0x1fff;
    const control = packets[at + 3] ?? 0;
    const counter = next[pid] ?? 0;
    const hasPayload = (control & 0x10) !== 0;
    packets[at + 3] = (control & 0xf0) | ((hasPayload ? counter : counter + 15) & 0x0f);
    if (hasPayload) next[pid] = counter + 1;
  }
}

function headerAt(packets: Buffer, at: number): PacketHeader {
  const header = readPacketHeader(packets, at);
  if (!header) throw new RangeError(`there is no transport packet at ${at}`);
  return header;
}
