import type { VideoAssembler } from '../../codecs/assembler.ts';
import { H264PictureSyntax } from '../../codecs/h264/picture-syntax.ts';
import { H265PictureSyntax } from '../../codecs/h265/picture-syntax.ts';
import { PictureSplitter, type SplitPicture, type SplitterMemory } from '../../codecs/nal/picture-splitter.ts';
import type { VideoSyntax } from '../../codecs/nal/picture-syntax.ts';
import { unitRate } from '../../timing/unit-ticks.ts';
import type { Unroller } from '../../timing/unroll.ts';
import type { VideoCodec, VideoTrack } from '../../track.ts';
import type { ElementarySink, ElementaryStream } from './elementary-stream.ts';
import { PES_PREFIX_BYTES, type ReadPesHeader } from './pes-header.ts';
import { PictureTimes } from './picture-times.ts';

/** Consecutive PES packets with one picture each after which the end of a packet counts as the end of its picture. */
const TRUSTED_PACKETS = 50;
/** Like `TRUSTED_PACKETS`, for packets with data_alignment_indicator. */
const TRUSTED_ALIGNED_PACKETS = 8;
/** Maximum length of a packet that counts as one picture: a multiplexer splits longer pictures near 65535. */
const MAX_TRUSTED_BYTES = 60_000;

export interface VideoStreamOptions {
  readonly assembler: VideoAssembler;
  readonly syntax: VideoSyntax;
  readonly clock: Unroller;
  readonly sink: ElementarySink;
  readonly memory: SplitterMemory;
  /** Whether a picture may be emitted before the next one starts, if all packets so far had one picture each. */
  readonly isLive: boolean;
  /** Called for an access unit that is too large. */
  readonly tooLarge: () => void;
}

/**
 * Converts the PES packets of a video stream to access units. Pictures are found by their NAL units; packets may hold parts of
 * them, or several. A picture is emitted as soon as the first bytes of the next packet prove that it has ended; in a live stream
 * whose packets state their length and have always had one picture each, at the end of its packet.
 */
export class VideoStream implements ElementaryStream {
  readonly trackId: string;
  readonly #options: VideoStreamOptions;
  readonly #splitter: PictureSplitter;
  readonly #times: PictureTimes;
  #track: VideoTrack | undefined;
  #plainPackets = 0;
  #isInterrupted = false;

  constructor(trackId: string, options: VideoStreamOptions) {
    this.trackId = trackId;
    this.#options = options;
    this.#times = new PictureTimes(options.syntax);
    this.#splitter = new PictureSplitter(options.syntax, options.memory, {
      picture: (picture) => {
        this.#picture(picture);
      },
      tooLarge: options.tooLarge,
    });
  }

  get track(): VideoTrack | undefined {
    return this.#track;
  }

  get isOpen(): boolean {
    return this.#splitter.openPosition !== undefined;
  }

  pes(header: ReadPesHeader, bytes: Buffer, end: number): void {
    const { clock, isLive } = this.#options;
    const { ptsTicks, dtsTicks, payloadStart } = header;
    const position = this.#splitter.position;
    const dts = dtsTicks === undefined ? undefined : clock.unroll(dtsTicks);
    const pts = ptsTicks === undefined ? undefined : dts === undefined ? clock.unroll(ptsTicks) : clock.peek(ptsTicks);
    this.#times.packet(position, pts, dts);
    this.#splitter.push(bytes, payloadStart, end);
    const isComplete = end >= header.packetLengthBytes + PES_PREFIX_BYTES;
    if (isLive && isComplete && this.#isWholePicture(header, position)) this.#splitter.endPicture();
  }

  rest(bytes: Buffer, end: number): void {
    this.#splitter.push(bytes, 0, end);
  }

  peek(bytes: Buffer, start: number, end: number): boolean {
    return this.#splitter.peek(bytes, start, end);
  }

  copyPending(): void {
    this.#splitter.copyPending();
  }

  interrupt(): void {
    this.#splitter.interrupt();
    this.#times.interrupt();
    this.#isInterrupted = true;
  }

  flush(): void {
    this.#splitter.endPicture();
  }

  close(): void {
    this.#splitter.close();
  }

  /** Whether the last packet is one complete picture, like the previous packets. */
  #isWholePicture({ packetLengthBytes, ptsTicks, isAligned }: ReadPesHeader, position: number): boolean {
    const isPlain = this.#splitter.openPosition === position && ptsTicks !== undefined && packetLengthBytes > 0;
    if (isPlain) this.#plainPackets++;
    else this.#plainPackets = this.#isInterrupted ? 0 : -Infinity;
    this.#isInterrupted = false;
    return (
      this.#plainPackets > (isAligned ? TRUSTED_ALIGNED_PACKETS : TRUSTED_PACKETS) &&
      packetLengthBytes <= MAX_TRUSTED_BYTES &&
      !this.#options.syntax.isFirstField
    );
  }

  #picture({ bytes, bounds, from, to, firstSlice, startPosition, endPosition }: SplitPicture): void {
    const { assembler, sink } = this.#options;
    const picture = assembler.assembleUnits(bytes, bounds, from, to);
    const track = assembler.track;
    if (track !== undefined && track !== this.#track) {
      this.#track = track;
      sink.format(this);
    }
    const times = this.#times.next({
      startPosition,
      endPosition,
      isRandomAccess: picture?.isRandomAccess === true,
      bytes,
      sliceStart: bounds[firstSlice]!,
      sliceEnd: bounds[firstSlice + 1]!,
      unitRate: track && unitRate(track),
    });
    if (picture === undefined || times === undefined) return;
    const { dtsTicks, ptsTicks } = times;
    sink.unit(this, {
      trackId: this.trackId,
      dtsTicks,
      ptsTicks,
      isRandomAccess: picture.isRandomAccess,
      data: picture.data,
    });
  }
}

/** Rules for the boundaries and the order of the pictures of a codec. */
export function videoSyntax(codec: VideoCodec): VideoSyntax {
  return codec === 'h264' ? new H264PictureSyntax() : new H265PictureSyntax();
}
