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
/** How much of a file is looked at, to learn what its header does not say. */
const PROBE_BYTES = 8n << 20n;
/** Containers without a list of their streams, where they are not probed. */
const OPEN_FORMATS = new Set(['flv', 'live_flv']);

/** What is handed on; packets of all else are thrown away where they come in. */
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

/** An address that FFmpeg has open. */
export class UrlSource {
  readonly #kind: UrlKind;
  readonly #context = new FormatContext();
  /** Ticks per unit of the time base, by index of the stream. */
  #scales: number[] = [];
  /** Configurations that came behind those of the header, by index of the stream. */
  readonly #configs = new Map<number, Uint8Array>();

  constructor(kind: UrlKind) {
    this.#kind = kind;
    // Only a context that was allocated before it is opened can be interrupted.
    this.#context.allocContext();
  }

  /** Whether packets are bytes of a transport stream. */
  get isBytes(): boolean {
    return this.#kind === 'srt';
  }

  /** Opens it; the result code of FFmpeg. @param caFile certificates that the other side must be vouched for by; without it any is taken */
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
    // A live source is not looked at before it is played: what was read for that would come late. Parameter sets and times are
    // found by the receiver of the packets.
    this.#context.probesize = PROBE_BYTES;
    return this.#context.findStreamInfo(null);
  }

  /** Whether the last description has a stream. */
  knows(streamIndex: number): boolean {
    return streamIndex < this.#scales.length;
  }

  /** Describes the streams, and discards those that Airdesk does not carry. */
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

  /** Takes a configuration that a packet brought. */
  learn(streamIndex: number, config: Uint8Array): void {
    this.#configs.set(streamIndex, config);
  }

  /** Reads the next packet while other work goes on; the result code of FFmpeg. */
  read(packet: Packet): Promise<number> {
    return this.#context.readFrame(packet);
  }

  /** Reads the next packet at once: several times cheaper, for sources that never let one wait. */
  readSync(packet: Packet): number {
    return this.#context.readFrameSync(packet);
  }

  /** A time of a packet in 90 kHz ticks; NaN where there is none. */
  ticks(streamIndex: number, time: bigint): number {
    if (time === AV_NOPTS_VALUE) return Number.NaN;
    return Math.round(Number(time) * (this.#scales[streamIndex] ?? Number.NaN));
  }

  /** Ends a call that waits. */
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
