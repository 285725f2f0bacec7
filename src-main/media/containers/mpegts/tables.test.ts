import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32Mpeg } from './crc32.ts';
import { PidOutput, PacketOutput } from './packet-output.ts';
import { PACKET_BYTES, readPacketHeader, readPcr, writePcr } from './packet.ts';
import { readPat, writePat } from './pat.ts';
import { readPesHeader, writePesHeader, type PesHeader } from './pes-header.ts';
import { readPmt, writePmt } from './pmt.ts';
import { SectionCollector } from './section-collector.ts';
import { streamKind } from './stream-kind.ts';
import { language, registration } from './descriptor.ts';

const pid = fc.integer({ min: 0x10, max: 0x1ffe });
const u8 = fc.integer({ min: 0, max: 0xff });
const u16 = fc.integer({ min: 1, max: 0xffff });
const head = {
  version: fc.integer({ min: 0, max: 31 }),
  isCurrent: fc.boolean(),
  sectionNumber: u8,
  lastSectionNumber: u8,
};
const descriptors = fc.array(fc.record({ tag: u8, data: fc.uint8Array({ maxLength: 20 }) }), { maxLength: 4 });

describe('MPEG-TS tables', () => {
  it('have the CRC of the standard', () => {
    // The check value of CRC-32/MPEG-2.
    expect(crc32Mpeg(Buffer.from('123456789'))).toBe(0x0376e6e7);
  });

  it('of program associations are parsed as written', () => {
    const pat = fc.record({
      transportStreamId: u16,
      ...head,
      programs: fc.array(fc.record({ programNumber: u16, pmtPid: pid }), { maxLength: 60 }),
    });
    fc.assert(
      fc.property(pat, (value) => {
        expect(crc32Mpeg(writePat(value))).toBe(0);
        expect(readPat(writePat(value))).toEqual(value);
      }),
    );
  });

  it('of program maps are parsed as written', () => {
    const streams = fc.array(fc.record({ streamType: u8, pid, descriptors }), { maxLength: 6 });
    const pmt = fc.record({ programNumber: u16, ...head, pcrPid: pid, descriptors, streams });
    fc.assert(
      fc.property(pmt, (value) => {
        expect(readPmt(writePmt(value))).toEqual(value);
      }),
    );
  });

  it('with random bytes never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(0, 2), (section, tableId) => {
        if (section.length > 1) section.set([tableId, 0xb0]);
        expect(readPat(section)?.programs.length ?? 0).toBeLessThanOrEqual(50);
        expect(readPmt(section)?.streams.length ?? 0).toBeLessThanOrEqual(40);
      }),
    );
  });

  it('identify the kind of a stream', () => {
    const stream = (streamType: number, tags: Parameters<typeof streamKind>[0]['descriptors'] = []) =>
      streamKind({ streamType, pid: 256, descriptors: tags }, []);
    expect(stream(0x1b)).toEqual({ content: 'video', codec: 'h264' });
    expect(stream(0x11)).toEqual({ content: 'unknown', medium: 'audio', name: 'AAC in LATM' });
    expect(stream(0x06)).toEqual({ content: 'undeclared' });
    expect(stream(0x06, [language('deu')])).toEqual({ content: 'undeclared' });
    expect(stream(0x06, [registration('KLVA')])).toEqual({ content: 'data' });
    expect(stream(0x06, [{ tag: 0x56, data: new Uint8Array(5) }])).toEqual({ content: 'data' });
    expect(stream(0x06, [{ tag: 0x6a, data: new Uint8Array(1) }])).toEqual({ content: 'audio', codec: 'ac3' });
    expect(stream(0x06, [{ tag: 0x7a, data: new Uint8Array(1) }])).toEqual({ content: 'audio', codec: 'eac3' });
    expect(stream(0x06, [registration('Opus')])).toEqual({ content: 'audio', codec: 'opus' });
    expect(stream(0x86)).toEqual({ content: 'splice' });
    expect(streamKind({ streamType: 0x86, pid: 256, descriptors: [] }, [registration('HDMV')])).toEqual({
      content: 'unknown',
      medium: 'audio',
      name: 'DTS-HD',
    });
  });
});

describe('PES packets', () => {
  it('are parsed as written, with timestamps of any size', () => {
    const time = fc.integer({ min: -(2 ** 40), max: 2 ** 53 - 1 });
    const times = fc.oneof(
      fc.constant({}),
      time.map((ptsTicks) => ({ ptsTicks })),
      fc.tuple(time, time).map(([ptsTicks, dtsTicks]) => ({ ptsTicks, dtsTicks })),
    );
    const fields = fc.record({
      streamId: u8,
      packetLengthBytes: fc.integer({ min: 0, max: 0xffff }),
      isAligned: fc.boolean(),
      isScrambled: fc.boolean(),
    });
    fc.assert(
      fc.property(fields, times, (rest, at) => {
        const header: PesHeader = { ...rest, ...at };
        const bytes = new Uint8Array(30);
        const end = writePesHeader(header, bytes);
        const wrapped = Object.fromEntries(
          Object.entries(at).map(([key, ticks]) => [
            key,
            Number(((BigInt(ticks) % 2n ** 33n) + 2n ** 33n) % 2n ** 33n),
          ]),
        );
        expect(readPesHeader(bytes, end)).toEqual({ ...rest, ...wrapped, payloadStart: end });
      }),
    );
  });

  it('contain clock references that are parsed as written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 33 - 1 }), (ticks) => {
        const bytes = new Uint8Array(6);
        writePcr(bytes, 0, ticks);
        expect(readPcr(bytes, 0)).toBe(ticks);
      }),
    );
  });

  it('are split into transport packets without loss', () => {
    const first = fc.record({
      isRandomAccess: fc.boolean(),
      isDiscontinuity: fc.boolean(),
      pcrTicks: fc.option(fc.integer({ min: 0, max: 2 ** 33 - 1 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 800 }), first, u8, (payload, what, continuity) => {
        const output = new PacketOutput();
        const pidOutput = new PidOutput(0x123, continuity);
        output.payload(pidOutput, Buffer.from(payload), payload.length, what);
        const bytes = output.take();
        expect(bytes.length % PACKET_BYTES).toBe(0);
        const gathered: number[] = [];
        for (let at = 0; at < bytes.length; at += PACKET_BYTES) {
          const packet = bytes.subarray(at, at + PACKET_BYTES);
          const header = readPacketHeader(packet);
          expect(header).toMatchObject({
            pid: 0x123,
            isUnitStart: at === 0,
            continuity: (continuity + at / PACKET_BYTES) & 15,
          });
          if (at === 0) {
            expect(header).toMatchObject({
              isRandomAccess: what.isRandomAccess,
              isDiscontinuity: what.isDiscontinuity,
            });
            expect(header?.pcrTicks).toBe(what.pcrTicks);
          }
          gathered.push(...packet.subarray(header?.payloadStart));
        }
        expect(Uint8Array.from(gathered)).toEqual(payload);
        expect(pidOutput.continuity).toBe((continuity + bytes.length / PACKET_BYTES) & 15);
      }),
    );
  });
});

describe('sections of tables', () => {
  it('are collected from packets, wherever they start', () => {
    const pat = (count: number) =>
      writePat({
        transportStreamId: count,
        version: 0,
        isCurrent: true,
        sectionNumber: 0,
        lastSectionNumber: 0,
        programs: Array.from({ length: count }, (_, index) => ({ programNumber: index + 1, pmtPid: 0x100 + index })),
      });
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 8 }), (sizes) => {
        const sections = sizes.map(pat);
        const found: number[] = [];
        let damaged = 0;
        const collector = new SectionCollector({
          section: (bytes) => found.push(readPat(bytes)?.transportStreamId ?? -1),
          damaged: () => damaged++,
        });
        for (const { payload, isStart } of packedSections(sections))
          collector.push(payload, 0, payload.length, isStart);
        expect(found).toEqual(sizes);
        expect(damaged).toBe(0);
      }),
    );
  });

  it('with a wrong CRC are reported, and the next section is read', () => {
    let damaged = 0;
    let completed = 0;
    const collector = new SectionCollector({ section: () => completed++, damaged: () => damaged++ });
    const good = Buffer.from([
      0,
      ...writePat({
        transportStreamId: 1,
        version: 0,
        isCurrent: true,
        sectionNumber: 0,
        lastSectionNumber: 0,
        programs: [],
      }),
    ]);
    const bad = Buffer.from(good);
    bad[5] = 99;
    collector.push(bad, 0, bad.length, true);
    collector.push(good, 0, good.length, true);
    expect([damaged, completed]).toEqual([1, 1]);
  });
});

/** Consecutive sections in payloads of 184 bytes, with a pointer field where a section starts. */
function packedSections(sections: readonly Uint8Array[]): { payload: Buffer; isStart: boolean }[] {
  const all = Buffer.concat(sections);
  const starts: number[] = [];
  let sum = 0;
  for (const section of sections) {
    starts.push(sum);
    sum += section.length;
  }
  const packets: { payload: Buffer; isStart: boolean }[] = [];
  for (let at = 0; at < all.length;) {
    const start = starts.find((one) => one >= at && one < at + 183);
    const payloadBytes = start === undefined ? 184 : 183;
    const part = all.subarray(at, at + payloadBytes);
    const filled = Buffer.concat([part, Buffer.alloc(payloadBytes - part.length, 0xff)]);
    packets.push({
      payload: start === undefined ? filled : Buffer.concat([Buffer.of(start - at), filled]),
      isStart: start !== undefined,
    });
    at += part.length;
  }
  return packets;
}
