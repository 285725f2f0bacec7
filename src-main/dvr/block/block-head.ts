import { writeInitSegment } from '../../media/containers/isobmff/init-segment.ts';
import type { AudioCodec, AudioTrack, Track, VideoCodec, VideoTrack } from '../../media/track.ts';
import { readBlockBox, writeBlockBox } from './block-box.ts';
import type { BlockNumbers } from './block-index.ts';

/** Track in a block, with the number of its init segment in the addresses of the stream, if it was recorded. */
export type BlockTrack = Track & { readonly initId?: number };

/** Header of a block. */
export interface BlockHead {
  readonly stream: string;
  /** Start of the first segment in epoch milliseconds. */
  readonly startMs: number;
  /** Archive numbers of the first segment; absent if not recorded. */
  readonly numbers?: BlockNumbers;
  /**
   * All tracks of the block. Their init segments are generated from these tracks, byte for byte equal to the live
   * ones.
   */
  readonly tracks: readonly BlockTrack[];
}

const VERSION = 1;
const MAX_TRACKS = 64;

/** Writes the start of a block file: `ftyp`, `moov` with all tracks, and the header box. A block has at least one track. */
export function writeBlockHead({ stream, startMs, numbers, tracks }: BlockHead): Buffer {
  const [first, ...others] = tracks;
  if (!first) throw new Error('A block needs at least one track');
  const init = writeInitSegment(first, ...others);
  const value = {
    version: VERSION,
    stream,
    startMs,
    ...(numbers ? { numbers } : {}),
    tracks: tracks.map(valueOf),
  };
  return Buffer.concat([init, writeBlockBox('head', Buffer.from(JSON.stringify(value)), init)]);
}

/**
 * Reads the header box.
 *
 * @param before `ftyp` and `moov`
 * @returns undefined if it is damaged or of a later version
 */
export function readBlockHead(box: Buffer, before: Uint8Array): BlockHead | undefined {
  const body = readBlockBox('head', box, before);
  const value = body && objectOf(body.toString());
  if (value?.['version'] !== VERSION) return undefined;
  const { stream, startMs } = value;
  const tracks = tracksOf(value['tracks']);
  if (typeof stream !== 'string' || !isCount(startMs) || !tracks) return undefined;
  const numbers = numbersOf(value['numbers']);
  return { stream, startMs, ...(numbers ? { numbers } : {}), tracks };
}

/** Serializes tracks; equal tracks give equal text. */
export function printTracks(tracks: readonly BlockTrack[]): string {
  const sorted = (track: BlockTrack): object =>
    Object.fromEntries(Object.entries(valueOf(track)).sort(([a], [b]) => (a < b ? -1 : 1)));
  return JSON.stringify(tracks.map(sorted));
}

/** Parses serialized tracks; undefined if invalid. */
export function parseTracks(text: string): readonly BlockTrack[] | undefined {
  try {
    return tracksOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function valueOf(track: BlockTrack): object {
  return { ...track, decoderConfig: Buffer.from(track.decoderConfig).toString('base64') };
}

function tracksOf(value: unknown): readonly BlockTrack[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_TRACKS) return undefined;
  const read = value.map(trackOf);
  return read.every((track) => track !== undefined) ? read : undefined;
}

function numbersOf(value: unknown): BlockNumbers | undefined {
  if (!isFields(value)) return undefined;
  const { msn, discontinuitySequence } = value;
  return isCount(msn) && isCount(discontinuitySequence) ? { msn, discontinuitySequence } : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function objectOf(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

const VIDEO_CODECS: readonly VideoCodec[] = ['h264', 'h265'];
const AUDIO_CODECS: readonly AudioCodec[] = ['aac', 'mp2', 'mp3', 'ac3', 'eac3', 'opus'];

function trackOf(value: unknown): BlockTrack | undefined {
  if (!isFields(value)) return undefined;
  const { id, timescale, codecString, decoderConfig, language, sourceId, initId } = value;
  if (typeof id !== 'string' || !/^[va][1-9][0-9]{0,3}$/.test(id) || !isCount(timescale) || timescale === 0)
    return undefined;
  if (typeof codecString !== 'string' || typeof decoderConfig !== 'string') return undefined;
  const base = {
    id,
    timescale,
    codecString,
    decoderConfig: new Uint8Array(Buffer.from(decoderConfig, 'base64')),
    ...(typeof language === 'string' ? { language } : {}),
    ...(isCount(sourceId) ? { sourceId } : {}),
    ...(isCount(initId) ? { initId } : {}),
  };
  return value['content'] === 'video' ? videoOf(base, value) : audioOf(base, value);
}

function videoOf(base: Omit<VideoTrack, 'content' | VideoField>, value: Fields): VideoTrack | undefined {
  const { width, height, sarWidth, sarHeight, displayMatrix, fps, profile, level } = value;
  const codec = VIDEO_CODECS.find((name) => name === value['codec']);
  if (!codec || !isCount(width) || !isCount(height) || !isCount(sarWidth) || !isCount(sarHeight)) return undefined;
  if (typeof profile !== 'string' || typeof level !== 'string' || sarHeight === 0) return undefined;
  const shape = { width, height, sarWidth, sarHeight, profile, level };
  return {
    ...base,
    content: 'video',
    codec,
    ...shape,
    ...(isMatrix(displayMatrix) ? { displayMatrix } : {}),
    ...(typeof fps === 'number' ? { fps } : {}),
  };
}

function isMatrix(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length === 9 && value.every((field) => isCount(field) && field <= 0xffff_ffff);
}

type VideoField =
  'codec' | 'width' | 'height' | 'sarWidth' | 'sarHeight' | 'displayMatrix' | 'fps' | 'profile' | 'level';

function audioOf(base: Omit<VideoTrack, 'content' | VideoField>, value: Fields): AudioTrack | undefined {
  const { sampleRate, channels, samplesPerFrame, profile } = value;
  const codec = AUDIO_CODECS.find((name) => name === value['codec']);
  if (value['content'] !== 'audio' || !codec) return undefined;
  if (!isCount(sampleRate) || !isCount(channels) || !isCount(samplesPerFrame)) return undefined;
  const shape = { sampleRate, channels, samplesPerFrame };
  return { ...base, content: 'audio', codec, ...shape, ...(typeof profile === 'string' ? { profile } : {}) };
}
