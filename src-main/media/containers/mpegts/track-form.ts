import { ADTS_HEADER_BYTES, adtsProgramConfig, hasProgramConfig, writeAdtsHeader } from '../../codecs/aac/adts.ts';
import { NalType as H264NalType, nalTypeOf as h264TypeOf } from '../../codecs/h264/nal-type.ts';
import { NalType as H265NalType, nalTypeOf as h265TypeOf } from '../../codecs/h265/nal-type.ts';
import { readAvcC } from '../../codecs/nal/avcc.ts';
import { readHvcC } from '../../codecs/nal/hvcc.ts';
import { lengthPrefixedToAnnexB, readLength } from '../../codecs/nal/length-prefixed.ts';
import {
  MAX_OPUS_PACKET_BYTES,
  opusControlHeaderSize,
  writeOpusControlHeader,
} from '../../codecs/opus/control-header.ts';
import type { AudioTrack, Track, VideoTrack } from '../../track.ts';
import { DESCRIPTOR, language, OPUS_EXTENSION_TAG, registration, type Descriptor } from './descriptor.ts';
import { STREAM_TYPE } from './stream-kind.ts';

/** Form of a track's access units inside PES packets. */
export interface TrackForm {
  readonly streamType: number;
  readonly descriptors: readonly Descriptor[];
  /** stream_id of PES packets (ISO/IEC 13818-1, table 2-22); numbers of further tracks are added where `isNumbered`. */
  readonly streamId: number;
  readonly isNumbered: boolean;
  /** Maximum number of bytes that are written in addition to a unit. */
  readonly overheadBytes: number;
  /**
   * Writes a unit at `at`, where there is room for it and its overhead; returns the offset after it. Nothing is written for an
   * Opus packet that is too large.
   *
   * @param needsSets whether a picture is preceded by the parameter sets of its track
   */
  write(target: Buffer, at: number, data: Uint8Array, needsSets: boolean): number;
}

const NO_BYTES = new Uint8Array(0);
const VIDEO_STREAM_ID = 0xe0;
const AUDIO_STREAM_ID = 0xc0;
const PRIVATE_STREAM_ID = 0xbd;

/** Access unit delimiters with start code: any slice type (H.264 7.3.2.4, H.265 7.3.2.5). */
const H264_DELIMITER = Buffer.from([0, 0, 0, 1, 0x09, 0xf0]);
const H265_DELIMITER = Buffer.from([0, 0, 0, 1, 0x46, 0x01, 0x50]);

/** Lowest sampling rate of MPEG-1 audio; lower ones are MPEG-2 (ISO/IEC 13818-3). */
const MPEG1_AUDIO_MIN_RATE = 32_000;

/** The form of a track in a transport stream. */
export function trackForm(track: Track): TrackForm {
  return track.content === 'video' ? videoForm(track) : audioForm(track);
}

function videoForm(track: VideoTrack): TrackForm {
  const isH264 = track.codec === 'h264';
  const delimiter = isH264 ? H264_DELIMITER : H265_DELIMITER;
  const isDelimiter = isH264 ? isH264Delimiter : isH265Delimiter;
  const sets = isH264 ? h264Sets(track.decoderConfig) : h265Sets(track.decoderConfig);
  const start = Buffer.concat([delimiter, ...sets.flatMap((unit) => [Buffer.from([0, 0, 0, 1]), unit])]);
  return {
    streamType: isH264 ? STREAM_TYPE.h264 : STREAM_TYPE.h265,
    descriptors: languageOf(track),
    streamId: VIDEO_STREAM_ID,
    isNumbered: true,
    overheadBytes: start.length,
    write(target, at, data, needsSets) {
      const head = needsSets ? start : delimiter;
      const sampleAt = at + head.copy(target, at);
      // Samples of files may have delimiters of their own: also at the end, where one would start another access unit.
      const isDelimited = isDelimiter(data[4]);
      const sample = isDelimited ? data.subarray(4 + readLength(data, 0, 4)) : data;
      const end = lengthPrefixedToAnnexB(target, sampleAt, sample);
      const lastAt = end - delimiter.length;
      return lastAt >= sampleAt && target.readUInt32BE(lastAt) === 1 && isDelimiter(target[lastAt + 4]) ? lastAt : end;
    },
  };
}

/** Whether a NAL unit with this first byte is an access unit delimiter. */
function isH264Delimiter(header = 0): boolean {
  return h264TypeOf(header) === H264NalType.accessUnitDelimiter;
}

function isH265Delimiter(header = 0): boolean {
  return h265TypeOf(header) === H265NalType.accessUnitDelimiter;
}

function h264Sets(config: Uint8Array): Uint8Array[] {
  const record = readAvcC(config);
  return record ? [...record.sps, ...(record.spsExtensions ?? []), ...record.pps] : [];
}

function h265Sets(config: Uint8Array): Uint8Array[] {
  return readHvcC(config)?.arrays.flatMap((array) => [...array.units]) ?? [];
}

function audioForm(track: AudioTrack): TrackForm {
  const descriptors = languageOf(track);
  const plain = { streamId: AUDIO_STREAM_ID, isNumbered: true, overheadBytes: 0, write: writePlain };
  const inPrivate = { streamId: PRIVATE_STREAM_ID, isNumbered: false, overheadBytes: 0, write: writePlain };
  switch (track.codec) {
    case 'aac': {
      const element = adtsProgramConfig(track);
      return {
        ...plain,
        streamType: STREAM_TYPE.adts,
        descriptors,
        overheadBytes: ADTS_HEADER_BYTES + element.length,
        write: (target, at, data) => {
          const added = element.length > 0 && !hasProgramConfig(data) ? element : NO_BYTES;
          const end = writeAdtsHeader(target, at, track, added.length + data.length);
          return writePlain(target, writePlain(target, end, added), data);
        },
      };
    }
    case 'mp2':
    case 'mp3':
      return {
        ...plain,
        streamType: track.sampleRate < MPEG1_AUDIO_MIN_RATE ? STREAM_TYPE.mpeg2Audio : STREAM_TYPE.mpeg1Audio,
        descriptors,
      };
    case 'ac3':
      return { ...inPrivate, streamType: STREAM_TYPE.ac3, descriptors: [registration('AC-3'), ...descriptors] };
    case 'eac3':
      return { ...inPrivate, streamType: STREAM_TYPE.eac3, descriptors: [registration('EAC3'), ...descriptors] };
    case 'opus':
      return {
        ...inPrivate,
        streamType: STREAM_TYPE.privatePes,
        descriptors: [registration('Opus'), opusChannels(track.channels), ...descriptors],
        overheadBytes: opusControlHeaderSize(MAX_OPUS_PACKET_BYTES),
        write: writeOpus,
      };
  }
}

function languageOf(track: Track): Descriptor[] {
  return track.language === undefined ? [] : [language(track.language)];
}

function writePlain(target: Buffer, at: number, data: Uint8Array): number {
  target.set(data, at);
  return at + data.length;
}

function writeOpus(target: Buffer, at: number, data: Uint8Array): number {
  if (data.length > MAX_OPUS_PACKET_BYTES) return at;
  return writePlain(target, writeOpusControlHeader(target, at, data.length), data);
}

/** Extension descriptor with the channel configuration: for 1 to 8 channels the count itself. */
function opusChannels(channels: number): Descriptor {
  return { tag: DESCRIPTOR.dvbExtension, data: Uint8Array.of(OPUS_EXTENSION_TAG, channels) };
}
