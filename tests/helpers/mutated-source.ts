import fc from 'fast-check';
import { writePat } from '../../src-main/media/containers/mpegts/pat.ts';
import { MpegTsReader } from '../../src-main/media/containers/mpegts/reader.ts';
import { PacketOutput, PidOutput } from '../../src-main/media/containers/mpegts/packet-output.ts';
import { writePmt } from '../../src-main/media/containers/mpegts/pmt.ts';
import { writeOldAudioTag } from '../../src-main/media/containers/flv/audio-tag.ts';
import { writeExVideoTag, writeOldVideoTag } from '../../src-main/media/containers/flv/video-tag.ts';
import { ChunkStreamWriter } from '../../src-main/media/containers/rtmp/chunk-stream-writer.ts';
import { writeSetChunkSize } from '../../src-main/media/containers/rtmp/protocol-control.ts';
import type { Track } from '../../src-main/media/track.ts';
import {
  codedPictures,
  codedSound,
  SAME_SPS_COUNT,
  SOURCE_GOPS,
  VARIANT_COUNT,
  type CodedPicture,
  type CodedSound,
  type PictureCodec,
} from './coded-source.ts';
import { framed, UNSTATED_FRAMINGS, type Framing } from './nal-framing.ts';
import { packedPes, type MadePes } from './packed-pes.ts';
import { RecordingSink } from './recording-sink.ts';

/** Bytes of an input, and their arrival in 90 kHz ticks from its start. */
export interface ArrivingBytes {
  readonly atTicks: number;
  readonly bytes: Uint8Array;
}

/** Packaging, timing and parameter sets of a source. */
export interface Mutation {
  readonly codec: PictureCodec;
  /** Variant of each GOP. */
  readonly variants: readonly number[];
  /** Repetition of parameter sets: before each picture, before each key frame, or only at changes. */
  readonly sets: 'picture' | 'key' | 'change';
  /** Time of the first picture. */
  readonly startTicks: number;
  /** Offsets of the times of pictures and of audio packets in ticks, used in turn. */
  readonly pictureJitterTicks: readonly number[];
  readonly soundJitterTicks: readonly number[];
  /** MPEG-TS: whether pictures keep their access unit delimiter, used in turn. */
  readonly delimiters: readonly boolean[];
  /** MPEG-TS: sizes of PES packets in bytes, used in turn, or packets up to the start of the next picture. */
  readonly lengths: readonly (number | 'picture')[];
  /** MPEG-TS: whether packets state times, decoding times, and their length. */
  readonly timed: readonly boolean[];
  readonly hasDts: boolean;
  readonly bounded: readonly boolean[];
  /** Numbers of audio frames in each packet or message, used in turn. */
  readonly soundFrames: readonly number[];
  /**
   * RTMP: chunk sizes, each for some messages, and whether new parameter sets are sent as a configuration or in the
   * pictures.
   */
  readonly chunkBytes: readonly number[];
  readonly isConfigured: boolean;
  /** RTMP: separation of the NAL units. */
  readonly framing: Framing;
}

const turns = <T>(one: fc.Arbitrary<T>, maxLength = 12): fc.Arbitrary<T[]> =>
  fc.array(one, { minLength: 1, maxLength });
/**
 * Jitter with the mean 0. Another mean would be an offset between tracks, which outputs must preserve.
 *
 * @param min minimum of each value, in ticks
 */
const jitter = (ticks: number, min = 0): fc.Arbitrary<readonly number[]> =>
  fc.oneof(
    fc.constant([0]),
    turns(fc.tuple(fc.integer({ min, max: ticks }), fc.constantFrom(1, -1))).map((late) =>
      late.flatMap(([one, sign]) => [one * sign, -one * sign]),
    ),
  );
/** Minimum absolute jitter of audio with jitter: after half a second of steady times, a single step counts as a gap. */
const MIN_SOUND_JITTER = 450;
/** Maximum number of pictures without a stated time: 0.7 s (ISO/IEC 13818-1, 2.7.4). */
const MAX_UNTIMED_PICTURES = 16;

/** Any mutation of a source with this codec. */
export function anyMutation(codec: PictureCodec): fc.Arbitrary<Mutation> {
  const gops = { minLength: 3, maxLength: SOURCE_GOPS };
  const variant = (count: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: count - 1 });
  return fc.record({
    codec: fc.constant(codec),
    variants: fc.oneof(
      fc.array(fc.constant(0), gops),
      fc.array(variant(SAME_SPS_COUNT), gops),
      fc.array(variant(VARIANT_COUNT), gops),
    ),
    sets: fc.constantFrom('picture', 'key', 'change'),
    startTicks: fc.constantFrom(0, 126_000, 2 ** 33 - 100_000),
    pictureJitterTicks: jitter(1500),
    soundJitterTicks: jitter(13_500, MIN_SOUND_JITTER),
    delimiters: fc.oneof(fc.constant([true]), fc.constant([false]), turns(fc.boolean())),
    lengths: fc.oneof(
      fc.constant(['picture' as const]),
      turns(fc.oneof(fc.integer({ min: 1, max: 8000 }), fc.constant('picture' as const)), 40).map((lengths) => [
        ...lengths,
        'picture' as const,
      ]),
    ),
    timed: fc.oneof(fc.constant([true]), turns(fc.boolean())),
    hasDts: fc.boolean(),
    bounded: turns(fc.boolean()),
    // An even number of values, as in the jitter; otherwise the mean over the frames would not be 0.
    soundFrames: turns(fc.integer({ min: 1, max: 8 }), 5).map((counts) => counts.flatMap((count) => [count, count])),
    chunkBytes: turns(fc.constantFrom(1, 100, 128, 4096, 65_536), 4),
    isConfigured: fc.boolean(),
    framing: fc.oneof(fc.constant('lengths of 4 bytes' as const), fc.constantFrom(...UNSTATED_FRAMINGS)),
  });
}

/** Mutation without effect: a packet for each picture, all times, parameter sets before key frames. */
export function unmutated({ codec, variants, startTicks }: Mutation): Mutation {
  return { ...plainMutation(codec, variants), startTicks };
}

/** Mutation without effect, of a source with these GOPs. */
export function plainMutation(codec: PictureCodec, variants: readonly number[]): Mutation {
  return {
    codec,
    variants,
    startTicks: 0,
    sets: 'key',
    pictureJitterTicks: [0],
    soundJitterTicks: [0],
    delimiters: [true],
    lengths: ['picture'],
    timed: [true],
    hasDts: true,
    bounded: [false],
    soundFrames: [4],
    chunkBytes: [4096],
    isConfigured: true,
    framing: 'lengths of 4 bytes',
  };
}

const at = <T>(values: readonly T[], index: number): T => values[index % values.length]!;
const START_CODE = Uint8Array.of(0, 0, 0, 1);
const annexB = (units: readonly Uint8Array[]): Buffer => Buffer.concat(units.flatMap((unit) => [START_CODE, unit]));
interface Timed extends CodedPicture {
  /** Parameter sets sent with the picture. */
  readonly sent: readonly Uint8Array[];
  /** Whether this is the first picture, or one with changed parameter sets. */
  readonly isChange: boolean;
  /** Arrival time: the decoding time without jitter. */
  readonly atTicks: number;
}

/** Pictures of a source, with the parameter sets sent with each. */
export function picturesOf(mutation: Mutation): Timed[] {
  let before = '';
  let sets: readonly Uint8Array[] = [];
  return codedPictures(mutation.codec, mutation.variants).map((picture, index) => {
    if (picture.isKey) sets = picture.sets;
    const text = annexB(sets).toString('hex');
    const isChange = text !== before;
    before = text;
    const isSent = isChange || mutation.sets === 'picture' || (mutation.sets === 'key' && picture.isKey);
    const shift = mutation.startTicks + at(mutation.pictureJitterTicks, index);
    return {
      ...picture,
      sent: isSent ? sets : [],
      isChange,
      atTicks: picture.dtsTicks,
      ptsTicks: picture.ptsTicks + shift,
      dtsTicks: picture.dtsTicks + shift,
    };
  });
}

/** Audio frames that are sent together. */
interface SoundPacket {
  readonly atTicks: number;
  readonly ptsTicks: number;
  readonly frames: readonly CodedSound[];
}

/** PES packet and its arrival time. */
interface TimedPes {
  readonly atTicks: number;
  readonly pes: MadePes;
}

/** Audio packets, each with some frames. */
function soundOf(mutation: Mutation): SoundPacket[] {
  const firstTicks = codedPictures(mutation.codec, [0])[0]!.ptsTicks;
  const frames = codedSound(mutation.variants.length, firstTicks);
  const packets: SoundPacket[] = [];
  for (let from = 0; from < frames.length;) {
    const some = frames.slice(from, from + at(mutation.soundFrames, packets.length));
    const atTicks = some[0]!.ptsTicks;
    // The first packet states its time, on which all other times depend.
    const late = packets.length === 0 ? 0 : at(mutation.soundJitterTicks, packets.length);
    packets.push({ atTicks, ptsTicks: mutation.startTicks + atTicks + late, frames: some });
    from += some.length;
  }
  return packets;
}

const VIDEO_PID = 0x100;
const AUDIO_PID = 0x101;
const PMT_PID = 0x1000;

/** Source as MPEG-TS. */
export function asTransportStream(mutation: Mutation): ArrivingBytes[] {
  const pictures = videoPackets(mutation);
  const sounds = soundOf(mutation).map(({ atTicks, ptsTicks, frames }) => ({
    atTicks,
    pes: { data: Buffer.concat(frames.map(({ adts }) => adts)), ptsTicks, streamId: 0xc0, isBounded: true },
  }));
  const arriving: ArrivingBytes[] = [{ atTicks: 0, bytes: tablesOf(mutation.codec) }];
  for (const [pid, packets] of [
    [VIDEO_PID, pictures],
    [AUDIO_PID, sounds],
  ] as const) {
    let count = 0;
    for (const { atTicks, pes } of packets) {
      const bytes = packedPes([pes], pid, count & 0x0f);
      count += bytes.length / 188;
      arriving.push({ atTicks, bytes });
    }
  }
  return arriving.sort((a, b) => a.atTicks - b.atTicks);
}

function tablesOf(codec: PictureCodec): Buffer {
  const section = { version: 0, isCurrent: true, sectionNumber: 0, lastSectionNumber: 0 };
  const output = new PacketOutput();
  const programs = [{ programNumber: 1, pmtPid: PMT_PID }];
  output.section(new PidOutput(0, 0), writePat({ ...section, transportStreamId: 1, programs }), false);
  const streams = [
    { streamType: codec === 'h264' ? 0x1b : 0x24, pid: VIDEO_PID, descriptors: [] },
    { streamType: 0x0f, pid: AUDIO_PID, descriptors: [] },
  ];
  const map = { ...section, programNumber: 1, pcrPid: VIDEO_PID, descriptors: [], streams };
  output.section(new PidOutput(PMT_PID, 0), writePmt(map), false);
  return output.take();
}

/**
 * Splits the pictures into PES packets. The times are those of the first picture that starts in a packet (ISO/IEC
 * 13818-1, 2.4.3.7).
 */
function videoPackets(mutation: Mutation): TimedPes[] {
  const pictures = picturesOf(mutation);
  const starts: number[] = [];
  let total = 0;
  const bytes = Buffer.concat(
    pictures.map(({ delimiter, sent, rest }, index) => {
      starts.push(total);
      const data = annexB([...(at(mutation.delimiters, index) ? [delimiter] : []), ...sent, ...rest]);
      total += data.length;
      return data;
    }),
  );
  const packets: TimedPes[] = [];
  let lastTimed = -Infinity;
  for (let from = 0; from < total;) {
    const length = at(mutation.lengths, packets.length);
    const end = length === 'picture' ? (starts.find((start) => start > from) ?? total) : Math.min(total, from + length);
    // A picture starts with the prefix of its start code, after the zero byte.
    const first = starts.findIndex((start) => start + 1 >= from);
    const isStart = first >= 0 && starts[first]! + 1 < end;
    const picture = pictures[isStart ? first : first < 0 ? pictures.length - 1 : Math.max(0, first - 1)]!;
    const isDue = first - lastTimed >= MAX_UNTIMED_PICTURES;
    const isTimed = isStart && (isDue || at(mutation.timed, packets.length));
    if (isTimed) lastTimed = first;
    const newest = pictures[starts.findLastIndex((start) => start < end)]!;
    const { ptsTicks, dtsTicks } = picture;
    const times = isTimed ? { ptsTicks, ...(mutation.hasDts ? { dtsTicks } : {}) } : {};
    const isBounded = at(mutation.bounded, packets.length);
    packets.push({ atTicks: newest.atTicks, pes: { data: bytes.subarray(from, end), isBounded, ...times } });
    from = end;
  }
  return packets;
}

/** Message of a publisher, with its sending time. */
interface TimedMessage {
  readonly atTicks: number;
  readonly type: 8 | 9;
  readonly timestampMs: number;
  readonly payload: Uint8Array;
}

function messagesOf(mutation: Mutation): TimedMessage[] {
  const { codec } = mutation;
  const base = { codec: codec === 'h264' ? 'avc1' : 'hvc1', trackNumber: 0, offsetNs: 0 };
  const write =
    codec === 'h264'
      ? writeOldVideoTag
      : (packet: Parameters<typeof writeExVideoTag>[0][0]) => writeExVideoTag([packet]);
  const messages: TimedMessage[] = [];
  const ms = (ticks: number): number => Math.max(0, Math.round(ticks / 90)) % 2 ** 32;
  let hasConfig = false;
  for (const { sent, rest, isKey, isChange, atTicks, ptsTicks, dtsTicks } of picturesOf(mutation)) {
    const timestampMs = ms(dtsTicks);
    const isConfig = isChange && (mutation.isConfigured || !hasConfig);
    if (isConfig) {
      const data = configOf(codec, sent, rest);
      messages.push({
        atTicks,
        type: 9,
        timestampMs,
        payload: write({ ...base, kind: 'config', isKeyFrame: true, compositionTimeMs: 0, data }),
      });
      hasConfig = true;
    }
    const data = framed([...(isConfig ? [] : sent), ...rest], mutation.framing);
    const compositionTimeMs = ms(ptsTicks) - timestampMs;
    messages.push({
      atTicks,
      type: 9,
      timestampMs,
      payload: write({ ...base, kind: 'frame', isKeyFrame: isKey, compositionTimeMs, data }),
    });
  }
  const sounds: TimedMessage[] = soundOf({ ...mutation, soundFrames: [1] }).map(({ atTicks, ptsTicks, frames }) => {
    const data = frames[0]!.adts.subarray(7);
    return {
      atTicks,
      type: 8,
      timestampMs: ms(ptsTicks),
      payload: writeOldAudioTag({ kind: 'frame', codec: 'mp4a', data }),
    };
  });
  // AAC-LC, 48 kHz, mono.
  const config = writeOldAudioTag({ kind: 'config', codec: 'mp4a', data: Uint8Array.of(0x11, 0x88) });
  const first: TimedMessage = { atTicks: 0, type: 8, timestampMs: messages[0]!.timestampMs, payload: config };
  return [first, ...[...messages, ...sounds].sort((a, b) => a.atTicks - b.atTicks)];
}

/** Decoder configuration record of a picture with these parameter sets. */
export function configOf(codec: PictureCodec, sets: readonly Uint8Array[], rest: readonly Uint8Array[]): Uint8Array {
  const sink = new RecordingSink();
  const stream = { streamType: codec === 'h264' ? 0x1b : 0x24, pid: VIDEO_PID, descriptors: [] };
  const map = {
    version: 0,
    isCurrent: true,
    sectionNumber: 0,
    lastSectionNumber: 0,
    programNumber: 1,
    pcrPid: VIDEO_PID,
    descriptors: [],
    streams: [stream],
  };
  const reader = new MpegTsReader(sink, { found: { map, configs: new Map() } });
  reader.push(packedPes([{ data: annexB([...sets, ...rest]), ptsTicks: 0 }]));
  reader.flush();
  const [track]: readonly (Track | undefined)[] = sink.announcements.at(-1) ?? [];
  if (!track) throw new Error('there is no configuration');
  return track.decoderConfig;
}

/** Source as an RTMP chunk stream. */
export function asChunkStream(mutation: Mutation): ArrivingBytes[] {
  const writer = new ChunkStreamWriter();
  return messagesOf(mutation).map(({ atTicks, type, timestampMs, payload }, index) => {
    const size = writer.write(2, writeSetChunkSize(at(mutation.chunkBytes, index)));
    const message = writer.write(type === 9 ? 6 : 4, { type, streamId: 1, timestampMs, payload });
    return { atTicks, bytes: Buffer.concat([size, message]) };
  });
}
