import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { RecordingSink } from '../../../tests/helpers/recording-sink.ts';
import { spliceInsert } from '../../../tests/helpers/splice-sections.ts';
import { testMedia } from '../../../tests/helpers/test-media.ts';
import {
  NULL_PID,
  PACKET_BYTES,
  pcrPosition,
  pidAt,
  readFullPcr,
  readPacketHeader,
} from '../../media/containers/mpegts/packet.ts';
import { readPesHeader } from '../../media/containers/mpegts/pes-header.ts';
import { every } from '../../lib/timers.ts';
import { MpegTsReader } from '../../media/containers/mpegts/reader.ts';
import type { StreamUnit } from '../../stream/stream-hub.ts';
import { UnitGate } from '../unit-gate.ts';
import { DatagramPacer } from './datagram-pacer.ts';
import { DATAGRAM_BYTES, type TsDatagram } from './datagram-writer.ts';
import { TsFeed, type TsFeedSettings } from './ts-feed.ts';

const { video: VIDEO, audio: AUDIO } = testMedia();
const PACKET_BITS = PACKET_BYTES * 8;
/** 500 ns in ticks of 27 MHz (ISO/IEC 13818-1, 2.4.2.1). */
const PCR_TOLERANCE_TICKS = 13.5;
const MS_TICKS = 27_000;

/** A feed with a receiver, and units that arrive at their times. */
class Stage {
  readonly clock = new FakeClock();
  readonly feed: TsFeed;
  readonly received: { readonly atMs: number; readonly datagram: TsDatagram }[] = [];
  readonly gate = new UnitGate();
  maxBacklogBytes = 0;
  #frame = 0;
  #audioFrame = 0;

  /** @param tickMs interval of the ticks; default: that of the pacer */
  constructor(settings: TsFeedSettings = {}, tickMs?: number) {
    let pacer: Pick<DatagramPacer, 'add' | 'delete'> = new DatagramPacer(this.clock);
    if (tickMs !== undefined)
      pacer = {
        add: (feed) => {
          every(this.clock, tickMs, () => {
            feed.tick();
          });
        },
        delete: () => undefined,
      };
    this.feed = new TsFeed({ settings, clock: this.clock, pacer });
    this.feed.add((datagram) => this.received.push({ atMs: this.clock.now(), datagram }));
    this.feed.announce([VIDEO, AUDIO]);
    this.gate.close(VIDEO.id);
  }

  /** Sends a picture of 40 ms, and its audio. @param lateMs delay of the picture on its way */
  picture(bytes: number, lateMs = 0): void {
    const startMs = this.clock.now();
    this.#arrive(bytes, lateMs);
    this.#pass(40 - (this.clock.now() - startMs));
  }

  /** Sends pictures at once, and lets the time of all of them pass. */
  burst(pictures: number, bytes: number): void {
    for (let index = 0; index < pictures; index++) this.#arrive(bytes, 0);
    this.#pass(40 * pictures);
  }

  #arrive(bytes: number, lateMs: number): void {
    const dtsTicks = (1_800_000_000_000 + this.#frame * 40) * 90;
    this.#pass(lateMs);
    const isRandomAccess = this.#frame++ % 25 === 0;
    this.#unit({ track: VIDEO, dtsTicks, ptsTicks: dtsTicks, lastsTicks: 3600, isRandomAccess, data: slice(bytes, isRandomAccess) }); // prettier-ignore
    for (; this.#audioFrame * 1024 < this.#frame * 40 * 48; this.#audioFrame++) {
      const ticks = 1_800_000_000 * 48_000 + this.#audioFrame * 1024;
      this.#unit({ track: AUDIO, dtsTicks: ticks, ptsTicks: ticks, lastsTicks: 1024, isRandomAccess: true, data: Buffer.alloc(200, 9) }); // prettier-ignore
    }
  }

  #unit(unit: Omit<StreamUnit, 'arrivedMs'>): void {
    const whole = { ...unit, arrivedMs: this.clock.now() };
    this.feed.next(whole);
    const { backlog } = this.feed;
    if (this.gate.takes(whole, { ...backlog, progressMs: 0 })) this.feed.write();
    this.maxBacklogBytes = Math.max(this.maxBacklogBytes, this.feed.waitingBytes);
  }

  #pass(ms: number): void {
    for (let left = ms; left > 0; left -= 5) this.clock.advance(Math.min(5, left));
  }

  /** Time in which this process does not run. */
  stall(ms: number): void {
    this.clock.stall(ms);
  }

  /** Sends the packets that still wait. */
  rest(ms = 3000): void {
    this.#pass(ms);
  }

  get bytes(): Buffer {
    return Buffer.concat(this.received.map(({ datagram }) => datagram.bytes));
  }
}

/** Picture of one NAL unit with its length. */
function slice(bytes: number, isRandomAccess: boolean): Buffer {
  const data = Buffer.alloc(4 + bytes, 0xa5);
  data.writeUInt32BE(bytes);
  // Slice headers (ITU-T H.264, 7.3.3) of an I and a P picture: first_mb_in_slice 0, slice_type 7 or 5, PPS 0.
  data.set(isRandomAccess ? [0x65, 0x88, 0x84] : [0x41, 0x9a, 0x84], 4);
  return data;
}

/** Clock references with the number of their packet. */
function clocks(bytes: Buffer): { readonly packet: number; readonly ticks: number }[] {
  const found = [];
  for (let at = 0; at < bytes.length; at += PACKET_BYTES) {
    const pcrAt = pcrPosition(bytes, at);
    if (pcrAt >= 0) found.push({ packet: at / PACKET_BYTES, ticks: readFullPcr(bytes, pcrAt) });
  }
  return found;
}

/** Distances of consecutive clock references, and whether the second announces a discontinuity. */
function referenceSteps(bytes: Buffer): { readonly ms: number; readonly isAnnounced: boolean }[] {
  const references = clocks(bytes);
  return references.slice(1).map(({ packet, ticks }, index) => ({
    ms: (ticks - (references[index]?.ticks ?? 0)) / MS_TICKS,
    isAnnounced: readPacketHeader(bytes, packet * PACKET_BYTES)?.isDiscontinuity ?? false,
  }));
}

/** Codes of the problems that a receiver reports. */
function problemsOf(bytes: Buffer): string[] {
  const sink = new RecordingSink();
  new MpegTsReader(sink, { watchesClock: true }).push(bytes);
  return sink.calls.flatMap((call) => ('problem' in call ? [call.problem.code] : []));
}

function counterFaults(bytes: Buffer): number {
  const last = new Map<number, number>();
  let faults = 0;
  for (let at = 0; at < bytes.length; at += PACKET_BYTES) {
    const header = readPacketHeader(bytes, at);
    if (!header || header.pid === NULL_PID) continue;
    const before = last.get(header.pid);
    const step = header.payloadEnd > header.payloadStart ? 1 : 0;
    if (before !== undefined && header.continuity !== ((before + step) & 15)) faults++;
    last.set(header.pid, header.continuity);
  }
  return faults;
}

/** Largest distance of consecutive clock references, in milliseconds. */
function maxStepMs(ticks: readonly number[]): number {
  return Math.max(...ticks.slice(1).map((tick, index) => (tick - (ticks[index] ?? 0)) / MS_TICKS));
}

function sizesOf(bytes: Buffer, trackId: string): number[] {
  const sink = new RecordingSink();
  const reader = new MpegTsReader(sink);
  reader.push(bytes);
  reader.flush();
  expect(sink.problems).toEqual([]);
  return sink.units(trackId).map(({ data }) => data.length);
}

const sizes = fc.array(fc.integer({ min: 20, max: 30_000 }), { minLength: 30, maxLength: 80 });

describe('a feed with a constant rate', () => {
  it('has clock references that are exact by the position of their bytes, at least every 40 ms', () => {
    const rates = fc.integer({ min: 200, max: 60_000 });
    fc.assert(
      fc.property(sizes, rates, (pictures, bitrateKbit) => {
        const stage = new Stage({ bitrateKbit });
        for (const size of pictures) stage.picture(size);
        const { bytes } = stage;
        expect(stage.received.every(({ datagram }) => datagram.bytes.length === DATAGRAM_BYTES)).toBe(true);
        const found = clocks(bytes);
        const [first] = found;
        for (const { packet, ticks } of found) {
          const exact = ((packet - (first?.packet ?? 0)) * PACKET_BITS * 27_000_000) / (bitrateKbit * 1000);
          expect(Math.abs(ticks - (first?.ticks ?? 0) - exact)).toBeLessThanOrEqual(PCR_TOLERANCE_TICKS);
        }
        expect(maxStepMs(found.map(({ ticks }) => ticks))).toBeLessThanOrEqual(40);
        expect(counterFaults(bytes)).toBe(0);
        // The rate holds on the wire as well, up to the interval of the timer and one datagram.
        const seconds = (stage.clock.now() - (stage.received[0]?.atMs ?? 0)) / 1000;
        const datagramSeconds = (DATAGRAM_BYTES * 8) / (bitrateKbit * 1000);
        expect(Math.abs(stage.received.length * datagramSeconds - seconds)).toBeLessThan(0.01 + 2 * datagramSeconds);
      }),
      { numRuns: 25 },
    );
  });

  it('sends each picture before its decoding time, and fills up with null packets', () => {
    const stage = new Stage({ bitrateKbit: 4000 });
    const sent = Array.from({ length: 100 }, (_, index) => (index % 25 === 0 ? 60_000 : 8000));
    for (const size of sent) stage.picture(size);
    stage.rest();
    const { bytes } = stage;
    const [first] = clocks(bytes);
    let nulls = 0;
    for (let at = 0; at < bytes.length; at += PACKET_BYTES) {
      const header = readPacketHeader(bytes, at);
      if (pidAt(bytes, at) === NULL_PID) nulls++;
      if (!header?.isUnitStart || header.pid !== 0x100) continue;
      const pes = readPesHeader(bytes.subarray(header.payloadStart + at - 0, at + PACKET_BYTES), PACKET_BYTES - 20);
      const dtsTicks = pes?.dtsTicks ?? pes?.ptsTicks ?? 0;
      const now = (first?.ticks ?? 0) / 300 + (((at / PACKET_BYTES - (first?.packet ?? 0)) * PACKET_BITS) / 4_000_000) * 90_000; // prettier-ignore
      expect(dtsTicks).toBeGreaterThan(now);
      expect(dtsTicks - now).toBeLessThanOrEqual(1.6 * 90_000);
    }
    expect(nulls).toBeGreaterThan(100);
    expect(sizesOf(bytes, 'v1')).toHaveLength(sent.length);
    expect(stage.gate.droppedUnits).toBe(0);
  });

  it('that is too low drops pictures up to key frames, names the rate, and needs bounded memory', () => {
    const stage = new Stage({ bitrateKbit: 1000 });
    for (let index = 0; index < 500; index++) stage.picture(index % 25 === 0 ? 30_000 : 9000);
    expect(stage.gate.droppedUnits).toBeGreaterThan(100);
    // 1 s of waiting packets, and the last unit.
    expect(stage.maxBacklogBytes).toBeLessThan(125_000 + 2 * 32_000);
    const { explanation } = stage.feed.slowness ?? {};
    expect(explanation).toMatchObject({ code: 'push_bitrate_low', facts: { bitrate: 1000 } });
    const needed = Number(explanation?.facts?.['needed']);
    // The largest second has 1.97 Mbit of video and 75 kbit of audio.
    expect(needed).toBeGreaterThanOrEqual(2000);
    expect(needed).toBeLessThan(2600);
    const { bytes } = stage;
    expect(counterFaults(bytes)).toBe(0);
    expect(maxStepMs(clocks(bytes).map(({ ticks }) => ticks))).toBeLessThanOrEqual(40);
    const enough = new Stage({ bitrateKbit: needed });
    for (let index = 0; index < 500; index++) enough.picture(index % 25 === 0 ? 30_000 : 9000);
    expect(enough.gate.droppedUnits).toBe(0);
  });

  it('continues with null packets while the stream has no frames', () => {
    const stage = new Stage({ bitrateKbit: 2000 });
    for (let index = 0; index < 10; index++) stage.picture(4000);
    const before = stage.received.length;
    stage.rest(10_000);
    expect(((stage.received.length - before) * DATAGRAM_BYTES * 8) / 10_000).toBeCloseTo(2000, -1);
  });
});

describe.each([{ bitrateKbit: 2000 }, {}])('a feed with the settings %j on a busy machine', (settings) => {
  it.each([12, 25, 40, 90, 200])('stays in time when its ticks come every %i ms', (tickMs) => {
    const stage = new Stage(settings, tickMs);
    for (let index = 0; index < 500; index++) stage.picture(4000);
    const { received } = stage;
    const offsets = clocks(stage.bytes).map(
      ({ packet, ticks }) => (received[Math.floor(packet / 7)]?.atMs ?? 0) - ticks / MS_TICKS,
    );
    // The first ticks show the interval.
    const later = offsets.slice(offsets.length / 2);
    expect(Math.max(...later) - Math.min(...offsets)).toBeLessThanOrEqual(40 + tickMs);
  });

  it('drops nothing after a delay of 1.8 s, in which pictures arrived', () => {
    const stage = new Stage(settings);
    for (let index = 0; index < 50; index++) stage.picture(5000);
    stage.stall(1800);
    stage.burst(45, 5000);
    for (let index = 0; index < 50; index++) stage.picture(5000);
    stage.rest();
    expect(stage.gate.droppedUnits).toBe(0);
    expect(sizesOf(stage.bytes, 'v1')).toHaveLength(145);
  });

  // ETSI TR 101 290, 5.2.2, 2.3b.
  it('announces a discontinuity where clock references step back or by more than 100 ms, and only there', () => {
    const stage = new Stage(settings);
    for (let frame = 0; frame < 50; frame++) stage.picture(2000);
    // The encoder is silent, then this process does not run.
    stage.rest(2500);
    for (let frame = 0; frame < 50; frame++) stage.picture(2000);
    stage.stall(3000);
    for (let frame = 0; frame < 50; frame++) stage.picture(2000);
    stage.rest();
    const steps = referenceSteps(stage.bytes);
    expect(steps.filter(({ ms }) => ms > 2000)).toHaveLength(1);
    for (const { ms, isAnnounced } of steps) expect(isAnnounced, `${ms} ms`).toBe(ms < 0 || ms > 100);
    expect(problemsOf(stage.bytes)).toEqual([]);
  });

  it('makes up for a delay within 200 ms', () => {
    const stage = new Stage(settings);
    for (let index = 0; index < 50; index++) stage.picture(4000);
    stage.stall(300);
    const atMs = stage.clock.now();
    for (let index = 0; index < 50; index++) stage.picture(4000);
    const offsets = clocks(stage.bytes).map(({ packet, ticks }) => {
      const arrivedMs = stage.received[Math.floor(packet / 7)]?.atMs ?? 0;
      return { arrivedMs, offsetMs: arrivedMs - ticks / MS_TICKS };
    });
    const least = Math.min(...offsets.map(({ offsetMs }) => offsetMs));
    const later = offsets.filter(({ arrivedMs }) => arrivedMs > atMs + 200).map(({ offsetMs }) => offsetMs - least);
    expect(later.length).toBeGreaterThan(10);
    expect(Math.max(...later)).toBeLessThanOrEqual(40);
  });
});

describe('a feed with the rate of the stream', () => {
  it('sends all units, with counters and clock references in order, without jitter on the wire', () => {
    fc.assert(
      fc.property(sizes, fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 80, maxLength: 80 }), (sent, lates) => {
        const stage = new Stage();
        sent.forEach((size, index) => {
          stage.picture(size, lates[index]);
        });
        stage.rest();
        const { bytes, received } = stage;
        expect(sizesOf(bytes, 'v1')).toEqual(sent.map((size) => size + 4));
        expect(counterFaults(bytes)).toBe(0);
        const found = clocks(bytes);
        expect(maxStepMs(found.map(({ ticks }) => ticks))).toBeLessThanOrEqual(40);
        const offsets = found.map(
          ({ packet, ticks }) => (received[Math.floor(packet / 7)]?.atMs ?? 0) - ticks / MS_TICKS,
        );
        expect(Math.max(...offsets) - Math.min(...offsets)).toBeLessThanOrEqual(40);
      }),
      { numRuns: 25 },
    );
  });

  it('spreads a picture over its duration', () => {
    const stage = new Stage();
    for (let index = 0; index < 50; index++) stage.picture(index % 25 === 0 ? 120_000 : 10_000);
    // 120 kB in 40 ms are 92 datagrams: 11 or 12 in each interval of 5 ms.
    const perTick = new Map<number, number>();
    for (const { atMs } of stage.received) perTick.set(atMs, (perTick.get(atMs) ?? 0) + 1);
    expect(Math.max(...perTick.values())).toBeLessThanOrEqual(15);
  });

  it('sends units that come in bursts at their times', () => {
    const stage = new Stage();
    for (let burst = 0; burst < 4; burst++) stage.burst(25, 5000);
    stage.rest();
    expect(sizesOf(stage.bytes, 'v1')).toHaveLength(100);
    const times = stage.received.map(({ atMs }) => atMs);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(3900);
    // 5 kB in 40 ms need 5 datagrams.
    const perTick = new Map<number, number>();
    for (const atMs of times) perTick.set(atMs, (perTick.get(atMs) ?? 0) + 1);
    expect(Math.max(...perTick.values())).toBeLessThanOrEqual(6);
  });

  it('carries splice points after the first one, and announces their stream', () => {
    const stage = new Stage();
    for (let index = 0; index < 10; index++) stage.picture(4000);
    const section = spliceInsert();
    stage.feed.splice(section);
    for (let index = 0; index < 30; index++) stage.picture(4000);
    stage.rest();
    const sink = new RecordingSink();
    new MpegTsReader(sink).push(stage.bytes);
    expect(sink.splices.map((splice) => Buffer.from(splice.section).toString('hex'))).toEqual([
      Buffer.from(section).toString('hex'),
    ]);
    expect(counterFaults(stage.bytes)).toBe(0);
  });

  it('has the programme number and the PIDs of its settings', () => {
    const stage = new Stage({ programNumber: 7, pids: { pmt: 0x50, video: 0x60, audio: 0x70 } });
    for (let index = 0; index < 10; index++) stage.picture(4000);
    stage.rest();
    const pids = new Set<number>();
    for (let at = 0; at < stage.bytes.length; at += PACKET_BYTES) pids.add(pidAt(stage.bytes, at));
    expect([...pids].sort((a, b) => a - b)).toEqual([0, 0x50, 0x60, 0x70, NULL_PID]);
  });
});
