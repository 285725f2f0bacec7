import { AV_OPT_SEARCH_CHILDREN, AV_OPT_TYPE_STRING, AV_PICTURE_TYPE_NONE } from 'node-av/constants';
import { type CodecContext, FormatContext, Packet, Rational, type Frame, type Stream } from 'node-av/lib';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { throwOnError } from '../libav/codec-error.ts';
import type { FilterChain } from '../libav/filter-chain.ts';
import { openPictures, openSound } from './clip-encoders.ts';
import type { ClipPicture, ClipSound } from './clip-target.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';

/** ENOSPC as returned by FFmpeg. */
const NO_ROOM = -28;
/** A track of the file, and its encoder. */
interface Output {
  readonly encoder: CodecContext;
  readonly stream: Stream;
}

/** Writes the MP4 file of a clip. */
export class ClipWriter {
  /** Number of written pictures and samples. */
  pictures = 0;
  samples = 0;
  readonly #file = new FormatContext();
  readonly #packet = new Packet();
  readonly #picture: Output;
  readonly #sound: Output | undefined;
  readonly #samplesPerPicture: number;

  /** Starts the file. Throws `clip_no_room`, and `clip_not_made` with the reason. */
  constructor(path: string, picture: ClipPicture, sound: ClipSound | null, threads: number) {
    this.#packet.alloc();
    check(this.#file.allocOutputContext2(null, 'mp4', path), 'Creating the file');
    this.#file.setOption('movflags', '+faststart', AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN);
    this.#samplesPerPicture = ((sound?.sampleRate ?? 0) * picture.fpsDen) / picture.fpsNum;
    this.#picture = this.#add(openPictures(picture, threads));
    if (picture.codec === 'h265') this.#picture.stream.codecpar.codecTag = 'hvc1';
    this.#picture.stream.sampleAspectRatio = new Rational(picture.sarWidth, picture.sarHeight);
    this.#picture.stream.avgFrameRate = new Rational(picture.fpsNum, picture.fpsDen);
    this.#sound = sound ? this.#add(openSound(sound)) : undefined;
    check(this.#file.openOutputSync(), 'Opening the file');
    check(this.#file.writeHeaderSync(), 'Writing the file');
  }

  /** Number of samples with the duration of all pictures. */
  get samplesOfPictures(): number {
    return Math.round(this.pictures * this.#samplesPerPicture);
  }

  /** Writes the next picture of an endless filter chain. */
  takePicture(filters: FilterChain): void {
    const frame = filters.next();
    if (frame) this.writePicture(frame);
    frame?.free();
  }

  /** Writes the next frame of sound of an endless filter chain. */
  takeSound(filters: FilterChain): void {
    const frame = filters.next();
    if (frame) this.writeSound(frame);
    frame?.free();
  }

  writePicture(frame: Frame): void {
    frame.timeBase = this.#picture.encoder.timeBase;
    frame.pts = BigInt(this.pictures++);
    // Lets the encoder choose the picture type: the key frames of the source are not the key frames of the clip.
    frame.pictType = AV_PICTURE_TYPE_NONE;
    this.#encode(this.#picture, frame);
  }

  writeSound(frame: Frame): void {
    if (!this.#sound) return;
    frame.timeBase = this.#sound.encoder.timeBase;
    frame.pts = BigInt(this.samples);
    this.samples += frame.nbSamples;
    this.#encode(this.#sound, frame);
  }

  /** Writes the frames that are still in the encoders, and then the index of the file. */
  finish(): void {
    this.#encode(this.#picture, null);
    if (this.#sound) this.#encode(this.#sound, null);
    check(this.#file.writeTrailerSync(), 'Ending the file');
    this.#file.closeOutputSync();
  }

  #add(encoder: CodecContext): Output {
    const stream = this.#file.newStream();
    stream.timeBase = encoder.timeBase;
    check(stream.codecpar.fromContext(encoder), 'Describing a track');
    return { encoder, stream };
  }

  #encode({ encoder, stream }: Output, frame: Frame | null): void {
    check(encoder.sendFrameSync(frame), 'Encoding');
    while (encoder.receivePacketSync(this.#packet) >= 0) {
      this.#packet.streamIndex = stream.index;
      this.#packet.rescaleTs(encoder.timeBase, stream.timeBase);
      check(this.#file.interleavedWriteFrameSync(this.#packet), 'Writing the file');
    }
  }
}

function check(result: number, doing: string): void {
  if (result >= 0) return;
  if (result === NO_ROOM) throw new AirdeskError('clip_no_room', because('disk_became_full'));
  throwOnError(result, 'clip_not_made', doing);
}
