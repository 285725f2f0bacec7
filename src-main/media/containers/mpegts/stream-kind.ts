import type { AudioCodec, VideoCodec } from '../../track.ts';
import { DESCRIPTOR, OPUS_EXTENSION_TAG, registrationOf, type Descriptor } from './descriptor.ts';
import type { PmtStream } from './pmt.ts';

/** Kind of an elementary stream in a programme map. */
export type StreamKind =
  | { readonly content: 'video'; readonly codec: VideoCodec }
  | { readonly content: 'audio'; readonly codec: AudioCodec }
  | { readonly content: 'splice' }
  /** Audio or video of an unsupported codec, with its name for the operator. */
  | { readonly content: 'unknown'; readonly medium: 'video' | 'audio'; readonly name: string }
  /** Private PES packets whose descriptors do not name their content, which may be a codec or data. */
  | { readonly content: 'undeclared' }
  /** Subtitles, teletext, private data: ignored silently. */
  | { readonly content: 'data' };

/** stream_type values of supported and recognised codecs (ISO/IEC 13818-1, table 2-34; ATSC A/53, A/52; SCTE 35). */
export const STREAM_TYPE = {
  mpeg1Audio: 0x03,
  mpeg2Audio: 0x04,
  privatePes: 0x06,
  adts: 0x0f,
  latm: 0x11,
  h264: 0x1b,
  h265: 0x24,
  ac3: 0x81,
  splice: 0x86,
  eac3: 0x87,
} as const;

const DATA: StreamKind = { content: 'data' };
const UNDECLARED: StreamKind = { content: 'undeclared' };
const SPLICE: StreamKind = { content: 'splice' };
const video = (codec: VideoCodec): StreamKind => ({ content: 'video', codec });
const audio = (codec: AudioCodec): StreamKind => ({ content: 'audio', codec });
const unknownAudio = (name: string): StreamKind => ({ content: 'unknown', medium: 'audio', name });
const unknownVideo = (name: string): StreamKind => ({ content: 'unknown', medium: 'video', name });

const BY_TYPE: ReadonlyMap<number, StreamKind> = new Map([
  [STREAM_TYPE.mpeg1Audio, audio('mp2')],
  [STREAM_TYPE.mpeg2Audio, audio('mp2')],
  [STREAM_TYPE.adts, audio('aac')],
  [STREAM_TYPE.h264, video('h264')],
  [STREAM_TYPE.h265, video('h265')],
  [STREAM_TYPE.ac3, audio('ac3')],
  [STREAM_TYPE.eac3, audio('eac3')],
  [STREAM_TYPE.splice, SPLICE],
  [0x01, unknownVideo('MPEG-1 video')],
  [0x02, unknownVideo('MPEG-2 video')],
  [0x10, unknownVideo('MPEG-4 part 2 video')],
  [STREAM_TYPE.latm, unknownAudio('AAC in LATM')],
  [0x1c, unknownAudio('MPEG-4 audio without transport')],
  [0x20, unknownVideo('H.264 multiview')],
  [0x21, unknownVideo('JPEG 2000')],
  [0x2d, unknownAudio('MPEG-H audio')],
  [0x33, unknownVideo('H.266')],
  [0x42, unknownVideo('AVS video')],
  [0xd1, unknownVideo('Dirac')],
  [0xea, unknownVideo('VC-1')],
]);

/** Stream types of Blu-ray discs (programme registration `HDMV`) that differ from the table above. */
const HDMV_BY_TYPE: ReadonlyMap<number, StreamKind> = new Map([
  [0x80, unknownAudio('LPCM')],
  [0x82, unknownAudio('DTS')],
  [0x83, unknownAudio('TrueHD')],
  [0x84, audio('eac3')],
  [0x85, unknownAudio('DTS-HD')],
  [0x86, unknownAudio('DTS-HD')],
]);

const BY_REGISTRATION: ReadonlyMap<string, StreamKind> = new Map([
  ['AC-3', audio('ac3')],
  ['EAC3', audio('eac3')],
  ['Opus', audio('opus')],
  ['HEVC', video('h265')],
  ['AV01', unknownVideo('AV1')],
  ['AC-4', unknownAudio('AC-4')],
  ['BSSD', unknownAudio('SMPTE 302M audio')],
  ['DTS1', unknownAudio('DTS')],
  ['DTS2', unknownAudio('DTS')],
  ['DTS3', unknownAudio('DTS')],
]);

/** Descriptors that mark the content of private PES packets as data, also a registration that is not in the table above. */
const DATA_TAGS: ReadonlySet<number> = new Set<number>([
  DESCRIPTOR.registration,
  DESCRIPTOR.metadata,
  DESCRIPTOR.dvbVbiData,
  DESCRIPTOR.dvbVbiTeletext,
  DESCRIPTOR.dvbTeletext,
  DESCRIPTOR.dvbSubtitling,
  DESCRIPTOR.aribDataComponent,
]);

/** Kind of a stream, from its type and descriptors and those of its programme. */
export function streamKind(stream: PmtStream, programDescriptors: readonly Descriptor[]): StreamKind {
  if (registrationOf(programDescriptors) === 'HDMV') {
    const kind = HDMV_BY_TYPE.get(stream.streamType);
    if (kind) return kind;
  }
  if (stream.streamType === STREAM_TYPE.privatePes) return privateKind(stream.descriptors);
  return BY_TYPE.get(stream.streamType) ?? DATA;
}

function privateKind(descriptors: readonly Descriptor[]): StreamKind {
  const registered = BY_REGISTRATION.get(registrationOf(descriptors) ?? '');
  if (registered) return registered;
  for (const { tag } of descriptors) {
    if (tag === DESCRIPTOR.dvbAc3) return audio('ac3');
    if (tag === DESCRIPTOR.dvbEac3) return audio('eac3');
    if (tag === DESCRIPTOR.dvbDts) return unknownAudio('DTS');
  }
  return descriptors.some(({ tag }) => DATA_TAGS.has(tag)) ? DATA : UNDECLARED;
}

/**
 * Channel configuration code of Opus from its DVB extension descriptor (1 to 8 channels: the count itself); undefined without
 * one.
 */
export function opusChannelCode(descriptors: readonly Descriptor[]): number | undefined {
  const data = descriptors.find(
    (one) => one.tag === DESCRIPTOR.dvbExtension && one.data[0] === OPUS_EXTENSION_TAG,
  )?.data;
  return data?.[1];
}
