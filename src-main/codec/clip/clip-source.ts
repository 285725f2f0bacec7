import {
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  AVDISCARD_ALL,
  AVDISCARD_DEFAULT,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
  AVSEEK_FLAG_BACKWARD,
  type AVMediaType,
} from 'node-av/constants';
import { Codec, CodecContext, Dictionary, FormatContext, Frame, InputFormat, Packet } from 'node-av/lib';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { throwOnError } from '../libav/codec-error.ts';
import { FilterChain, soundInput } from '../libav/filter-chain.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';

/** Allowed file formats; none of them refers to other files. */
const FORMATS = 'mov,mp4,matroska,webm,mpegts,mpeg,avi,flv,mxf,asf,wav,ogg,mp3,aac';
/** Demuxers of still pictures, which open a single file and not a numbered sequence. */
const STILLS = [
  { ending: /\.png$/i, format: 'png_pipe' },
  { ending: /\.jpe?g$/i, format: 'jpeg_pipe' },
] as const;
const MAX_PIXELS = 8192 * 4352;
/** FFmpeg's time base of a file, in microseconds. */
const FILE_TICKS = 1_000_000;
/** `AV_NOPTS_VALUE`. */
const NO_TIME = -(2n ** 63n);

/** A source file with its first video and first audio track. */
export class ClipSource {
  readonly #file = new FormatContext();
  readonly #packet = new Packet();
  readonly #tracks = new Map<number, SourceTrack>();
  /** Time of the first picture, in seconds of the file. */
  readonly #startS: number;
  /** Seconds; 0 if unknown. */
  readonly durationS: number;

  /**
   * Throws `clip_not_made` with the reason.
   * @param types kinds of tracks to decode
   */
  constructor(path: string, threads: number, types: readonly AVMediaType[] = [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO]) {
    this.#packet.alloc();
    const still = STILLS.find(({ ending }) => ending.test(path))?.format;
    const options = Dictionary.fromObject({ protocol_whitelist: 'file', format_whitelist: still ?? FORMATS });
    const format = still === undefined ? null : InputFormat.findInputFormat(still);
    throwOnError(this.#file.openInputSync(path, format, options), 'clip_not_made', `Opening ${path}`);
    throwOnError(this.#file.findStreamInfoSync(), 'clip_not_made', `Reading ${path}`);
    const { duration, startTime } = this.#file;
    this.durationS = duration > 0n ? Number(duration) / FILE_TICKS : 0;
    // The clip starts with the first picture: earlier sound, which encoders often write, would delay all pictures
    // otherwise.
    const lead = this.#file.streams[this.#file.findBestStream(AVMEDIA_TYPE_VIDEO)];
    this.#startS =
      lead && lead.startTime !== NO_TIME
        ? (Number(lead.startTime) * lead.timeBase.num) / lead.timeBase.den
        : startTime === NO_TIME
          ? 0
          : Number(startTime) / FILE_TICKS;
    for (const stream of this.#file.streams) stream.discard = AVDISCARD_ALL;
    for (const type of types) {
      const index = this.#file.findBestStream(type);
      const stream = index < 0 ? undefined : this.#file.streams[index];
      if (!stream) continue;
      stream.discard = AVDISCARD_DEFAULT;
      this.#tracks.set(index, new SourceTrack(type, stream, this.#startS, threads));
    }
  }

  /** First track of a type; undefined if there is none. */
  track(type: AVMediaType): SourceTrack | undefined {
    return [...this.#tracks.values()].find((track) => track.type === type);
  }

  /** Seeks to the last key frame before a time, in seconds from the start. */
  seek(timeS: number): void {
    const ticks = BigInt(Math.round((timeS + this.#startS) * FILE_TICKS));
    throwOnError(this.#file.seekFrameSync(-1, ticks, AVSEEK_FLAG_BACKWARD), 'clip_not_made', 'Seeking');
    for (const track of this.#tracks.values()) track.flush();
  }

  /**
   * Reads and decodes the next packet.
   * @returns false at the end of the file, after the remaining frames were decoded
   */
  read(): boolean {
    const result = this.#file.readFrameSync(this.#packet);
    if (result >= 0) {
      this.#tracks.get(this.#packet.streamIndex)?.decode(this.#packet);
      this.#packet.unref();
      return true;
    }
    for (const track of this.#tracks.values()) track.decode(null);
    return false;
  }

  close(): void {
    for (const track of this.#tracks.values()) track.close();
    this.#packet.free();
    this.#file.closeInputSync();
  }
}

/** A decoded track with its filters. */
export class SourceTrack {
  readonly type: AVMediaType;
  /** Time of the last frame, in seconds from the start of the file to the last frame. */
  atS = 0;
  /** Filter chain in FFmpeg syntax; it is built with the first frame. */
  chain = '';
  readonly #decoder = new CodecContext();
  readonly #frame = new Frame();
  readonly #unit: number;
  readonly #startTicks: bigint;
  #filters: FilterChain | undefined;

  constructor(
    type: AVMediaType,
    { codecpar, timeBase }: FormatContext['streams'][number],
    startS: number,
    threads: number,
  ) {
    this.type = type;
    this.#unit = timeBase.num / timeBase.den;
    this.#startTicks = BigInt(Math.round(startS / this.#unit));
    this.#frame.alloc();
    const codec = Codec.findDecoder(codecpar.codecId);
    if (!codec) throw new AirdeskError('clip_not_made', because('clip_codec_unknown'));
    this.#decoder.allocContext3(codec);
    throwOnError(codecpar.toContext(this.#decoder), 'clip_not_made', 'Opening a decoder');
    this.#decoder.pktTimebase = timeBase;
    this.#decoder.threadCount = type === AVMEDIA_TYPE_VIDEO ? threads : 1;
    this.#decoder.setOption('max_pixels', String(MAX_PIXELS), AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN);
    throwOnError(this.#decoder.open2Sync(codec), 'clip_not_made', 'Opening a decoder');
  }

  /** True once a frame could be decoded. */
  get hasFrames(): boolean {
    return this.#filters !== undefined;
  }

  /** Decodes a packet, or the remaining frames with null. Skips damaged packets. */
  decode(packet: Packet | null): void {
    this.#decoder.sendPacketSync(packet);
    while (this.#decoder.receiveFrameSync(this.#frame) >= 0) {
      const { bestEffortTimestamp: pts } = this.#frame;
      this.#frame.pts = pts === NO_TIME ? NO_TIME : pts - this.#startTicks;
      if (pts !== NO_TIME) this.atS = Number(this.#frame.pts) * this.#unit;
      this.#filters ??= new FilterChain(`${this.#input()},${this.chain}`, this.type);
      this.#filters.push(this.#frame);
      this.#frame.unref();
    }
    if (packet === null) this.#filters?.push(null);
  }

  /** Flushes the decoder before packets from another position. */
  flush(): void {
    this.#decoder.flushBuffers();
  }

  /** Next filtered frame; undefined if there is none yet. The caller frees it. */
  next(): Frame | undefined {
    return this.#filters?.next();
  }

  close(): void {
    this.#filters?.close();
    this.#frame.free();
    this.#decoder.freeContext();
  }

  #input(): string {
    const frame = this.#frame;
    const { num, den } = this.#decoder.pktTimebase;
    if (this.type === AVMEDIA_TYPE_AUDIO) {
      return soundInput(frame, `${num}/${den}`);
    }
    const { num: sarNum, den: sarDen } = frame.sampleAspectRatio;
    const sar = sarNum > 0 && sarDen > 0 ? `${sarNum}/${sarDen}` : '1/1';
    return `buffer@in=video_size=${frame.width}x${frame.height}:pix_fmt=${frame.format}:time_base=${num}/${den}:pixel_aspect=${sar}:colorspace=${frame.colorSpace}:range=${frame.colorRange}`;
  }
}
