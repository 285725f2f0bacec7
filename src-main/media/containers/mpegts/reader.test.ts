import { because } from '../../../../src-preload/contract/explanations/explanations.ts';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { ffmpeg, probePackets, testSources, type ProbedPacket } from '../../../../tests/helpers/ffmpeg-media.ts';
import { PidOutput, PacketOutput } from './packet-output.ts';
import { writePesHeader } from './pes-header.ts';
import { readPacketHeader, writePcr } from './packet.ts';
import { writePmt } from './pmt.ts';
import { MpegTsReader, type MpegTsReaderOptions } from './reader.ts';
import { RecordingSink } from '../../../../tests/helpers/recording-sink.ts';

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-x264-params', 'keyint=25:b-adapt=0:threads=1'];
const H265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'keyint=25:bframes=2:log-level=error:pools=1'];

function read(
  bytes: Uint8Array,
  options: MpegTsReaderOptions = {},
  chunkBytes = bytes.length,
): { sink: RecordingSink; reader: MpegTsReader } {
  const sink = new RecordingSink();
  const reader = new MpegTsReader(sink, options);
  for (let at = 0; at < bytes.length; at += chunkBytes) reader.push(bytes.subarray(at, at + chunkBytes));
  reader.flush();
  return { sink, reader };
}

const asProbed = (sink: RecordingSink, trackId: string): Omit<ProbedPacket, 'stream'>[] =>
  sink.units(trackId).map(({ ptsTicks, dtsTicks, isRandomAccess }) => ({ ptsTicks, dtsTicks, isKey: isRandomAccess }));

/** Adds ticks to the timestamps of a track (ISO/IEC 13818-1, 2.4.3.7). */
function moveTimes(bytes: Buffer, pid: number, ticks: number): void {
  for (let at = 0; at < bytes.length; at += 188) {
    const header = bytes.readUInt16BE(at + 1);
    if ((header & 0x5fff) !== (0x4000 | pid)) continue;
    const start = at + 4 + ((bytes[at + 3]! & 0x20) === 0 ? 0 : 1 + bytes[at + 4]!);
    for (let field = 0; field < [0, 0, 1, 2][bytes[start + 7]! >> 6]!; field++) {
      const own = start + 9 + field * 5;
      const old =
        ((bytes[own]! >> 1) & 7) * 2 ** 30 +
        (bytes.readUInt16BE(own + 1) >> 1) * 2 ** 15 +
        (bytes.readUInt16BE(own + 3) >> 1);
      const time = old + ticks;
      bytes[own] = (bytes[own]! & 0xf1) | (Math.floor(time / 2 ** 30) << 1);
      bytes.writeUInt16BE((Math.floor(time / 2 ** 15) % 2 ** 15) * 2 + 1, own + 1);
      bytes.writeUInt16BE((time % 2 ** 15) * 2 + 1, own + 3);
    }
  }
}

/** The stream without some packets of one PID, selected by their index within that PID. */
function without(bytes: Buffer, pid: number, isLost: (index: number) => boolean): Buffer {
  const kept: Buffer[] = [];
  let index = 0;
  for (let at = 0; at + 188 <= bytes.length; at += 188) {
    const isOther = (bytes.readUInt16BE(at + 1) & 0x1fff) !== pid;
    if (isOther || !isLost(index++)) kept.push(bytes.subarray(at, at + 188));
  }
  return Buffer.concat(kept);
}

let basic: Buffer;

beforeAll(() => {
  basic = ffmpeg([...testSources(3, 1), ...H264, '-c:a', 'aac', '-metadata:s:a:0', 'language=deu', '-f', 'mpegts']);
});

describe('MpegTsReader with a stream of ffmpeg', () => {
  it('returns the tracks, times and random access points that ffprobe reports', () => {
    const { sink, reader } = read(basic);
    const probed = probePackets(basic);
    expect(sink.announcements).toHaveLength(1);
    expect(
      sink.announcements[0]?.map(({ id, codec, language, sourceId }) => ({ id, codec, language, sourceId })),
    ).toEqual([
      { id: 'v1', codec: 'h264', language: undefined, sourceId: 256 },
      { id: 'a1', codec: 'aac', language: 'deu', sourceId: 257 },
    ]);
    ['v1', 'a1'].forEach((trackId, stream) => {
      const expected = probed.filter((packet) => packet.stream === stream).map(({ stream: _, ...rest }) => rest);
      expect(expected.length).toBeGreaterThan(70);
      expect(asProbed(sink, trackId)).toEqual(expected);
    });
    expect(sink.problems).toEqual([]);
    expect(reader.stats).toMatchObject({
      packets: basic.length / 188,
      skippedBytes: 0,
      syncLosses: 0,
      tableErrors: 0,
      programNumber: 1,
    });
  });

  it.each([
    [
      'H.265, AC-3 and E-AC-3',
      [...testSources(2, 2), '-map', '0', '-map', '1', '-map', '2', ...H265, '-c:a:0', 'ac3', '-c:a:1', 'eac3'],
      ['h265', 'ac3', 'eac3'],
    ],
    [
      'MP3, layer II and Opus',
      [
        ...testSources(2, 3),
        '-map',
        '1',
        '-map',
        '2',
        '-map',
        '3',
        '-c:a:0',
        'libmp3lame',
        '-c:a:1',
        'mp2',
        '-c:a:2',
        'libopus',
      ],
      ['mp3', 'mp2', 'opus'],
    ],
  ])('returns the same packets as ffprobe for %s', (_, args, codecs) => {
    const bytes = ffmpeg([...args, '-f', 'mpegts']);
    const { sink } = read(bytes);
    const probed = probePackets(bytes);
    const tracks = sink.announcements[0] ?? [];
    expect(tracks.map(({ codec }) => codec)).toEqual(codecs);
    tracks.forEach(({ id }, stream) => {
      expect(asProbed(sink, id)).toEqual(
        probed.filter((packet) => packet.stream === stream).map(({ stream: _stream, ...rest }) => rest),
      );
    });
    expect(sink.codes).toEqual([]);
  });

  it('returns the same units for chunks of any size', () => {
    const calls = read(basic).sink.calls;
    expect(calls.length).toBeGreaterThan(100);
    for (const chunkBytes of [1, 187, 188, 1316, 4099, 65_536])
      expect(read(basic, {}, chunkBytes).sink.calls).toEqual(calls);
  });

  it('loses no media that precedes the tables', () => {
    const packets = Array.from({ length: basic.length / 188 }, (_, n) => basic.subarray(n * 188, n * 188 + 188));
    const isTable = (packet: Buffer): boolean => [0, 0x1000].includes(packet.readUInt16BE(1) & 0x1fff);
    const early = packets.slice(0, 100).filter((packet) => !isTable(packet));
    const { sink, reader } = read(
      Buffer.concat([...early, ...packets.slice(0, 100).filter(isTable), ...packets.slice(100)]),
    );
    const plain = read(basic);
    expect(early.length).toBeGreaterThan(90);
    expect(sink.calls).toEqual(plain.sink.calls);
    expect(reader.stats.packets).toBe(plain.reader.stats.packets);
  });

  it('unrolls the 33-bit wrap equally for all tracks', () => {
    const wrapSeconds = 2 ** 33 / 90_000;
    const bytes = ffmpeg([
      ...testSources(3, 1),
      ...H264,
      '-c:a',
      'aac',
      '-output_ts_offset',
      String(wrapSeconds - 2.9),
      '-f',
      'mpegts',
    ]);
    const { sink } = read(bytes);
    for (const trackId of ['v1', 'a1']) {
      const times = sink.units(trackId).map(({ dtsTicks }) => dtsTicks);
      expect(Math.max(...times)).toBeGreaterThan(2 ** 33);
      expect(
        times.every((time, index) => index === 0 || (time > times[index - 1]! && time - times[index - 1]! < 9000)),
      ).toBe(true);
    }
  });

  it('reads packets of 192 and 204 bytes', () => {
    const plain = read(basic).sink.units();
    for (const [before, after] of [
      [4, 0],
      [0, 16],
    ] as const) {
      const parts: Buffer[] = [];
      for (let at = 0; at < basic.length; at += 188)
        parts.push(Buffer.alloc(before, at / 188), basic.subarray(at, at + 188), Buffer.alloc(after, 9));
      expect(read(Buffer.concat(parts)).sink.units()).toEqual(plain);
    }
  });

  it('reports an unsupported codec, and continues with the other tracks', () => {
    const bytes = ffmpeg([...testSources(2, 1), '-c:v', 'mpeg2video', '-c:a', 'aac', '-f', 'mpegts']);
    const { sink } = read(bytes);
    expect(sink.problems).toEqual([
      {
        code: 'codec_unknown',
        ...because('video_not_carried', { place: because('place_pid', { pid: 256 }), codec: 'MPEG-2 video' }),
        leftOut: [{ content: 'video', codec: 'MPEG-2 video' }],
      },
    ]);
    expect(sink.announcements[0]?.map(({ id }) => id)).toEqual(['a1']);
    expect(sink.units('a1').length).toBeGreaterThan(80);
  });
});

/**
 * The stream with PIDs changed from the n-th video PES packet on. A new program map table declares the change before
 * that packet or an earlier one.
 */
function withMovedPids(
  bytes: Buffer,
  pids: ReadonlyMap<number, number>,
  pesPacket: number,
  mapPacket = pesPacket,
): Buffer {
  const changed = Buffer.from(bytes);
  const pidAt = (at: number): number => changed.readUInt16BE(at + 1) & 0x1fff;
  const map = read(bytes).reader.programMap ?? expect.fail('no map');
  const section = writePmt({
    ...map,
    version: map.version + 1,
    pcrPid: pids.get(map.pcrPid) ?? map.pcrPid,
    streams: map.streams.map((stream) => ({ ...stream, pid: pids.get(stream.pid) ?? stream.pid })),
  });
  const output: Buffer[] = [];
  let starts = 0;
  let continuity = -1;
  let lastMap = Buffer.alloc(0);
  for (let at = 0; at < changed.length; at += 188) {
    const packet = changed.subarray(at, at + 188);
    const isStart = (packet[1]! & 0x40) !== 0;
    if (pidAt(at) === 256 && isStart && ++starts === mapPacket) {
      const inserted = Buffer.from(lastMap);
      inserted.fill(0xff, 5).set(section, 5);
      output.push(inserted);
    }
    if (pidAt(at) === 0x1000) {
      if (starts >= mapPacket) packet.fill(0xff, 5).set(section, 5);
      lastMap = packet;
    }
    if (starts >= pesPacket)
      packet.writeUInt16BE((packet.readUInt16BE(1) & 0xe000) | (pids.get(pidAt(at)) ?? pidAt(at)), 1);
    output.push(packet);
  }
  expect(starts).toBeGreaterThan(pesPacket);
  // The continuity counters after the inserted packet continue from it.
  for (const packet of output) {
    if ((packet.readUInt16BE(1) & 0x1fff) !== 0x1000) continue;
    continuity = (continuity + 1) & 0x0f;
    packet[3] = (packet[3]! & 0xf0) | continuity;
  }
  return Buffer.concat(output);
}

describe('MpegTsReader with PIDs that change', () => {
  it.each([
    [
      'all',
      new Map([
        [256, 512],
        [257, 513],
      ]),
    ],
    ['the video', new Map([[256, 300]])],
    ['the audio', new Map([[257, 300]])],
    [
      'video and audio swapped',
      new Map([
        [256, 257],
        [257, 256],
      ]),
    ],
  ])('continues without a loss: %s', (_, pids) => {
    for (const isLive of [false, true]) {
      const plain = read(basic, { isLive }).sink;
      for (const pesPacket of [1, 2, 38, 60]) {
        const { sink } = read(withMovedPids(basic, pids, pesPacket), { isLive });
        for (const trackId of ['v1', 'a1']) expect(sink.units(trackId)).toEqual(plain.units(trackId));
        expect(sink.problems).toEqual([]);
        expect(sink.announcements).toHaveLength(1);
      }
    }
  });

  it('reads the old PIDs until the first packet on the new PIDs', () => {
    const pids = new Map([
      [256, 512],
      [257, 513],
    ]);
    const { sink } = read(withMovedPids(basic, pids, 38, 20));
    const plain = read(basic).sink;
    for (const trackId of ['v1', 'a1']) expect(sink.units(trackId)).toEqual(plain.units(trackId));
    expect(sink.problems).toEqual([]);
  });

  it('matches tracks by language if two PIDs change at once', () => {
    const bytes = ffmpeg([
      ...testSources(2, 2),
      '-map',
      '0',
      '-map',
      '1',
      '-map',
      '2',
      ...H264,
      '-c:a',
      'aac',
      '-metadata:s:a:0',
      'language=deu',
      '-metadata:s:a:1',
      'language=eng',
      '-f',
      'mpegts',
    ]);
    const plain = read(bytes).sink;
    // Each audio track takes the former place of the other in the map, on a new PID.
    const { sink } = read(
      withMovedPids(
        bytes,
        new Map([
          [257, 302],
          [258, 301],
        ]),
        20,
      ),
    );
    for (const trackId of ['v1', 'a1', 'a2']) expect(sink.units(trackId)).toEqual(plain.units(trackId));
    expect(sink.announcements).toHaveLength(1);
  });
});

describe('MpegTsReader with several programs', () => {
  it('reads the first program by default, or the requested one', () => {
    const bytes = ffmpeg([
      ...testSources(2, 2),
      '-map',
      '0',
      '-map',
      '1',
      '-map',
      '2',
      ...H264,
      '-c:a:0',
      'aac',
      '-c:a:1',
      'mp2',
      '-program',
      'title=one:program_num=7:st=0:st=1',
      '-program',
      'title=two:program_num=9:st=2',
      '-f',
      'mpegts',
    ]);
    expect(read(bytes).sink.announcements[0]?.map(({ codec }) => codec)).toEqual(['h264', 'aac']);
    expect(read(bytes).reader.stats.programNumber).toBe(7);
    const second = read(bytes, { program: 9 });
    expect(second.sink.announcements[0]?.map(({ id, codec }) => [id, codec])).toEqual([['a1', 'mp2']]);
    expect(second.sink.units().every(({ trackId }) => trackId === 'a1')).toBe(true);
    expect(read(bytes, { program: 8 }).sink.problems).toEqual([
      { code: 'ts_program_not_found', ...because('ts_no_program', { program: 8, programs: '7, 9' }) },
    ]);
  });
});

/** The stream with changed clock references. A reference is removed if `change` returns undefined. */
function withClockReferences(bytes: Buffer, change: (index: number, ticks: number) => number | undefined): Buffer {
  const changed = Buffer.from(bytes);
  let index = 0;
  for (let at = 0; at + 188 <= changed.length; at += 188) {
    const { pcrTicks } = readPacketHeader(changed, at) ?? {};
    if (pcrTicks === undefined) continue;
    const ticks = change(index++, pcrTicks);
    // Without the flag, the bytes of the reference are stuffing.
    if (ticks === undefined) changed[at + 5] = (changed[at + 5] ?? 0) & ~0x10;
    else writePcr(changed, at + 6, ticks);
  }
  return changed;
}

describe('the PCR check', () => {
  const codes = (bytes: Buffer, watchesClock = true): readonly string[] =>
    read(bytes, { watchesClock }).sink.problems.map(({ code }) => code);

  it('accepts the PCR of ffmpeg, also if it wraps to 0', () => {
    expect(codes(basic)).toEqual([]);
    expect(codes(withClockReferences(basic, (_, ticks) => ticks + 2 ** 33 - 200_000))).toEqual([]);
  });

  it('reports a PCR that comes after more than 100 ms', () => {
    let lastTicks = -Infinity;
    const sparse = withClockReferences(basic, (_, ticks) =>
      ticks - lastTicks < 20_000 ? undefined : (lastTicks = ticks),
    );
    const late = codes(sparse);
    expect(late.length).toBeGreaterThan(3);
    expect(new Set(late)).toEqual(new Set(['ts_pcr_late']));
    expect(codes(sparse, false)).toEqual([]);
  });

  it.each([-9_000, -300_000, 300_000])('reports a jump by %i ticks once, and continues', (by) => {
    expect(codes(withClockReferences(basic, (index, ticks) => (index > 20 ? ticks + by : ticks)))).toEqual([
      'ts_pcr_jump',
    ]);
  });
});

describe('damage to a transport stream', () => {
  it('by a few lost packets is counted and affects only their content', () => {
    const { sink, reader } = read(without(basic, 256, (index) => index === 40 || index === 41));
    const video = reader.stats.pids.find(({ pid }) => pid === 256);
    expect(video?.continuityErrors).toBe(1);
    expect(sink.codes).toEqual(['ts_continuity']);
    const complete = read(basic).sink;
    expect(sink.units('a1')).toEqual(complete.units('a1'));
    expect(sink.units('v1').length).toBeGreaterThanOrEqual(complete.units('v1').length - 1);
  });

  it('that is flagged as a transport error is dropped and counted', () => {
    const bytes = Buffer.from(basic);
    bytes[50 * 188 + 1]! |= 0x80;
    const { sink, reader } = read(bytes);
    expect(reader.stats.pids.reduce((sum, { transportErrors }) => sum + transportErrors, 0)).toBe(1);
    expect(sink.codes).toContain('ts_transport_error');
  });

  it('by duplicate packets changes no unit', () => {
    const parts: Buffer[] = [];
    for (let at = 0; at < basic.length; at += 188) {
      const packet = basic.subarray(at, at + 188);
      parts.push(packet);
      if ((packet.readUInt16BE(1) & 0x1fff) === 256 && at % 5 === 0) parts.push(packet);
    }
    const { sink, reader } = read(Buffer.concat(parts));
    expect(sink.units()).toEqual(read(basic).sink.units());
    expect(reader.stats.pids.find(({ pid }) => pid === 256)?.duplicates).toBeGreaterThan(5);
    expect(sink.problems).toEqual([]);
  });

  it('by scrambling is reported once, and once with the omitted track', () => {
    const bytes = Buffer.from(basic);
    for (let at = 0; at < bytes.length; at += 188)
      if ((bytes.readUInt16BE(at + 1) & 0x1fff) === 256) bytes[at + 3]! |= 0x80;
    const { sink, reader } = read(bytes);
    const reports = sink.problems.filter(({ code }) => code === 'ts_scrambled');
    expect(reports.map(({ leftOut }) => leftOut)).toEqual([
      undefined,
      [{ content: 'video', codec: 'H.264', isEncrypted: true }],
    ]);
    expect(reader.stats.pids.find(({ pid }) => pid === 256)?.scrambledPackets).toBeGreaterThan(100);
    expect(sink.announcements[0]?.map(({ id }) => id)).toEqual(['a1']);
  });

  it('at random positions never throws, and gives the same units for chunks of any size', () => {
    const faults = fc.array(fc.tuple(fc.nat(basic.length - 1), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 300,
    });
    fc.assert(
      fc.property(faults, fc.integer({ min: 50, max: 5000 }), (where, chunkBytes) => {
        const bytes = Buffer.from(basic);
        for (const [at, value] of where) bytes[at] = value;
        const complete = read(bytes);
        expect(read(bytes, {}, chunkBytes).sink.calls).toEqual(complete.sink.calls);
      }),
      { numRuns: 40 },
    );
  });

  it('by an endless picture affects only that picture, within the memory limit', () => {
    const output = new PacketOutput();
    const pidOutput = new PidOutput(256, 0);
    const huge = Buffer.alloc(9 * 1024 * 1024, 0xaa);
    writePesHeader(
      { streamId: 0xe0, packetLengthBytes: 0, ptsTicks: 90_000, isAligned: true, isScrambled: false },
      huge,
    );
    output.payload(pidOutput, huge, huge.length, { isRandomAccess: true, isDiscontinuity: true });
    const { sink } = read(Buffer.concat([basic, output.take(), basic]));
    expect(sink.codes).toContain('pes_too_large');
    expect(sink.units('v1').length).toBeGreaterThan(100);
  });

  it('to one byte of the tables loses at most three packets', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const bytes = Buffer.from(basic.subarray(0, 188 * 100));
        // Any byte of the tables at the start of the stream: SDT, PAT and PMT.
        bytes[at % (3 * 188)]! ^= mask;
        const { sink, reader } = read(bytes);
        // A damaged sync byte loses its packet, and up to two more until the packet grid is found again.
        expect(reader.stats.packets).toBeGreaterThanOrEqual(97);
        expect(sink.announcements.length).toBeLessThanOrEqual(1);
      }),
      { examples: [[376, 1]] },
    );
  });
});

describe('waiting for parameter sets', () => {
  it('ends after four seconds of media with the tracks found until then', () => {
    const long = ffmpeg([...testSources(7, 1), ...H264, '-c:a', 'aac', '-f', 'mpegts']);
    // Without any packets, the video format stays unknown.
    const sink = new RecordingSink();
    new MpegTsReader(sink).push(without(long, 256, () => true));
    expect(sink.announcements[0]?.map(({ id }) => id)).toEqual(['a1']);
    expect(sink.codes).toContain('codec_no_config');
    expect(sink.units('a1').length).toBeGreaterThan(300);
  });

  it('does not end because the clocks of two tracks differ by an hour', () => {
    const long = ffmpeg([...testSources(4, 1), ...H264, '-c:a', 'aac', '-f', 'mpegts']);
    // The first key frame is missing. The next one follows after a second.
    const bytes = without(long, 256, (index) => index < 2);
    moveTimes(bytes, 257, 3600 * 90_000);
    const { sink } = read(bytes);
    expect(sink.codes).not.toContain('codec_no_config');
    expect(sink.announcements.map((tracks) => tracks.map(({ id }) => id))).toEqual([['v1', 'a1']]);
  });

  it('lets a track that is found later be announced later', () => {
    const long = ffmpeg([...testSources(8, 1), ...H264, '-c:a', 'aac', '-f', 'mpegts']);
    const { sink } = read(without(long, 256, (index) => index < 700));
    expect(sink.announcements.map((tracks) => tracks.map(({ id }) => id))).toContainEqual(['v1', 'a1']);
    const order = sink.calls.flatMap((call) =>
      'tracks' in call ? ['tracks'] : 'unit' in call && call.unit.trackId === 'v1' ? ['v1'] : [],
    );
    expect(order.indexOf('v1')).toBeGreaterThan(order.indexOf('tracks'));
  });
});
