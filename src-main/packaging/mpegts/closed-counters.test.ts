import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StreamRun } from '../../../tests/helpers/stream-run.ts';
import { PACKET_BYTES, readPacketHeader } from '../../media/containers/mpegts/packet.ts';
import { closeCounters } from './closed-counters.ts';
import { muxTsSegment } from './segment.ts';

/** Payload packets with a discontinuous counter, by PID, and unreadable packets. */
function counterFaults(packets: Uint8Array): string[] {
  const last = new Map<number, number>();
  const faults: string[] = [];
  for (let at = 0; at < packets.length; at += PACKET_BYTES) {
    const header = readPacketHeader(packets, at);
    if (!header) return [`no packet at ${at}`];
    const { pid, continuity, payloadStart, payloadEnd } = header;
    const before = last.get(pid);
    const expected = before === undefined ? continuity : (before + (payloadEnd > payloadStart ? 1 : 0)) & 0x0f;
    if (continuity !== expected) faults.push(`PID ${pid}: ${continuity} instead of ${expected}`);
    last.set(pid, continuity);
  }
  return faults;
}

/** Concatenated payload of each PID. */
function payloads(packets: Uint8Array): Map<number, Buffer> {
  const all = new Map<number, Uint8Array[]>();
  for (let at = 0; at < packets.length; at += PACKET_BYTES) {
    const { pid = -1, payloadStart = 0, payloadEnd = 0 } = readPacketHeader(packets, at) ?? {};
    const list = all.get(pid) ?? [];
    list.push(packets.subarray(at + payloadStart, at + payloadEnd));
    all.set(pid, list);
  }
  return new Map([...all].map(([pid, list]) => [pid, Buffer.concat(list)]));
}

async function segments(): Promise<Uint8Array[]> {
  const run = new StreamRun();
  run.play({ video: { fps: 25, gopFrames: 50, bFrames: 0 }, audio: { sampleRate: 48_000, lateMs: 0 }, seconds: 13 });
  const complete = run.window.segments('v1').filter(({ segment }) => segment.isComplete);
  return Promise.all(complete.slice(0, 5).map(({ msn }) => muxTsSegment(run.window, msn)));
}

/** A packet of a PID with the given number of payload bytes. */
function packet(pid: number, bytes: number, isStart: boolean): Buffer {
  const made = Buffer.alloc(PACKET_BYTES, pid & 0xff);
  const field = PACKET_BYTES - 4 - bytes;
  made.set([0x47, (isStart ? 0x40 : 0) | (pid >> 8), pid & 0xff, field > 0 ? 0x30 : 0x10]);
  if (field > 0) made[4] = field - 1;
  if (field > 1) made[5] = 0;
  if (field > 2) made.fill(0xff, 6, 4 + field);
  return made;
}

describe('closeCounters', () => {
  it('lets segments follow each other in any order without counter errors', async () => {
    const [a, b, c, d, e] = (await segments()) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
    expect(counterFaults(Buffer.concat([a, b, c, d, e]))).toEqual([]);
    expect(counterFaults(Buffer.concat([a, d, b, b, e]))).toEqual([]);
  });

  it('adds few packets to a segment', async () => {
    for (const segment of await segments()) expect(segment.length % PACKET_BYTES).toBe(0);
    // A cycle of the counter has 16 packets: 1000 packets are 8 short of a whole number of cycles.
    const many = Buffer.concat(Array.from({ length: 1000 }, (_, index) => packet(0x100, 184, index === 0)));
    expect(closeCounters(many, new Set()).length - many.length).toBe(8 * PACKET_BYTES);
  });

  it('keeps all payload bytes in order, for any number and size of packets', () => {
    for (let count = 1; count <= 33; count++) {
      for (const bytes of [184, 183, 182, 181, 50, 35]) {
        const made = Array.from({ length: count }, (_, index) =>
          packet(0x101, index % 2 === 0 ? bytes : 184, index === 0),
        );
        const before = Buffer.concat([packet(0, 184, true), ...made]);
        const expected = payloads(before);
        const after = closeCounters(Buffer.from(before), new Set([0]));
        expect(counterFaults(Buffer.concat([after, after]))).toEqual([]);
        expect(payloads(after).get(0x101)).toEqual(expected.get(0x101));
        expect((payloads(after).get(0)?.length ?? 0) / 184).toBe(16);
      }
    }
  });

  it('repeats a table that spans several packets completely', () => {
    const table = [packet(0x1000, 184, true), packet(0x1000, 184, false), packet(0x1000, 184, false)];
    const after = closeCounters(Buffer.concat([...table, packet(0x100, 184, true), ...table]), new Set([0x1000]));
    const starts = [];
    for (let at = 0; at < after.length; at += PACKET_BYTES) {
      const header = readPacketHeader(after, at);
      if (header?.pid === 0x1000) starts.push(header.isUnitStart ? 1 : 0);
    }
    expect(starts).toEqual(Array.from({ length: 16 }, () => [1, 0, 0]).flat());
    expect(counterFaults(Buffer.concat([after, after]))).toEqual([]);
  });

  it('leaves no continuity counter errors for ffmpeg', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'airdesk-counters-'));
    const complaints = (bytes: Uint8Array): number => {
      const file = join(folder, 'all.ts');
      writeFileSync(file, bytes);
      const { stderr } = spawnSync('ffprobe', ['-loglevel', 'debug', '-show_packets', file], {
        encoding: 'utf8',
        maxBuffer: 100_000_000,
      });
      return stderr.match(/Continuity check failed/g)?.length ?? 0;
    };
    try {
      const all = Buffer.concat(await segments());
      expect(complaints(all)).toBe(0);
      expect(
        complaints(Buffer.concat([all.subarray(0, 500 * PACKET_BYTES), all.subarray(507 * PACKET_BYTES)])),
      ).toBeGreaterThan(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
