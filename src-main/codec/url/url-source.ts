import {
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_AC3,
  AV_CODEC_ID_EAC3,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_CODEC_ID_MP2,
  AV_CODEC_ID_MP3,
  AV_CODEC_ID_OPUS,
  AV_NOPTS_VALUE,
  AVDISCARD_ALL,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { avGetCodecName, Dictionary, FormatContext, InputFormat, type Packet, type Stream } from 'node-av/lib';
import type { FeedDescription, FeedStream } from '../../lib/feed/feed-description.ts';
import type { OpenedUrl } from './checked-url.ts';
import { ffmpegOptions, type UrlKind, type UrlOptions } from './url-options.ts';

const TICKS_PER_SECOND = 90_000;
const MICROSECONDS_PER_MS = 1000;
/** Number of bytes of a file in which FFmpeg looks for properties that are missing in its header. */
const PROBE_BYTES = 8n << 20n;
/** Containers whose header does not list their streams, so that streams may appear later if FFmpeg does not probe. */
const OPEN_FORMATS = new Set(['flv', 'live_flv']);

/** Supported codecs; packets of all other codecs are dropped at the source. */
const CARRIED = new Set<number>([
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_MP2,
  AV_CODEC_ID_MP3,
  AV_CODEC_ID_AC3,
  AV_CODEC_ID_EAC3,
  AV_CODEC_ID_OPUS,
]);

/** An address opened by FFmpeg. */
export class UrlSource {
  readonly #kind: UrlKind;
  readonly #context = new FormatContext();
  /** Ticks per unit of the time base, by stream index. */
  #scales: number[] = [];
  /** Decoder configurations that arrived after the header, by stream index. */
  readonly #configs = new Map<number, Uint8Array>();

  constructor(kind: UrlKind) {
    this.#kind = kind;
    // Only a context allocated before its opening can be interrupted.
    this.#context.allocContext();
  }

  /** Whether packets are bytes of a transport stream. */
  get isBytes(): boolean {
    return this.#kind === 'srt';
  }

  /**
   * Opens the address; returns FFmpeg's result code.
   * @param caFile trusted certificate authorities; without it any certificate is accepted
   */
  async open({ url, tcUrl }: OpenedUrl, options: UrlOptions, caFile?: string): Promise<number> {
    const format = this.#kind === 'srt' ? 'data' : this.#kind === 'sdp' ? 'sdp' : undefined;
    const named = format === undefined ? null : InputFormat.findInputFormat(format);
    const opened = await this.#context.openInput(
      url,
      named,
      Dictionary.fromObject({
        ...ffmpegOptions(this.#kind, options, caFile),
        ...(tcUrl === undefined ? {} : { rtmp_tcurl: tcUrl }),
      }),
    );
    if (opened < 0 || this.#kind !== 'file') return opened;
    // A live source is not probed, because probing would delay its packets. The receiver of the packets finds the parameter
    // sets and times.
    this.#context.probesize = PROBE_BYTES;
    return this.#context.findStreamInfo(null);
  }

  /** Whether the last description contains a stream. */
  knows(streamIndex: number): boolean {
    return streamIndex < this.#scales.length;
  }

  /** Describes the streams, and discards unsupported streams. */
  describe(): FeedDescription {
    const { streams } = this.#context;
    this.#scales = streams.map(({ timeBase }) => (timeBase.num * TICKS_PER_SECOND) / timeBase.den);
    for (const stream of streams) if (!CARRIED.has(stream.codecpar.codecId)) stream.discard = AVDISCARD_ALL;
    const format = this.#context.iformat?.name ?? '';
    const durationMs = Math.round(Number(this.#context.duration) / MICROSECONDS_PER_MS);
    return {
      format,
      isOpen: this.#kind !== 'file' && OPEN_FORMATS.has(format),
      streams: streams.map((stream) => streamOf(stream, this.#configs.get(stream.index))),
      ...(durationMs > 0 ? { durationMs } : {}),
    };
  }

  /** Stores a decoder configuration that arrived with a packet. */
  learn(streamIndex: number, config: Uint8Array): void {
    this.#configs.set(streamIndex, config);
  }

  /** Reads the next packet asynchronously; returns FFmpeg's result code. */
  read(packet: Packet): Promise<number> {
    return this.#context.readFrame(packet);
  }

  /** Reads the next packet synchronously: several times cheaper, for sources that never wait. */
  readSync(packet: Packet): number {
    return this.#context.readFrameSync(packet);
  }

  /** Converts a time of a packet to 90 kHz ticks; NaN if there is none. */
  ticks(streamIndex: number, time: bigint): number {
    if (time === AV_NOPTS_VALUE) return Number.NaN;
    return Math.round(Number(time) * (this.#scales[streamIndex] ?? Number.NaN));
  }

  /** Interrupts a waiting call. */
  interrupt(): void {
    this.#context.interrupt();
  }

  async close(): Promise<void> {
    await this.#context.closeInput();
  }
}

function streamOf({ index, codecpar, metadata }: Stream, newConfig: Uint8Array | undefined): FeedStream {
  const content =
    codecpar.codecType === AVMEDIA_TYPE_VIDEO ? 'video' : codecpar.codecType === AVMEDIA_TYPE_AUDIO ? 'audio' : 'other';
  const language = metadata?.get('language');
  return {
    index,
    content,
    codec: avGetCodecName(codecpar.codecId) ?? 'unknown',
    config: newConfig ?? codecpar.extradata ?? new Uint8Array(0),
    sampleRate: content === 'audio' ? codecpar.sampleRate : 0,
    channels: content === 'audio' ? codecpar.channelLayout.nbChannels : 0,
    ...(language ? { language } : {}),
  };
}
