import type { BoxWriter } from './box-writer.ts';
import { findBox, readBoxes, readBoxStart } from './box.ts';
import { ByteReader } from './byte-reader.ts';
import { readEsDescriptor, writeEsDescriptor } from './es-descriptor.ts';

/** Visual sample entry (ISO/IEC 14496-12, 12.1.3) with the decoder configuration of 14496-15. */
interface VideoSampleEntry {
  readonly content: 'video';
  readonly type: 'avc1' | 'avc3' | 'hvc1' | 'hev1';
  readonly width: number;
  readonly height: number;
  /** `pasp` (12.1.4): sample aspect ratio; 0 if the entry has none. */
  readonly sarWidth: number;
  readonly sarHeight: number;
  /** Body of `avcC` or `hvcC`; empty if it is missing, so that all parameter sets are in the samples. */
  readonly config: Uint8Array;
}

/** Audio sample entry (ISO/IEC 14496-12, 12.2.3). */
export interface AudioSampleEntry {
  readonly content: 'audio';
  readonly type: 'mp4a' | 'ac-3' | 'ec-3' | 'Opus' | '.mp3';
  readonly channels: number;
  /** Sample rate as written in the entry; 0 if the rate does not fit into 16 bits. */
  readonly sampleRate: number;
  /** Object type of `esds`; 0 for entries without it. */
  readonly objectType: number;
  /** AudioSpecificConfig, body of `dac3`, `dec3` or `dOps`; empty for MP3. */
  readonly config: Uint8Array;
}

/** Entry of `stsd` (8.5.2): format of the samples of a track. */
export type SampleEntry = VideoSampleEntry | AudioSampleEntry;

/** Entry of an unsupported format, or of encrypted samples. */
export interface UnknownSampleEntry {
  readonly content: 'unknown';
  /** Format of the samples: `frma` if they are encrypted (ISO/IEC 14496-12, 8.12). */
  readonly type: string;
  readonly isEncrypted?: true;
}

const VIDEO_CONFIGS: Readonly<Record<VideoSampleEntry['type'], string>> = {
  avc1: 'avcC',
  avc3: 'avcC',
  hvc1: 'hvcC',
  hev1: 'hvcC',
};

/** Dolby Vision names of entries that decoders of the base layer can read (Dolby Vision streams within ISOBMFF, section 3). */
const BASE_LAYERS: Readonly<Record<string, VideoSampleEntry['type']>> = {
  dva1: 'avc1',
  dvav: 'avc3',
  dvh1: 'hvc1',
  dvhe: 'hev1',
};

const AUDIO_CONFIGS: Readonly<Record<AudioSampleEntry['type'], string>> = {
  mp4a: 'esds',
  'ac-3': 'dac3',
  'ec-3': 'dec3',
  Opus: 'dOps',
  '.mp3': '',
};

/** Names of encrypted entries (8.12.1, QuickTime), with the number of bytes before their boxes. */
const ENCRYPTED_HEADS: Readonly<Record<string, number>> = { encv: 78, drmi: 78, enca: 28, drms: 28 };

/** Maximum size of a decoder configuration. */
const MAX_CONFIG_BYTES = 1 << 16;

/** Reads the entry that starts at `at`, including its header; undefined if it is damaged. */
export function readSampleEntry(
  bytes: Uint8Array,
  at: number,
  end: number,
): SampleEntry | UnknownSampleEntry | undefined {
  const start = readBoxStart(bytes, at, end);
  if (!start || at + start.sizeBytes > end) return undefined;
  const body = new ByteReader(bytes, at + start.headerBytes, at + start.sizeBytes);
  body.skip(8);
  const videoType = BASE_LAYERS[start.type] ?? start.type;
  if (isKeyOf(VIDEO_CONFIGS, videoType)) return readVideoEntry(bytes, body, videoType);
  if (isKeyOf(AUDIO_CONFIGS, start.type)) return readAudioEntry(bytes, body, start.type);
  const headBytes = ENCRYPTED_HEADS[start.type];
  if (headBytes === undefined) return { content: 'unknown', type: start.type };
  const boxesAt = at + start.headerBytes + headBytes;
  const frma = findBox(bytes, ['sinf', 'frma'], boxesAt, at + start.sizeBytes);
  const type = frma ? new ByteReader(bytes, frma.bodyStart, frma.end).ascii(4) : start.type;
  return { content: 'unknown', type, isEncrypted: true };
}

function isKeyOf<K extends string>(table: Readonly<Record<K, string>>, type: string): type is K {
  return Object.hasOwn(table, type);
}

function readVideoEntry(
  bytes: Uint8Array,
  body: ByteReader,
  type: VideoSampleEntry['type'],
): VideoSampleEntry | undefined {
  body.skip(16);
  const width = body.u16();
  const height = body.u16();
  body.skip(14 + 32 + 4);
  if (body.isShort) return undefined;
  let config = new Uint8Array(0);
  let sarWidth = 0;
  let sarHeight = 0;
  for (const box of readBoxes(bytes, body.at, body.end)) {
    if (box.type === VIDEO_CONFIGS[type] && box.end - box.bodyStart <= MAX_CONFIG_BYTES)
      config = bytes.slice(box.bodyStart, box.end);
    if (box.type !== 'pasp') continue;
    const aspect = new ByteReader(bytes, box.bodyStart, box.end);
    sarWidth = aspect.u32();
    sarHeight = aspect.u32();
  }
  return { content: 'video', type, width, height, sarWidth, sarHeight, config };
}

function readAudioEntry(
  bytes: Uint8Array,
  body: ByteReader,
  type: AudioSampleEntry['type'],
): AudioSampleEntry | undefined {
  const version = body.u16();
  body.skip(6);
  let channels = body.u16();
  body.skip(6);
  let sampleRate = body.u32() >>> 16;
  if (version === 1) body.skip(16);
  if (version === 2) {
    // QuickTime's sound description of version 2 repeats rate and channels in wider fields.
    body.skip(4);
    sampleRate = Math.round(body.f64());
    channels = body.u32();
    body.skip(20);
  }
  if (body.isShort) return undefined;
  const head = { content: 'audio', type, channels, sampleRate } as const;
  if (type === '.mp3') return { ...head, objectType: 0, config: new Uint8Array(0) };
  // QuickTime wraps the configuration in `wave`.
  const boxes = readBoxes(bytes, body.at, body.end);
  const wrapped = boxes.filter((box) => box.type === 'wave').flatMap((box) => readBoxes(bytes, box.bodyStart, box.end));
  const found = [...boxes, ...wrapped].find((box) => box.type === AUDIO_CONFIGS[type]);
  if (!found || found.end - found.bodyStart > MAX_CONFIG_BYTES) return undefined;
  if (type !== 'mp4a') return { ...head, objectType: 0, config: bytes.slice(found.bodyStart, found.end) };
  const descriptor = readEsDescriptor(new ByteReader(bytes, found.bodyStart, found.end));
  return descriptor && { ...head, objectType: descriptor.objectType, config: descriptor.specificConfig.slice() };
}

export function writeSampleEntry(out: BoxWriter, value: SampleEntry): void {
  out.open(value.type).zeros(6).u16(1);
  if (value.content === 'video') writeVideoFields(out, value);
  else writeAudioFields(out, value);
  out.close();
}

function writeVideoFields(out: BoxWriter, value: VideoSampleEntry): void {
  out.zeros(16).u16(value.width).u16(value.height);
  // 72 dots per inch, one frame per sample, no compressor name, 24 bits of colour (12.1.3.2).
  out.u32(0x48_0000).u32(0x48_0000).u32(0).u16(1).zeros(32).u16(0x18).u16(0xffff);
  out.open(VIDEO_CONFIGS[value.type]).bytes(value.config).close();
  out.open('pasp').u32(value.sarWidth).u32(value.sarHeight).close();
}

function writeAudioFields(out: BoxWriter, value: AudioSampleEntry): void {
  out.zeros(8).u16(value.channels).u16(16).zeros(4);
  out.u32(value.sampleRate > 0xffff ? 0 : value.sampleRate * 0x1_0000);
  if (value.type === 'mp4a') writeEsDescriptor(out, { objectType: value.objectType, specificConfig: value.config });
  else if (value.type !== '.mp3') out.open(AUDIO_CONFIGS[value.type]).bytes(value.config).close();
}
