import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFiles, probeMade, remadeFile } from '../../../tests/helpers/made-media.ts';
import type { FormatProblem } from '../access-unit.ts';
import { Ac3Splitter } from './ac3/splitter.ts';
import { trackFromDac3, trackFromDec3 } from './ac3/track.ts';
import { AdtsSplitter } from './aac/splitter.ts';
import { writeAdtsHeader } from './aac/adts.ts';
import type { AudioSplitter, VideoAssembler } from './assembler.ts';
import { H264Assembler } from './h264/assembler.ts';
import { trackFromAvcC } from './h264/track.ts';
import { H265Assembler } from './h265/assembler.ts';
import { trackFromHvcC } from './h265/track.ts';
import { MpegAudioSplitter } from './mp3/splitter.ts';
import { splitAnnexB } from './nal/annexb.ts';
import { annexBSize, lengthPrefixedToAnnexB } from './nal/length-prefixed.ts';
import { opusConfigOfCode } from './opus/channel-config.ts';
import { readOpusControlHeader } from './opus/control-header.ts';
import { readDOps, writeDOps } from './opus/opus-config.ts';
import { OpusSplitter } from './opus/splitter.ts';

// Short real bitstreams encoded by ffmpeg, compared with what ffprobe reports about them.

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'airdesk-streams-'));
const STREAM = 'stream';

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Stream encoded by ffmpeg, and the same stream as fragmented MP4. */
class MadeStream {
  readonly bytes: Buffer;
  readonly #args: readonly string[];
  readonly #folder: string;

  constructor(...args: readonly string[]) {
    this.#args = ['-threads', '1', ...args, STREAM];
    this.#folder = mkdtempSync(join(folder, 'one-'));
    makeFiles(this.#folder, this.#args);
    this.bytes = readFileSync(join(this.#folder, STREAM));
  }

  fragmented(...options: readonly string[]): Buffer {
    return readFileSync(remadeFile(this.#args, [...options, ...FRAGMENTED, 'file.mp4']));
  }

  probed(format: string): Probed {
    const shown = ['-show_streams', '-show_packets', '-of', 'json'];
    // The shape is that of ffprobe, as requested in the line above.
    return JSON.parse(probeMade({ folder: this.#folder, files: [STREAM] }, ['-f', format, ...shown, STREAM])) as Probed;
  }
}

interface Probed {
  readonly packets: readonly { readonly flags: string }[];
  readonly streams: readonly Readonly<Record<string, string | number>>[];
}

const noProblems = (problem: FormatProblem): void => expect.fail(`${problem.code}: ${problem.detail}`);
const options = { trackId: 't1', language: 'fra', sourceId: 257, problem: noProblems };

/** Access units of a byte stream whose units start with a delimiter of the given NAL unit header. */
function accessUnits(stream: Buffer, isDelimiter: (unit: Uint8Array) => boolean): Buffer[] {
  const units: Buffer[][] = [];
  for (const unit of splitAnnexB(stream)) {
    if (isDelimiter(unit)) units.push([]);
    units.at(-1)?.push(Buffer.from([0, 0, 1]), Buffer.from(unit));
  }
  return units.map((parts) => Buffer.concat(parts));
}

/**
 * Runs all access units through an assembler. Returns the decodable byte stream, and which units were random access
 * points.
 */
function assembleAll(assembler: VideoAssembler, units: readonly Buffer[]): { stream: Buffer; randomAccess: boolean[] } {
  const randomAccess: boolean[] = [];
  const pieces: Buffer[] = [];
  for (const unit of units) {
    const picture = assembler.assemble(unit);
    if (!picture) continue;
    const piece = Buffer.alloc(annexBSize(picture.data));
    lengthPrefixedToAnnexB(piece, 0, picture.data);
    pieces.push(piece);
    randomAccess.push(picture.isRandomAccess);
  }
  return { stream: Buffer.concat(pieces), randomAccess };
}

/** Body of the first box of a type in a file. */
function boxBody(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type, 0, 'latin1');
  expect(at, `${type} in the file`).toBeGreaterThan(0);
  return file.subarray(at + 4, at - 4 + file.readUInt32BE(at - 4));
}

const FRAGMENTED = ['-c', 'copy', '-movflags', 'frag_keyframe+empty_moov+delay_moov', '-f', 'mp4'];
const picture = (size: string, rate: string, frames: number): string[] => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=size=${size}:rate=${rate}`,
  '-frames:v',
  `${frames}`,
];

/** ffprobe's names of profiles that differ from ours. */
const PROFILE_WORDS: Readonly<Record<string, string>> = { Rext: 'Range Extensions' };

describe('H264Assembler reads the properties that ffprobe reports', () => {
  const aud = ['-bsf:v', 'h264_metadata=aud=insert', '-f', 'h264'];
  const cases: readonly [string, readonly string[]][] = [
    [
      'Baseline, odd size',
      [...picture('322x182', '25', 12), '-c:v', 'libx264', '-profile:v', 'baseline', '-pix_fmt', 'yuv420p', '-g', '5'],
    ],
    [
      'Main, B-frames, NTSC',
      [
        ...picture('320x240', '30000/1001', 20),
        '-c:v',
        'libx264',
        '-profile:v',
        'main',
        '-pix_fmt',
        'yuv420p',
        '-g',
        '10',
        '-bf',
        '3',
      ],
    ],
    [
      'High, interlaced, SAR 16:11',
      [
        ...picture('720x576', '25', 8),
        '-c:v',
        'libx264',
        '-pix_fmt',
        'yuv420p',
        '-vf',
        'setsar=16/11',
        '-flags',
        '+ildct+ilme',
        '-x264-params',
        'tff=1',
        '-preset',
        'ultrafast',
        '-profile:v',
        'high',
        '-8x8dct',
        '1',
      ],
    ],
    [
      'High, extended SAR, 59.94',
      [
        ...picture('640x362', '60000/1001', 10),
        '-c:v',
        'libx264',
        '-pix_fmt',
        'yuv420p',
        '-vf',
        'setsar=7/5',
        '-preset',
        'veryfast',
      ],
    ],
    [
      'High with scaling lists and HRD',
      [
        ...picture('320x180', '50', 10),
        '-c:v',
        'libx264',
        '-pix_fmt',
        'yuv420p',
        '-x264-params',
        'cqm=jvt:nal-hrd=cbr:vbv-maxrate=500:vbv-bufsize=500:bitrate=500:filler=1',
      ],
    ],
    [
      'High, open GOP',
      [
        ...picture('320x180', '25', 30),
        '-c:v',
        'libx264',
        '-pix_fmt',
        'yuv420p',
        '-g',
        '10',
        '-bf',
        '2',
        '-x264-params',
        'open-gop=1:scenecut=0',
      ],
    ],
    ['High 10', [...picture('320x180', '24', 6), '-c:v', 'libx264', '-pix_fmt', 'yuv420p10le']],
    ['High 4:2:2', [...picture('322x182', '25', 6), '-c:v', 'libx264', '-pix_fmt', 'yuv422p']],
    ['High 4:4:4', [...picture('321x181', '25', 6), '-c:v', 'libx264', '-pix_fmt', 'yuv444p']],
  ];

  it.for(cases)('for %s', async ([name, args]) => {
    const encoded = new MadeStream(...args, ...aud);
    const [stream, probed, file] = [encoded.bytes, encoded.probed('h264'), encoded.fragmented()];
    const truth = probed.streams[0];
    const assembler = new H264Assembler(options);
    const { stream: again, randomAccess } = assembleAll(
      assembler,
      accessUnits(stream, (unit) => unit[0] === 9),
    );
    const track = assembler.track;
    expect(track).toMatchObject({
      id: 't1',
      language: 'fra',
      sourceId: 257,
      width: truth?.['width'],
      height: truth?.['height'],
      profile: truth?.['profile'],
      level: (Number(truth?.['level']) / 10).toFixed(1),
    });
    expect(`${track?.sarWidth}:${track?.sarHeight}`).toBe(truth?.['sample_aspect_ratio'] ?? '1:1');
    const [ticks, seconds] = String(truth?.['r_frame_rate']).split('/').map(Number);
    expect(track?.fps).toBeCloseTo(Number(ticks) / Number(seconds), 6);
    expect(randomAccess).toEqual(probed.packets.map((packet) => packet.flags.startsWith('K')));

    const avcC = boxBody(file, 'avcC');
    expect(Buffer.from(track?.decoderConfig ?? []).toString('hex')).toBe(avcC.toString('hex'));
    expect(trackFromAvcC(avcC, options)).toEqual(track);

    if (!name.includes('GOP') && !name.includes('interlaced') && !name.includes('HRD')) return;
    const sets = parameterSets(stream, (unit) => (unit[0] ?? 0) & 0x1f, [7, 8]);
    const [found, expected = []] = await pictureHashes(Buffer.concat([sets, again]), stream);
    expect(found).toEqual(expected);
    expect(expected.length).toBeGreaterThan(0);
  });
});

describe('H265Assembler reads the properties that ffprobe reports', () => {
  const aud = ['-f', 'hevc'];
  const quiet = 'log-level=none:aud=1:repeat-headers=1:frame-threads=1:pools=1';
  const cases: readonly [string, readonly string[]][] = [
    [
      'Main, odd size',
      [
        ...picture('322x182', '25', 8),
        '-c:v',
        'libx265',
        '-pix_fmt',
        'yuv420p',
        '-x265-params',
        `${quiet}:keyint=4:min-keyint=4:open-gop=0`,
      ],
    ],
    [
      'Main 10, SAR, NTSC',
      [
        ...picture('320x240', '30000/1001', 6),
        '-c:v',
        'libx265',
        '-pix_fmt',
        'yuv420p10le',
        '-vf',
        'setsar=10/11',
        '-x265-params',
        quiet,
      ],
    ],
    [
      'open GOP, temporal layers, HRD',
      [
        ...picture('320x180', '50', 20),
        '-c:v',
        'libx265',
        '-pix_fmt',
        'yuv420p',
        '-x265-params',
        `${quiet}:keyint=8:open-gop=1:temporal-layers=1:hrd=1:vbv-maxrate=800:vbv-bufsize=800:bitrate=700:scaling-list=default`,
      ],
    ],
    [
      'fields',
      [
        ...picture('320x96', '50', 20),
        '-c:v',
        'libx265',
        '-pix_fmt',
        'yuv420p',
        '-x265-params',
        `${quiet}:interlace=tff:keyint=8:min-keyint=8:bframes=2`,
      ],
    ],
    [
      '4:2:2 10 bit',
      [...picture('320x180', '25', 4), '-c:v', 'libx265', '-pix_fmt', 'yuv422p10le', '-x265-params', quiet],
    ],
  ];

  it.for(cases)('for %s', ([name, args]) => {
    const encoded = new MadeStream(...args, '-preset', 'ultrafast', ...aud);
    const [stream, probed, file] = [encoded.bytes, encoded.probed('hevc'), encoded.fragmented('-tag:v', 'hvc1')];
    const truth = probed.streams[0];
    const assembler = new H265Assembler(options);
    const { randomAccess } = assembleAll(
      assembler,
      accessUnits(stream, (unit) => (unit[0] ?? 0) >> 1 === 35),
    );
    const track = assembler.track;
    const profile = String(truth?.['profile']);
    expect(track).toMatchObject({
      width: truth?.['width'],
      height: truth?.['height'],
      profile: PROFILE_WORDS[profile] ?? profile,
      level: (Number(truth?.['level']) / 30).toFixed(1),
    });
    // For fields, which have half the lines, ffprobe states the aspect ratio of frames.
    const aspect = name === 'fields' ? '1:2' : (truth?.['sample_aspect_ratio'] ?? '1:1');
    expect(`${track?.sarWidth}:${track?.sarHeight}`).toBe(aspect);
    const [ticks, seconds] = String(truth?.['r_frame_rate']).split('/').map(Number);
    // ffprobe counts fields.
    const isFieldSequence = name === 'fields' ? true : undefined;
    expect(track?.fps).toBeCloseTo(Number(ticks) / Number(seconds) / (isFieldSequence ? 2 : 1), 6);
    expect([track?.isInterlaced, track?.isFieldSequence]).toEqual([isFieldSequence, isFieldSequence]);
    expect(randomAccess).toEqual(probed.packets.map((packet) => packet.flags.startsWith('K')));
    expect(track?.codecString).toMatch(/^hvc1\.[1-4]\.[0-9A-F]+\.L\d+(\.[0-9A-F]+)*$/);

    const fromFile = trackFromHvcC(boxBody(file, 'hvcC'), options);
    expect(fromFile).toEqual({ ...track, decoderConfig: fromFile?.decoderConfig });
  });
});

describe('audio splitters read the properties that ffprobe reports', () => {
  const tone = (rate: number, layout: string): string[] => [
    '-f',
    'lavfi',
    '-i',
    `anoisesrc=r=${rate}:d=0.5:a=0.1`,
    '-af',
    `aformat=channel_layouts=${layout}`,
    '-ar',
    `${rate}`,
  ];
  const cases: readonly [string, string, () => AudioSplitter, readonly string[]][] = [
    ['AAC stereo', 'aac', () => new AdtsSplitter(options), [...tone(48000, 'stereo'), '-c:a', 'aac', '-f', 'adts']],
    [
      'AAC mono 22.05 kHz',
      'aac',
      () => new AdtsSplitter(options),
      [...tone(22050, 'mono'), '-c:a', 'aac', '-f', 'adts'],
    ],
    ['AAC 5.1', 'aac', () => new AdtsSplitter(options), [...tone(44100, '5.1'), '-c:a', 'aac', '-f', 'adts']],
    [
      'MP3',
      'mp3',
      () => new MpegAudioSplitter(options),
      [...tone(44100, 'stereo'), '-c:a', 'libmp3lame', '-write_xing', '0', '-id3v2_version', '0', '-f', 'mp3'],
    ],
    [
      'MP3 of MPEG-2, variable',
      'mp3',
      () => new MpegAudioSplitter(options),
      [
        ...tone(22050, 'mono'),
        '-c:a',
        'libmp3lame',
        '-q:a',
        '4',
        '-write_xing',
        '0',
        '-id3v2_version',
        '0',
        '-f',
        'mp3',
      ],
    ],
    [
      'MP3 of MPEG-2.5',
      'mp3',
      () => new MpegAudioSplitter(options),
      [...tone(11025, 'stereo'), '-c:a', 'libmp3lame', '-write_xing', '0', '-id3v2_version', '0', '-f', 'mp3'],
    ],
    ['MP2', 'mp3', () => new MpegAudioSplitter(options), [...tone(48000, 'stereo'), '-c:a', 'mp2', '-f', 'mp2']],
    [
      'MP2 of MPEG-2',
      'mp3',
      () => new MpegAudioSplitter(options),
      [...tone(24000, 'mono'), '-c:a', 'mp2', '-b:a', '64k', '-f', 'mp2'],
    ],
    ['AC-3 5.1', 'ac3', () => new Ac3Splitter(options), [...tone(48000, '5.1(side)'), '-c:a', 'ac3', '-f', 'ac3']],
    [
      'AC-3 stereo 44.1 kHz',
      'ac3',
      () => new Ac3Splitter(options),
      [...tone(44100, 'stereo'), '-c:a', 'ac3', '-f', 'ac3'],
    ],
    ['E-AC-3 5.1', 'eac3', () => new Ac3Splitter(options), [...tone(48000, '5.1(side)'), '-c:a', 'eac3', '-f', 'eac3']],
    [
      'E-AC-3 mono 32 kHz',
      'eac3',
      () => new Ac3Splitter(options),
      [...tone(32000, 'mono'), '-c:a', 'eac3', '-f', 'eac3'],
    ],
  ];

  it.for(cases)('for %s', ([, format, create, args]) => {
    const encoded = new MadeStream(...args);
    const [stream, probed] = [encoded.bytes, encoded.probed(format)];
    const truth = probed.streams[0];
    for (const pieceBytes of [stream.length, 700, 13]) {
      const splitter = create();
      const frames: Buffer[] = [];
      for (let at = 0; at < stream.length; at += pieceBytes) {
        splitter.split(stream.subarray(at, at + pieceBytes), (data) => frames.push(Buffer.from(data)));
      }
      const { track } = splitter;
      expect(track).toMatchObject({
        sampleRate: Number(truth?.['sample_rate']),
        channels: truth?.['channels'],
        language: 'fra',
      });
      // A last unit of E-AC-3 may wait for the next frame.
      expect(probed.packets.length - frames.length).toBeLessThanOrEqual(format === 'eac3' ? 1 : 0);
      if (format === 'aac') expect(track?.profile).toBe(truth?.['profile']);
      if (format === 'aac' && track)
        expect(Buffer.concat(frames.flatMap((frame) => [adtsHeader(track, frame.length), frame])).length).toBe(
          stream.length,
        );
      if (format === 'mp3' || format === 'ac3') expect(Buffer.concat(frames).equals(stream)).toBe(true);
    }
    if (format === 'ac3' || format === 'eac3') compareConfig(create, encoded, format);
  });

  it('for Opus in a transport stream', () => {
    const encoded = new MadeStream(...tone(48000, 'stereo'), '-c:a', 'libopus', '-f', 'mpegts');
    const [stream, probed] = [encoded.bytes, encoded.probed('mpegts')];
    const config = opusConfigOfCode(2);
    if (!config) expect.fail('no configuration of code 2');
    const splitter = new OpusSplitter(config, options);
    let packets = 0;
    const payload = pesPayloads(stream, 256);
    expect(readOpusControlHeader(payload, 0, payload.length)).toMatchObject({ startTrim: 312 });
    for (let at = 0; at < payload.length; at += 100) splitter.split(payload.subarray(at, at + 100), () => packets++);
    expect(packets).toBe(probed.packets.length);
    expect(splitter.track).toMatchObject({ sampleRate: 48000, channels: 2, samplesPerFrame: 960, codecString: 'opus' });
  });

  it.for([
    ['stereo', 2],
    ['5.1', 6],
  ] as const)('for Opus %s in a file', ([layout, channels]) => {
    const flags = ['-movflags', 'frag_keyframe+empty_moov'];
    const { bytes } = new MadeStream(...tone(48000, layout), '-c:a', 'libopus', ...flags, '-f', 'mp4');
    const body = boxBody(bytes, 'dOps');
    const config = readDOps(body);
    if (!config) expect.fail('dOps is not read');
    expect(Buffer.from(writeDOps(config)).toString('hex')).toBe(body.toString('hex'));
    expect(config).toMatchObject({ channels, preSkip: 312 });
    expect(config.mapping).toEqual(opusConfigOfCode(channels)?.mapping);
  });
});

/** Compares the decoder configuration of AC-3 and E-AC-3 with the box that ffmpeg writes for the same frames. */
function compareConfig(create: () => AudioSplitter, encoded: MadeStream, format: 'ac3' | 'eac3'): void {
  const splitter = create();
  splitter.split(encoded.bytes, () => undefined);
  const body = boxBody(encoded.fragmented(), format === 'ac3' ? 'dac3' : 'dec3');
  const track = splitter.track;
  expect(Buffer.from(track?.decoderConfig ?? []).toString('hex')).toBe(body.toString('hex'));
  expect(format === 'ac3' ? trackFromDac3(body, options) : trackFromDec3(body, options)).toEqual(track);
}

function adtsHeader(track: NonNullable<AudioSplitter['track']>, frameBytes: number): Buffer {
  const header = Buffer.alloc(7);
  expect(writeAdtsHeader(header, 0, track, frameBytes)).toBe(7);
  return header;
}

/** Hash of each decoded picture of H.264 streams, in output order. */
async function pictureHashes(...streams: readonly Buffer[]): Promise<string[][]> {
  const own = mkdtempSync(join(folder, 'pictures-'));
  const paths = streams.map((_, index) => join(own, String(index)));
  for (const [index, path] of paths.entries()) writeFileSync(path, streams[index] ?? Buffer.alloc(0));
  const inputs = paths.flatMap((path) => ['-f', 'h264', '-i', path]);
  const outputs = paths.flatMap((path, index) => ['-map', String(index), '-f', 'framemd5', `${path}.md5`]);
  await run('ffmpeg', ['-v', 'error', '-nostdin', ...inputs, ...outputs]);
  return paths.map((path) => {
    const lines = readFileSync(`${path}.md5`, 'utf8').split('\n');
    return lines.flatMap((line) => (/^\d/.test(line) ? [line.split(',').at(-1)?.trim() ?? ''] : []));
  });
}

/** The first unit of each of the given types, as a byte stream. */
function parameterSets(stream: Buffer, typeOf: (unit: Uint8Array) => number, types: readonly number[]): Buffer {
  const units = splitAnnexB(stream);
  const found = types.map(
    (type) => units.find((unit) => typeOf(unit) === type) ?? expect.fail(`no unit of type ${type}`),
  );
  return Buffer.concat(found.flatMap((unit) => [Buffer.from([0, 0, 0, 1]), Buffer.from(unit)]));
}

/** Payloads of all PES packets of a PID, concatenated. */
function pesPayloads(stream: Buffer, pid: number): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at + 188 <= stream.length; at += 188) {
    if ((stream.readUInt16BE(at + 1) & 0x1fff) !== pid) continue;
    const flags = stream.readUInt8(at + 3);
    let from = at + 4;
    if (flags & 0x20) from += 1 + stream.readUInt8(from);
    if (stream.readUInt8(at + 1) & 0x40) from += 9 + stream.readUInt8(from + 8);
    if (flags & 0x10) pieces.push(stream.subarray(from, at + 188));
  }
  return Buffer.concat(pieces);
}
