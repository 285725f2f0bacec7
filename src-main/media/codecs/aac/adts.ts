import type { AudioTrack } from '../../track.ts';
import { AudioObjectType, readAudioSpecificConfig } from './audio-specific-config.ts';
import { BitWriter } from '../nal/bit-writer.ts';
import { PROGRAM_CONFIG_ELEMENT, programConfigOf, writeProgramConfig } from './program-config.ts';
import { EXPLICIT_FREQUENCY, frequencyIndexOf, frequencyOf } from './sampling-frequency.ts';

/** Size of an ADTS header without CRC, the only form that Airdesk writes. */
export const ADTS_HEADER_BYTES = 7;

/** Longest ADTS frame, header included: `aac_frame_length` has 13 bits. */
export const MAX_ADTS_FRAME_BYTES = 8191;

/** An ADTS header (ISO 14496-3 1.A.2.2). */
export interface AdtsHeader {
  /** Object type of the core coder: `profile_ObjectType` + 1. */
  readonly objectType: number;
  readonly sampleRate: number;
  /** `channel_configuration`, 0 to 7; 0 if a program config element in the first frame states the channels. */
  readonly channelConfiguration: number;
  /** Size of the header: 7 bytes, or 9 with a CRC. */
  readonly headerBytes: number;
  /** `aac_frame_length`: size of the frame with its header. */
  readonly frameBytes: number;
  /** `number_of_raw_data_blocks_in_frame` + 1. */
  readonly blocks: number;
}

/** Length of the frame whose header is at `offset`, or 0 if there is none. At least 7 bytes must follow `offset`. */
export function adtsFrameBytes(bytes: Uint8Array, offset: number): number {
  // Sync word, then layer 0; the MPEG version may be either.
  if (bytes[offset] !== 0xff || ((bytes[offset + 1] ?? 0) & 0xf6) !== 0xf0) return 0;
  if ((((bytes[offset + 2] ?? 0) >>> 2) & 15) > 12) return 0;
  const length =
    (((bytes[offset + 3] ?? 0) & 3) << 11) | ((bytes[offset + 4] ?? 0) << 3) | ((bytes[offset + 5] ?? 0) >>> 5);
  const headerBytes = (bytes[offset + 1] ?? 0) & 1 ? 7 : 9;
  return length > headerBytes ? length : 0;
}

/** Reads the header at `offset`; undefined if there is none. */
export function readAdtsHeader(bytes: Uint8Array, offset = 0): AdtsHeader | undefined {
  if (offset + ADTS_HEADER_BYTES > bytes.length) return undefined;
  const frameBytes = adtsFrameBytes(bytes, offset);
  const third = bytes[offset + 2] ?? 0;
  const sampleRate = frequencyOf((third >>> 2) & 15);
  if (frameBytes === 0 || sampleRate === undefined) return undefined;
  return {
    objectType: (third >>> 6) + 1,
    sampleRate,
    channelConfiguration: ((third & 1) << 2) | ((bytes[offset + 3] ?? 0) >>> 6),
    headerBytes: (bytes[offset + 1] ?? 0) & 1 ? 7 : 9,
    frameBytes,
    blocks: ((bytes[offset + 6] ?? 0) & 3) + 1,
  };
}

/**
 * Writes the seven-byte header of one frame of `track` at `offset`; `frameLength` is the raw frame without header. Returns the
 * offset after it. HE-AAC is written with its core rate and object type, as ADTS requires.
 */
export function writeAdtsHeader(target: Uint8Array, offset: number, track: AudioTrack, frameLength: number): number {
  const fields = adtsFields(track);
  const length = frameLength + ADTS_HEADER_BYTES;
  target[offset] = 0xff;
  target[offset + 1] = 0xf1;
  target[offset + 2] = fields >>> 8;
  target[offset + 3] = (fields & 0xc0) | ((length >>> 11) & 3);
  target[offset + 4] = length >>> 3;
  target[offset + 5] = ((length & 7) << 5) | 0x1f;
  target[offset + 6] = 0xfc;
  return offset + ADTS_HEADER_BYTES;
}

/**
 * Program config element at the start of a track's raw frames in ADTS, in whole bytes (ISO 14496-3 1.A.4.3); empty if the header
 * states the channels.
 */
export function adtsProgramConfig(track: AudioTrack): Uint8Array {
  const config = readAudioSpecificConfig(track.decoderConfig);
  const element =
    config &&
    (config.programConfig ??
      programConfigOf(config.channelConfiguration, config.objectType, frequencyIndexOf(config.coreSampleRate)));
  if (!element) return new Uint8Array(0);
  const writer = new BitWriter().bits(3, PROGRAM_CONFIG_ELEMENT);
  writeProgramConfig(writer, element);
  return writer.finish();
}

/** Whether a raw frame starts with its own program config element. */
export function hasProgramConfig(frame: Uint8Array): boolean {
  return (frame[0] ?? 0) >>> 5 === PROGRAM_CONFIG_ELEMENT;
}

const FIELDS = new WeakMap<AudioTrack, number>();

/**
 * Third byte of the headers of a track, with the upper bits of the fourth byte. Computed once from the config, because
 * every served frame needs them.
 */
function adtsFields(track: AudioTrack): number {
  let fields = FIELDS.get(track);
  if (fields === undefined) {
    const config = readAudioSpecificConfig(track.decoderConfig);
    const objectType = config?.objectType ?? AudioObjectType.lc;
    const frequency = frequencyIndexOf(config?.coreSampleRate ?? track.sampleRate);
    const channels = config?.channelConfiguration ?? track.channels;
    // `channel_configuration` of ADTS has at most 7; more channels need a program config element.
    const configuration = channels > 7 ? 0 : channels;
    fields =
      ((objectType - 1) << 14) | ((frequency === EXPLICIT_FREQUENCY ? 4 : frequency) << 10) | (configuration << 6);
    FIELDS.set(track, fields);
  }
  return fields;
}
