import { beforeAll, describe, expect, it } from 'vitest';
import { ffmpeg, testSources } from '../../../../tests/helpers/ffmpeg-media.ts';
import { RecordingSink } from '../../../../tests/helpers/recording-sink.ts';
import { declarationOf } from './content-probe.ts';
import { PidOutput, PacketOutput } from './packet-output.ts';
import { PACKET_BYTES } from './packet.ts';
import { writePesHeader } from './pes-header.ts';
import { readPmt, writePmt, type Pmt } from './pmt.ts';
import { MpegTsReader } from './reader.ts';

const VIDEO_PID = 256;
const AUDIO_PID = 257;
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-x264-params', 'keyint=25:threads=1'];
const H265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'keyint=25:log-level=error:pools=1'];

function read(bytes: Uint8Array, chunkBytes = bytes.length): { sink: RecordingSink; reader: MpegTsReader } {
  const sink = new RecordingSink();
  const reader = new MpegTsReader(sink);
  for (let at = 0; at < bytes.length; at += chunkBytes) reader.push(bytes.subarray(at, at + chunkBytes));
  reader.flush();
  return { sink, reader };
}

const codecs = ({ sink }: { sink: RecordingSink }) =>
  sink.announcements.map((tracks) =>
    tracks.map(({ id, codec, language }) => [id, codec, language ?? ''].join(' ').trim()),
  );

/** The stream with another program map table, in one packet, as ffmpeg writes it. */
function withMap(bytes: Buffer, change: (pmt: Pmt) => Pmt): Buffer {
  const changed = Buffer.from(bytes);
  for (let at = 0; at < changed.length; at += PACKET_BYTES) {
    if ((changed.readUInt16BE(at + 1) & 0x1fff) !== 0x1000) continue;
    const section = changed.subarray(at + 5, at + 8 + (changed.readUInt16BE(at + 6) & 0xfff));
    const pmt = readPmt(section) ?? expect.fail('no map');
    changed.fill(0xff, at + 5, at + PACKET_BYTES).set(writePmt(change(pmt)), at + 5);
  }
  return changed;
}

/** The map with some streams declared as private data, without the descriptors of their codec. */
const undeclared = (pids: readonly number[]) => (pmt: Pmt) => ({
  ...pmt,
  streams: pmt.streams.map((stream) =>
    pids.includes(stream.pid)
      ? { ...stream, streamType: 0x06, descriptors: stream.descriptors.filter(({ tag }) => tag === 0x0a) }
      : stream,
  ),
});

/** The map with one more private stream, without any descriptors. */
const withData = (pid: number) => (pmt: Pmt) => ({
  ...pmt,
  streams: [{ streamType: 0x06, pid, descriptors: [] }, ...pmt.streams],
});

/** PES packet of a private stream, as transport packets. */
function dataPackets(pid: number, payload: Uint8Array, ptsTicks: number): Buffer {
  const head = Buffer.alloc(14);
  const packetLengthBytes = payload.length + 8;
  writePesHeader({ streamId: 0xbd, packetLengthBytes, ptsTicks, isAligned: true, isScrambled: false }, head);
  const output = new PacketOutput();
  const unit = Buffer.concat([head, payload]);
  output.payload(new PidOutput(pid, 0), unit, unit.length, { isRandomAccess: false, isDiscontinuity: true });
  return Buffer.from(output.take());
}

function encoded(audio: readonly string[], video: readonly string[] = H264): Buffer {
  return ffmpeg([...testSources(2, 1), ...video, ...audio, '-metadata:s:a:0', 'language=deu', '-f', 'mpegts']);
}

let basic: Buffer;

beforeAll(() => {
  basic = encoded(['-c:a', 'aac']);
});

describe('a private stream without a descriptor of its codec', () => {
  it.each([
    ['aac', ['-c:a', 'aac']],
    ['ac3', ['-c:a', 'ac3']],
    ['eac3', ['-c:a', 'eac3']],
    ['mp2', ['-c:a', 'mp2']],
    ['mp3', ['-c:a', 'libmp3lame']],
    ['opus', ['-c:a', 'libopus']],
  ])('is detected as %s by its frames, without losing a unit', (codec, args) => {
    const plain = encoded(args);
    const changed = withMap(plain, undeclared([AUDIO_PID]));
    expect(codecs(read(changed))).toEqual([['v1 h264', `a1 ${codec} deu`]]);
    for (const chunkBytes of [changed.length, 188, 1316]) {
      const { sink } = read(changed, chunkBytes);
      for (const id of ['v1', 'a1']) expect(sink.units(id)).toEqual(read(plain).sink.units(id));
      expect(sink.problems).toEqual([]);
    }
  });

  it.each([
    ['h264', H264],
    ['h265', H265],
  ])('is detected as %s by its parameter sets', (codec, video) => {
    const plain = encoded(['-c:a', 'aac'], video);
    const all = read(withMap(plain, undeclared([VIDEO_PID, AUDIO_PID])));
    expect(codecs(all)).toEqual([[`v1 ${codec}`, 'a1 aac deu']]);
    for (const id of ['v1', 'a1']) expect(all.sink.units(id)).toEqual(read(plain).sink.units(id));
    expect(all.sink.problems).toEqual([]);
  });

  it('is reported with its codec if that codec is not supported', () => {
    const { sink } = read(encoded(['-c:a', 'aac', '-mpegts_flags', 'latm']));
    const hidden = read(withMap(encoded(['-c:a', 'aac', '-mpegts_flags', 'latm']), undeclared([AUDIO_PID])));
    expect(sink.codes).toEqual(['codec_unknown']);
    expect(hidden.sink.problems).toEqual(sink.problems);
    expect(codecs(hidden)).toEqual([['v1 h264']]);
  });

  it('is declared with its codec in `programMap`, so that another reader can start from it', () => {
    const changed = withMap(basic, undeclared([AUDIO_PID]));
    const map = read(changed).reader.programMap ?? expect.fail('no map');
    expect(map.streams.map(({ streamType }) => streamType)).toEqual([0x1b, 0x0f]);
    const sink = new RecordingSink();
    const reader = new MpegTsReader(sink, { found: { map, configs: new Map() } });
    reader.push(changed);
    reader.flush();
    expect(sink.units('a1')).toEqual(read(basic).sink.units('a1'));
  });

  it('delays the other tracks by at most two seconds, and is no track if it carries data', () => {
    const changed = withMap(basic, withData(300));
    const silent = read(changed);
    expect(codecs(silent)).toEqual([['v1 h264', 'a1 aac deu']]);
    expect(silent.sink.units()).toHaveLength(read(basic).sink.units().length);
    expect(silent.sink.problems).toEqual([]);
    const sink = new RecordingSink();
    const reader = new MpegTsReader(sink);
    for (let at = 0; at < changed.length && sink.announcements.length === 0; at += 188) {
      reader.push(changed.subarray(at, at + 188));
      if (at % 1880 === 0) reader.push(dataPackets(300, Buffer.alloc(120, at), 90_000));
    }
    const units = sink.units('v1');
    expect(units.length).toBeGreaterThan(10);
    expect(units.at(-1)!.dtsTicks - units[0]!.dtsTicks).toBeLessThan(2 * 90_000);
    expect(sink.announcements).toHaveLength(1);
  });

  it('counts as data after four megabytes without a codec, and releases its memory', () => {
    const sink = new RecordingSink();
    const reader = new MpegTsReader(sink);
    const changed = withMap(basic, withData(300));
    reader.push(changed.subarray(0, 188 * 400));
    const before = reader.bufferedBytes;
    let largest = 0;
    for (let sent = 0; sent < 5_000_000; sent += 60_000) {
      reader.push(dataPackets(300, Buffer.alloc(60_000, sent / 60_000), 90_000));
      largest = Math.max(largest, reader.bufferedBytes - before);
    }
    expect(largest).toBeGreaterThan(60_000);
    expect(largest).toBeLessThan(1.5 * 1024 * 1024);
    reader.push(changed.subarray(188 * 400));
    reader.flush();
    const plain = read(basic);
    expect(sink.units('a1')).toHaveLength(plain.sink.units('a1').length);
    expect(reader.bufferedBytes).toBe(plain.reader.bufferedBytes);
  });

  it('may be the only stream of the program', () => {
    const plain = ffmpeg(['-f', 'lavfi', '-i', 'sine=440:48000:d=2', '-c:a', 'aac', '-f', 'mpegts']);
    const { sink } = read(withMap(plain, undeclared([VIDEO_PID])));
    expect(codecs({ sink })).toEqual([['a1 aac']]);
    expect(sink.units()).toEqual(read(plain).sink.units());
    expect(sink.problems).toEqual([]);
  });
});

describe('declarationOf', () => {
  it('detects no codec in random bytes', () => {
    let state = 1;
    const bytes = Buffer.alloc(1 << 20);
    for (let at = 0; at < bytes.length; at++) {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      bytes[at] = state >>> 16;
    }
    expect(declarationOf(bytes)).toBeUndefined();
  });

  it('detects DTS', () => {
    const frames = ffmpeg([
      '-f',
      'lavfi',
      '-i',
      'sine=440:48000:d=1',
      '-ac',
      '2',
      '-c:a',
      'dca',
      '-strict',
      '-2',
      '-f',
      'dts',
    ]);
    expect(declarationOf(frames)?.descriptors.map(({ data }) => Buffer.from(data).toString())).toEqual(['DTS1']);
  });
});
