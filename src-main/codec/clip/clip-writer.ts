import {
  AV_CHANNEL_LAYOUT_5POINT1,
  AV_CHANNEL_LAYOUT_MONO,
  AV_CHANNEL_LAYOUT_STEREO,
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_YUV420P,
  AV_SAMPLE_FMT_FLTP,
  AVCOL_PRI_BT709,
  AVCOL_PRI_SMPTE170M,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_SMPTE170M,
  AVCOL_TRC_BT709,
  AVCOL_TRC_SMPTE170M,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBX264,
} from 'node-av/constants';
import { type CodecContext, FormatContext, Packet, Rational, type Frame, type Stream } from 'node-av/lib';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { throwOnError } from '../codec-error.ts';
import { openEncoder } from '../open-encoder.ts';
import type { ClipPicture, ClipSound } from './clip-target.ts';

/** ENOSPC as FFmpeg returns it. */
const NO_ROOM = -28;
const SOUND_KBPS = 128;
/** Quality of pictures without a bit rate, as x264 counts it. */
const CRF = '20';

const LAYOUTS = { 1: AV_CHANNEL_LAYOUT_MONO, 2: AV_CHANNEL_LAYOUT_STEREO, 6: AV_CHANNEL_LAYOUT_5POINT1 };

/** A track of the file, and its encoder. */
interface Output {
  readonly encoder: CodecContext;
  readonly stream: Stream;
}

/** Writes the MP4 file of a clip: H.264 in closed GOPs of one second without B-frames, and AAC-LC. */
export class ClipWriter {
  /** Pictures and samples that were written. */
  pictures = 0;
  samples = 0;
  readonly #file = new FormatContext();
  readonly #packet = new Packet();
  readonly #picture: Output;
  readonly #sound: Output | undefined;

  /** Begins the file. Raises `clip_no_room`, and `clip_not_made` with the reason. */
  constructor(path: string, picture: ClipPicture, sound: ClipSound | null, threads: number) {
    this.#packet.alloc();
    check(this.#file.allocOutputContext2(null, 'mp4', path), 'Beginning the file');
    this.#file.setOption('movflags', '+faststart', AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN);
    this.#picture = this.#add(openPictures(picture, threads));
    this.#picture.stream.sampleAspectRatio = new Rational(picture.sarWidth, picture.sarHeight);
    this.#picture.stream.avgFrameRate = new Rational(picture.fpsNum, picture.fpsDen);
    this.#sound = sound ? this.#add(openSound(sound)) : undefined;
    check(this.#file.openOutputSync(), 'Opening the file');
    check(this.#file.writeHeaderSync(), 'Writing the file');
  }

  writePicture(frame: Frame): void {
    frame.timeBase = this.#picture.encoder.timeBase;
    frame.pts = BigInt(this.pictures++);
    // The encoder chooses: key frames of the source are at other places.
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

  /** Writes what the encoders still hold, and the index. */
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

function openPictures(target: ClipPicture, threads: number): CodecContext {
  const { width, height, sarWidth, sarHeight, fpsNum, fpsDen, profile, level, bitrateKbps } = target;
  const gop = Math.max(1, Math.round(fpsNum / fpsDen));
  const isHd = height >= 720;
  return openEncoder(FF_ENCODER_LIBX264, (c) => {
    c.width = width;
    c.height = height;
    c.pixelFormat = AV_PIX_FMT_YUV420P;
    c.timeBase = new Rational(fpsDen, fpsNum);
    c.framerate = new Rational(fpsNum, fpsDen);
    c.sampleAspectRatio = new Rational(sarWidth, sarHeight);
    c.gopSize = gop;
    c.maxBFrames = 0;
    c.threadCount = threads;
    c.colorRange = AVCOL_RANGE_MPEG;
    c.colorSpace = isHd ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M;
    c.colorPrimaries = isHd ? AVCOL_PRI_BT709 : AVCOL_PRI_SMPTE170M;
    c.colorTrc = isHd ? AVCOL_TRC_BT709 : AVCOL_TRC_SMPTE170M;
    if (bitrateKbps !== undefined) {
      c.bitRate = BigInt(bitrateKbps * 1000);
      c.rcMaxRate = BigInt(bitrateKbps * 1000);
      c.rcBufferSize = bitrateKbps * 1000;
    }
    return {
      ...{ preset: 'fast', profile, ...(bitrateKbps === undefined ? { crf: CRF } : {}) },
      'x264-params': `level=${level}:min-keyint=${gop}:scenecut=0:open-gop=0`,
    };
  });
}

function openSound({ sampleRate, channels, bitrateKbps = SOUND_KBPS }: ClipSound): CodecContext {
  return openEncoder(FF_ENCODER_AAC, (c) => {
    c.sampleRate = sampleRate;
    c.channelLayout = LAYOUTS[channels];
    c.sampleFormat = AV_SAMPLE_FMT_FLTP;
    c.timeBase = new Rational(1, sampleRate);
    c.bitRate = BigInt(bitrateKbps * 1000);
    c.threadCount = 1;
    return {};
  });
}

function check(result: number, doing: string): void {
  if (result >= 0) return;
  if (result === NO_ROOM) throw new AirdeskError('clip_no_room', 'The disk is full');
  throwOnError(result, 'clip_not_made', doing);
}
