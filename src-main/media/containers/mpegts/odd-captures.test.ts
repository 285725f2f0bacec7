import { beforeAll, describe, expect, it } from 'vitest';
import { ffmpeg, testSources } from '../../../../tests/helpers/ffmpeg-media.ts';
import { RecordingSink } from '../../../../tests/helpers/recording-sink.ts';
import { PACKET_BYTES } from './packet.ts';
import { readPmt, writePmt, type Pmt } from './pmt.ts';
import { MpegTsReader } from './reader.ts';

function read(bytes: Uint8Array): RecordingSink {
  const sink = new RecordingSink();
  const reader = new MpegTsReader(sink);
  reader.push(bytes);
  reader.flush();
  return sink;
}

const codecs = (sink: RecordingSink) => sink.announcements.at(-1)?.map(({ id, codec }) => `${id} ${codec}`);

function packets(bytes: Buffer): Buffer[] {
  return Array.from({ length: bytes.length / PACKET_BYTES }, (_, at) =>
    Buffer.from(bytes.subarray(at * PACKET_BYTES, (at + 1) * PACKET_BYTES)),
  );
}
const pidOf = (packet: Buffer) => packet.readUInt16BE(1) & 0x1fff;

/** The stream with another program map table, which is in one packet, as ffmpeg writes it. */
function withMap(bytes: Buffer, change: (pmt: Pmt) => Pmt): Buffer {
  for (const packet of packets(bytes)) {
    const pmt =
      pidOf(packet) === 0x1000 ? readPmt(packet.subarray(5, 8 + (packet.readUInt16BE(6) & 0xfff))) : undefined;
    if (!pmt) continue;
    const section = writePmt(change(pmt));
    const changed = packets(bytes);
    for (const one of changed) if (pidOf(one) === 0x1000) one.fill(0xff, 5).set(section, 5);
    return Buffer.concat(changed);
  }
  throw new Error('no map');
}

/** The stream with the payload of some PIDs marked as scrambled. */
function scrambled(bytes: Buffer, pids: readonly number[]): Buffer {
  const changed = packets(bytes);
  for (const packet of changed) if (pids.includes(pidOf(packet))) packet[3]! |= 0x80;
  return Buffer.concat(changed);
}

/** One program of one second. */
let one: Buffer;
/** Two programs, 7 and 9, of one second. */
let two: Buffer;
/** One program of several seconds, so that video packets follow the announcement of the audio. */
let long: Buffer;

beforeAll(() => {
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-x264-params', 'keyint=25:threads=1'];
  one = ffmpeg([...testSources(1, 1), ...h264, '-c:a', 'aac', '-f', 'mpegts']);
  long = ffmpeg([...testSources(4, 3), ...h264, '-c:a', 'aac', '-f', 'mpegts']);
  const maps = ['-map', '0', '-map', '1', '-map', '0', '-map', '1'];
  const programs = ['-program', 'program_num=7:st=0:st=1', '-program', 'program_num=9:st=2:st=3'];
  two = ffmpeg([...testSources(3, 1), ...maps, ...h264, '-c:a', 'aac', ...programs, '-f', 'mpegts']);
});

describe('MpegTsReader with unusual transport streams', () => {
  it('reads AAC that is declared as MPEG audio', () => {
    const original = read(one);
    const streams = (pmt: Pmt) => pmt.streams.map((s) => (s.streamType === 0x0f ? { ...s, streamType: 0x03 } : s));
    const sink = read(withMap(one, (pmt) => ({ ...pmt, streams: streams(pmt) })));
    expect(codecs(sink)).toEqual(['v1 h264', 'a1 aac']);
    expect(sink.units('a1')).toEqual(original.units('a1'));
    expect(sink.problems).toEqual([]);
  });

  it('reports the names of unsupported codecs', () => {
    const types = [0x02, 0x11];
    const streams = (pmt: Pmt) => pmt.streams.map((s, at) => ({ ...s, streamType: types[at]! }));
    const sink = read(withMap(one, (pmt) => ({ ...pmt, streams: streams(pmt) })));
    expect(sink.problems.find(({ code }) => code === 'input_no_tracks')?.detail).toBe(
      'The programmes carry MPEG-2 video, AAC in LATM, which Airdesk does not carry',
    );
  });

  it('reads the first program with a clear track', () => {
    const { programNumber } = statsOf(two);
    expect(programNumber).toBe(7);
    expect(statsOf(scrambled(two, [256, 257])).programNumber).toBe(9);
    expect(codecs(read(scrambled(two, [256, 257])))).toEqual(['v1 h264', 'a1 aac']);
    expect(statsOf(scrambled(two, [256])).programNumber).toBe(7);
    expect(statsOf(scrambled(two, [256, 257, 258, 259])).programNumber).toBeDefined();
  });

  it('announces the clear track at once if the other track is scrambled', () => {
    const sink = read(scrambled(long, [256]));
    expect(codecs(sink)).toEqual(['a1 aac']);
    const [firstUnit] = sink.calls.flatMap((call, at) => ('unit' in call ? [at] : []));
    const lastUnit = sink.units().length;
    expect(firstUnit).toBeLessThan(10);
    expect(lastUnit).toBeGreaterThan(30);
    expect(sink.codes).toEqual(['ts_scrambled']);
    const [, named] = sink.problems;
    expect(named?.leftOut).toEqual([{ content: 'video', codec: 'H.264', isEncrypted: true }]);
    expect(named?.detail).toContain('PID 256: the H.264 is encrypted');
  });

  it('reports the scrambled tracks if no program is clear', () => {
    const minutes = Buffer.concat(Array.from({ length: 20 }, () => scrambled(long, [256, 257])));
    const named = read(minutes).problems.flatMap(({ leftOut = [] }) => leftOut);
    expect(named).toContainEqual({ content: 'video', codec: 'H.264', isEncrypted: true });
  });

  it('does not report tracks of a scrambled program if another program is chosen', () => {
    expect(read(scrambled(two, [256, 257])).problems.filter(({ leftOut }) => leftOut)).toEqual([]);
  });
});

function statsOf(bytes: Buffer): MpegTsReader['stats'] {
  const reader = new MpegTsReader(new RecordingSink());
  reader.push(bytes);
  return reader.stats;
}
