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
import { throwOnError } from '../codec-error.ts';
import { FilterChain, soundInput } from '../filter-chain.ts';

/** Kinds of files that are read: none of them names other files. */
const FORMATS = 'mov,mp4,matroska,webm,mpegts,mpeg,avi,flv,mxf,asf,wav,ogg,mp3,aac';
/** Pictures without time, which are read by themselves and not as one of a row of files. */
const STILLS = [
  { ending: /\.png$/i, format: 'png_pipe' },
  { ending: /\.jpe?g$/i, format: 'jpeg_pipe' },
] as const;
const MOST_PIXELS = 8192 * 4352;
/** Microseconds, in which FFmpeg counts times of a file. */
const FILE_TICKS = 1_000_000;
/** `AV_NOPTS_VALUE`. */
const NO_TIME = -(2n ** 63n);

/** A file that is read, with its first picture and its first sound. */
export class ClipSource {
  readonly #file = new FormatContext();
  readonly #packet = new Packet();
  readonly #tracks = new Map<number, SourceTrack>();
  /** When the first picture is shown, in seconds of the file. */
  readonly #startS: number;
  /** Seconds; 0 where the file does not say. */
  readonly durationS: number;

  /** Raises `clip_not_made` with the reason. @param types kinds of tracks that are decoded */
  constructor(path: string, threads: number, types: readonly AVMediaType[] = [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO]) {
    this.#packet.alloc();
    const still = STILLS.find(({ ending }) => ending.test(path))?.format;
    const options = Dictionary.fromObject({ protocol_whitelist: 'file', format_whitelist: still ?? FORMATS });
    const format = still === undefined ? null : InputFormat.findInputFormat(still);
    throwOnError(this.#file.openInputSync(path, format, options), 'clip_not_made', `Opening ${path}`);
    throwOnError(this.#file.findStreamInfoSync(), 'clip_not_made', `Reading ${path}`);
    const { duration, startTime } = this.#file;
    this.durationS = duration > 0n ? Number(duration) / FILE_TICKS : 0;
    // The clip begins with the first picture: sound that is earlier, as encoders write it, would move all pictures otherwise.
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

  /** The first picture or sound; undefined where there is none. */
  track(type: AVMediaType): SourceTrack | undefined {
    return [...this.#tracks.values()].find((track) => track.type === type);
  }

  /** Goes to the last key frame before a time, in seconds from the start. */
  seek(timeS: number): void {
    const ticks = BigInt(Math.round((timeS + this.#startS) * FILE_TICKS));
    throwOnError(this.#file.seekFrameSync(-1, ticks, AVSEEK_FLAG_BACKWARD), 'clip_not_made', 'Seeking');
    for (const track of this.#tracks.values()) track.flush();
  }

  /** Reads and decodes the next piece. @returns false at the end of the file, where all that was left has been decoded */
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

/** A track that is decoded, and the filters behind it. */
export class SourceTrack {
  readonly type: AVMediaType;
  /** Seconds from the start of the file up to the last frame. */
  atS = 0;
  /** The filters, as FFmpeg writes them; they are made with the first frame. */
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
    if (!codec) throw new AirdeskError('clip_not_made', 'The file has a codec that cannot be decoded');
    this.#decoder.allocContext3(codec);
    throwOnError(codecpar.toContext(this.#decoder), 'clip_not_made', 'Opening a decoder');
    this.#decoder.pktTimebase = timeBase;
    this.#decoder.threadCount = type === AVMEDIA_TYPE_VIDEO ? threads : 1;
    this.#decoder.setOption('max_pixels', String(MOST_PIXELS), AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN);
    throwOnError(this.#decoder.open2Sync(codec), 'clip_not_made', 'Opening a decoder');
  }

  /** Whether anything of it could be decoded. */
  get hasFrames(): boolean {
    return this.#filters !== undefined;
  }

  /** Decodes a packet, or what is left with null. A damaged packet is left out. */
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

  /** Forgets what is in the decoder, and is ready for other packets. */
  flush(): void {
    this.#decoder.flushBuffers();
  }

  /** The next frame behind the filters; undefined where there is none yet. Free it. */
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
