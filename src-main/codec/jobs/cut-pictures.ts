import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_CODEC_ID_H264,
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUVJ420P,
  FF_ENCODER_LIBX264,
} from 'node-av/constants';
import { Codec, CodecContext, Frame, Packet, Rational } from 'node-av/lib';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { avcDecoderConfig, slicesWithLengths } from '../libav/annex-b.ts';
import { throwOnError } from '../libav/codec-error.ts';

/** A coded picture with its time, in ticks of its track. */
interface CodedPicture {
  readonly ptsTicks: number;
  readonly data: Uint8Array;
}

/** H.264 pictures, some of which are encoded again so that a clip can start or end between two random access points. */
export interface CutPicturesInput {
  /** AVC decoder configuration record (ISO/IEC 14496-15); its NAL units have lengths of four bytes. */
  readonly decoderConfig: Uint8Array;
  /** In decoding order, from a random access point on. */
  readonly pictures: readonly CodedPicture[];
  /** Range of presentation times to encode again; the end is exclusive. */
  readonly fromTicks: number;
  readonly toTicks: number;
  /** Ticks per second. */
  readonly timescale: number;
  readonly fps: number;
  /** Parameter set id of the new pictures, unused by all other pictures of the track. */
  readonly parameterSetId: number;
  /** `level_idc` of the track: ten times the level. */
  readonly levelIdc: number;
  readonly profile: 'baseline' | 'main' | 'high';
}

/** Pictures that were encoded again. */
export interface CutPicturesOutput {
  /** Decoder configuration record with their parameter sets. */
  readonly decoderConfig: Uint8Array;
  /** In order of their times, which is also the decoding order; the first is a random access point. */
  readonly pictures: readonly CodedPicture[];
}

const MAX_PICTURES = 2000;
const MAX_BYTES = 128 * 1024 * 1024;
const MAX_PIXELS = 8192 * 4352;

/**
 * Decodes pictures and encodes those of a time range again, nearly lossless, with the size, profile and level of their
 * track.
 */
export function cutPictures(input: CutPicturesInput): CutPicturesOutput {
  const bytes = input.pictures.reduce((sum, { data }) => sum + data.length, 0);
  if (input.pictures.length === 0 || input.pictures.length > MAX_PICTURES || bytes > MAX_BYTES)
    throw new AirdeskError('codec_bad_frame', 'There are no pictures, or too many');
  const work = new Recoding(input);
  try {
    return work.run();
  } finally {
    work.free();
  }
}

/** A decoder, and an encoder opened with the first picture. */
class Recoding {
  readonly #input: CutPicturesInput;
  readonly #decoder = new CodecContext();
  readonly #packet = new Packet();
  readonly #frame = new Frame();
  readonly #pictures: CodedPicture[] = [];
  #encoder: CodecContext | undefined;

  constructor(input: CutPicturesInput) {
    this.#input = input;
    const codec = Codec.findDecoder(AV_CODEC_ID_H264);
    if (!codec) throw new AirdeskError('codec_unknown', 'There is no decoder for H.264');
    this.#decoder.allocContext3(codec);
    this.#packet.alloc();
    this.#frame.alloc();
    this.#decoder.extraData = Buffer.from(input.decoderConfig);
    this.#decoder.threadCount = 1;
    this.#decoder.pktTimebase = new Rational(1, input.timescale);
    this.#decoder.setOption('max_pixels', String(MAX_PIXELS), AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN);
    throwOnError(this.#decoder.open2Sync(codec), 'codec_bad_config', 'Opening the decoder');
  }

  run(): CutPicturesOutput {
    for (const { ptsTicks, data } of this.#input.pictures) {
      this.#packet.data = Buffer.from(data);
      this.#packet.pts = BigInt(ptsTicks);
      throwOnError(this.#decoder.sendPacketSync(this.#packet), 'codec_bad_frame', 'Decoding a picture');
      this.#packet.unref();
      this.#takeFrames();
    }
    this.#decoder.sendPacketSync(null);
    this.#takeFrames();
    const encoder = this.#encoder;
    if (!encoder) throw new AirdeskError('codec_bad_frame', 'No picture at this time can be decoded');
    throwOnError(encoder.sendFrameSync(null), 'internal', 'Closing the encoder');
    this.#takePackets(encoder);
    const decoderConfig = encoder.extraData && avcDecoderConfig(encoder.extraData);
    if (!decoderConfig) throw new AirdeskError('internal', 'The encoder returned no parameter sets');
    return { decoderConfig: Uint8Array.from(decoderConfig), pictures: this.#pictures };
  }

  free(): void {
    this.#packet.free();
    this.#frame.free();
    this.#decoder.freeContext();
    this.#encoder?.freeContext();
  }

  #takeFrames(): void {
    const { fromTicks, toTicks } = this.#input;
    while (this.#decoder.receiveFrameSync(this.#frame) >= 0) {
      const ptsTicks = Number(this.#frame.pts);
      if (ptsTicks >= fromTicks && ptsTicks < toTicks) {
        const encoder = (this.#encoder ??= this.#open(this.#frame));
        // The encoder chooses the types of its pictures.
        this.#frame.pictType = AV_PICTURE_TYPE_NONE;
        throwOnError(encoder.sendFrameSync(this.#frame), 'internal', 'Encoding a picture');
        this.#takePackets(encoder);
      }
      this.#frame.unref();
    }
  }

  #takePackets(encoder: CodecContext): void {
    while (encoder.receivePacketSync(this.#packet) >= 0) {
      if (this.#packet.data)
        this.#pictures.push({
          ptsTicks: Number(this.#packet.pts),
          data: Uint8Array.from(slicesWithLengths(this.#packet.data)),
        });
      this.#packet.unref();
    }
  }

  #open(frame: Frame): CodecContext {
    const { timescale, fps, parameterSetId, profile, levelIdc } = this.#input;
    if (frame.format !== AV_PIX_FMT_YUV420P && frame.format !== AV_PIX_FMT_YUVJ420P)
      throw new AirdeskError('codec_unknown', 'Only 4:2:0 pictures with 8 bits can be re-encoded');
    const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264);
    if (!codec) throw new AirdeskError('internal', 'There is no encoder for H.264');
    const context = new CodecContext();
    context.allocContext3(codec);
    context.width = frame.width;
    context.height = frame.height;
    context.pixelFormat = frame.format;
    context.timeBase = new Rational(1, timescale);
    context.framerate = new Rational(Math.round(fps * 1000), 1000);
    context.sampleAspectRatio = frame.sampleAspectRatio;
    context.maxBFrames = 0;
    context.gopSize = MAX_PICTURES;
    context.threadCount = 1;
    context.colorRange = frame.colorRange;
    context.colorSpace = frame.colorSpace;
    context.colorPrimaries = frame.colorPrimaries;
    context.colorTrc = frame.colorTrc;
    context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
    const options = {
      preset: 'veryfast',
      profile,
      crf: '15',
      level: (levelIdc / 10).toFixed(1),
      'x264-params': `sps-id=${String(parameterSetId)}:scenecut=0:keyint=infinite:force-cfr=0:ref=1`,
    };
    for (const [key, value] of Object.entries(options))
      throwOnError(
        context.setOption(key, value, AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN),
        'internal',
        `Setting ${key} of the encoder`,
      );
    throwOnError(context.open2Sync(codec), 'internal', 'Opening the encoder');
    return context;
  }
}
