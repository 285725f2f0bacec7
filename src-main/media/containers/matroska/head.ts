import { because } from '../../../../src-preload/contract/explanations/explanations.ts';
import type { FormatProblem } from '../../access-unit.ts';
import { trackFromAudioSpecificConfig } from '../../codecs/aac/track.ts';
import { Ac3Splitter } from '../../codecs/ac3/splitter.ts';
import { trackFromMpegAudioFrame } from '../../codecs/mp3/track.ts';
import { lengthSizeOf, type LengthSize } from '../../codecs/nal/length-prefixed.ts';
import { trackFromOpusHead } from '../../codecs/opus/track.ts';
import type { TrackOptions } from '../../codecs/track-options.ts';
import { encryptedProblem, leftOutProblem, packedProblem } from '../../left-out.ts';
import type { Track } from '../../track.ts';
import { elementsIn, ID, readUint, type Element } from './element.ts';
import { readDisplay, statedTrack } from './stated-track.ts';
import { videoTrack } from './video-track.ts';

/** Track of a `TrackEntry` (RFC 9559, 5.1.4.1), with the fields that Airdesk uses. */
export interface MatroskaTrack {
  readonly number: number;
  readonly content: 'video' | 'audio';
  /** Duration of a frame in nanoseconds, if stated. */
  readonly frameNs: number | undefined;
  /** Delay of the decoder in nanoseconds, subtracted from every time (`CodecDelay`). */
  readonly delayNs: number;
  /** Size of the length before every NAL unit; 4 for audio. */
  readonly nalLengthBytes: LengthSize | 3;
  /** Creates the track from its configuration and its first frame; undefined if they are damaged. */
  read(firstFrame: Uint8Array): Track | undefined;
}

/** Header of a file: its elements before the clusters. */
export interface MatroskaHead {
  /** Nanoseconds of one unit of the times of blocks. */
  readonly unitNs: number;
  readonly tracks: readonly MatroskaTrack[];
  /** Unsupported tracks. */
  readonly problems: readonly FormatProblem[];
}

/** Default of `TimestampScale`: times in milliseconds. */
const DEFAULT_UNIT_NS = 1_000_000;
const MAX_TRACKS = 64;

/** Reads the data of `Info`: nanoseconds per unit of block times. */
export function readUnitNs(bytes: Uint8Array): number {
  for (const { id, start, end } of elementsIn(bytes, 0, bytes.length))
    if (id === ID.timestampScale) return readUint(bytes, start, end) || DEFAULT_UNIT_NS;
  return DEFAULT_UNIT_NS;
}

/** Reads the data of `Tracks`: playable tracks, and a problem for each track that is left out. */
export function readTracks(bytes: Uint8Array): Pick<MatroskaHead, 'tracks' | 'problems'> {
  const tracks: MatroskaTrack[] = [];
  const problems: FormatProblem[] = [];
  const counts = { video: 0, audio: 0 };
  for (const entry of elementsIn(bytes, 0, bytes.length)) {
    if (entry.id !== ID.trackEntry || tracks.length >= MAX_TRACKS) continue;
    const fields = new Map([...elementsIn(bytes, entry.start, entry.end)].map((element) => [element.id, element]));
    const found = readTrack(bytes, fields, counts);
    if (found && 'code' in found) problems.push(found);
    else if (found) tracks.push(found);
  }
  return { tracks, problems };
}

function readTrack(
  bytes: Uint8Array,
  fields: ReadonlyMap<number, Element>,
  counts: Record<MatroskaTrack['content'], number>,
): MatroskaTrack | FormatProblem | undefined {
  const uint = (id: number): number | undefined => {
    const found = fields.get(id);
    return found && readUint(bytes, found.start, found.end);
  };
  const part = (id: number): Uint8Array => {
    const found = fields.get(id);
    return found ? bytes.slice(found.start, found.end) : new Uint8Array(0);
  };
  const type = uint(ID.trackType);
  const number = uint(ID.trackNumber);
  if ((type !== 1 && type !== 2) || number === undefined || uint(ID.flagEnabled) === 0) return undefined;
  const codecId = textOf(part(ID.codecId)).slice(0, 60);
  const factory = TRACK_FACTORIES.find(([name]) => codecId === name || codecId.startsWith(`${name}/`));
  const content = type === 1 ? 'video' : 'audio';
  const place = because('place_track', { track: number });
  if (!factory) return leftOutProblem(content, codecId, place);
  const encodings = fields.get(ID.contentEncodings);
  if (encodings) {
    const problemOf = isEncrypted(bytes, encodings) ? encryptedProblem : packedProblem;
    return problemOf(content, codecId, place);
  }
  const trackId = `${content === 'video' ? 'v' : 'a'}${++counts[content]}`;
  const language = languageOf(fields.has(ID.language) ? part(ID.language) : undefined);
  const options = { trackId, sourceId: number, ...(language === undefined ? {} : { language }) };
  const config = part(ID.codecPrivate);
  const display = readDisplay(bytes, fields.get(ID.video));
  return {
    number,
    content,
    frameNs: uint(ID.defaultDuration),
    delayNs: uint(ID.codecDelay) ?? 0,
    nalLengthBytes: content === 'video' ? lengthSizeOf(config, codecId.startsWith('V_MPEGH') ? 'h265' : 'h264') : 4,
    read(frame) {
      const track = factory[1](config, options, frame);
      return track && statedTrack(track, frame, display);
    },
  };
}

/** Whether one of the encodings is encryption (RFC 9559, 5.1.4.1.31.4); the others are compression. */
function isEncrypted(bytes: Uint8Array, { start, end }: Element): boolean {
  return [...elementsIn(bytes, start, end)].some((encoding) =>
    [...elementsIn(bytes, encoding.start, encoding.end)].some(
      (field) => field.id === ID.contentEncodingType && readUint(bytes, field.start, field.end) === 1,
    ),
  );
}

type TrackFactory = (config: Uint8Array, options: TrackOptions, frame: Uint8Array) => Track | undefined;

/** Codecs by their names in Matroska (draft-ietf-cellar-codec). */
const TRACK_FACTORIES: readonly (readonly [name: string, make: TrackFactory])[] = [
  ['V_MPEG4/ISO/AVC', (...args) => videoTrack('h264', ...args)],
  ['V_MPEGH/ISO/HEVC', (...args) => videoTrack('h265', ...args)],
  ['A_AAC', trackFromAudioSpecificConfig],
  ['A_OPUS', trackFromOpusHead],
  ['A_MPEG/L2', (_config, options, frame) => trackFromMpegAudioFrame(frame, options)],
  ['A_MPEG/L3', (_config, options, frame) => trackFromMpegAudioFrame(frame, options)],
  ['A_AC3', ac3Track],
  ['A_EAC3', ac3Track],
];

function ac3Track(_config: Uint8Array, options: TrackOptions, frame: Uint8Array): Track | undefined {
  const splitter = new Ac3Splitter({ ...options, problem: () => undefined });
  // An access unit is complete when the next one starts.
  for (let round = 0; round < 2; round++) splitter.split(frame, () => undefined);
  return splitter.track;
}

/** Default of `Language` (RFC 9559, 5.1.4.1.19). */
const DEFAULT_LANGUAGE = 'eng';

/**
 * Language as three letters (ISO 639-2); undefined for `und`, or in another form.
 *
 * @param field data of `Language`; undefined if absent, which means English
 */
function languageOf(field: Uint8Array | undefined): string | undefined {
  const text = field ? textOf(field) : DEFAULT_LANGUAGE;
  return /^[a-z]{3}$/.test(text) && text !== 'und' ? text : undefined;
}

/** Text of one byte per character, which may end early (RFC 8794, 7.4). */
function textOf(bytes: Uint8Array): string {
  const [text = ''] = Buffer.from(bytes).toString('latin1').split('\0', 1);
  return text;
}
