import {
  AV_CODEC_FLAG_INTERLACED_DCT,
  AV_CODEC_FLAG_INTERLACED_ME,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_FRAME_FLAG_TOP_FIELD_FIRST,
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  AV_PICTURE_TYPE_NONE,
  AV_PICTURE_TYPE_P,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUV420P10LE,
  AV_PIX_FMT_YUVJ420P,
  FF_ENCODER_LIBX264,
  FF_ENCODER_LIBX265,
  type AVPixelFormat,
} from 'node-av/constants';
import { Codec, CodecContext, Frame, Packet, Rational } from 'node-av/lib';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { parameterSetsOf, slicesWithLengths } from '../annex-b.ts';
import { throwOnError } from '../codec-error.ts';
import { openEncoder } from '../open-encoder.ts';

/** A coded picture with its times, in ticks of its track. */
interface CodedPicture {
  readonly ptsTicks: number;
  readonly data: Uint8Array;
}

/** How the pictures are encoded: one after the other, but with as many that a decoder keeps back as their track has, which it would lose with the first of that otherwise. */
type PictureCoding = {
  /** How many pictures of the track may be decoded before one that is shown before them. */
  readonly reordered: number;
} & (
  | {
      readonly codec: 'h264';
      readonly profile: 'baseline' | 'main' | 'high';
      /** Level of the track times ten. */
      readonly levelIdc: number;
      /** Id of the parameter sets that the new pictures have, which no other picture of the track has. */
      readonly parameterSetId: number;
      readonly isInterlaced: boolean;
    }
  /** Their parameter sets have the number 0. */
  | { readonly codec: 'h265'; readonly profile: 'main' | 'main10' }
);

/** Pictures of which some are encoded again, to begin or to end between two random access points. */
export interface CutPicturesInput {
  readonly coding: PictureCoding;
  /** Decoder configuration record (ISO/IEC 14496-15) of their codec; their NAL units have lengths of four bytes. */
  readonly decoderConfig: Uint8Array;
  /** In decoding order, from a random access point on. */
  readonly pictures: readonly CodedPicture[];
  /** Those that are shown from this time on and before that are encoded again. */
  readonly fromTicks: number;
  readonly toTicks: number;
  /** Ticks per second. */
  readonly timescale: number;
  readonly fps: number;
}

/** The pictures that were encoded again. */
export interface CutPicturesOutput {
  /** NAL units of their parameter sets. */
  readonly parameterSets: readonly Uint8Array[];
  /** In the order of their times, which is the one in which they are decoded; the first is a random access point. */
  readonly pictures: readonly CodedPicture[];
}

const MOST_PICTURES = 2000;
const MOST_BYTES = 128 * 1024 * 1024;
const MOST_PIXELS = 8192 * 4352;
const EIGHT_BITS: readonly AVPixelFormat[] = [AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P];
const FORMATS = {
  ...{ baseline: EIGHT_BITS, main: EIGHT_BITS, high: EIGHT_BITS },
  main10: [AV_PIX_FMT_YUV420P10LE],
};
const HEVC_PARAMETERS = 'keyint=-1:scenecut=0:open-gop=0:ref=1:info=0:pools=none:frame-threads=1:wpp=0:log-level=none';

/** Decodes pictures and encodes those of a time again, nearly without a loss, with the size, profile and level of their track. */
export function cutPictures(input: CutPicturesInput): CutPicturesOutput {
  const bytes = input.pictures.reduce((sum, { data }) => sum + data.length, 0);
  if (input.pictures.length === 0 || input.pictures.length > MOST_PICTURES || bytes > MOST_BYTES)
    throw new AirdeskError('codec_bad_frame', 'There are no pictures, or too many');
  const work = new Recoding(input);
  try {
    return work.run();
  } finally {
    work.free();
  }
}

/** A decoder, and an encoder that is opened with the first picture. */
class Recoding {
  readonly #input: CutPicturesInput;
  readonly #decoder = new CodecContext();
  readonly #packet = new Packet();
  readonly #frame = new Frame();
  readonly #pictures: CodedPicture[] = [];
  #encoder: CodecContext | undefined;

  constructor(input: CutPicturesInput) {
    this.#input = input;
    const codec = Codec.findDecoder(input.coding.codec === 'h264' ? AV_CODEC_ID_H264 : AV_CODEC_ID_HEVC);
    if (!codec) throw new AirdeskError('codec_unknown', 'There is no decoder for these pictures');
    this.#decoder.allocContext3(codec);
    this.#packet.alloc();
    this.#frame.alloc();
    this.#decoder.extraData = Buffer.from(input.decoderConfig);
    this.#decoder.threadCount = 1;
    this.#decoder.pktTimebase = new Rational(1, input.timescale);
    this.#decoder.setOption('max_pixels', String(MOST_PIXELS), AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN);
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
    if (!encoder) throw new AirdeskError('codec_bad_frame', 'No picture of this time can be decoded');
    throwOnError(encoder.sendFrameSync(null), 'internal', 'Closing the encoder');
    this.#takePackets(encoder);
    const { codec } = this.#input.coding;
    const parameterSets = encoder.extraData && parameterSetsOf(encoder.extraData, codec);
    if (!parameterSets?.length) throw new AirdeskError('internal', 'The encoder gave no parameter sets');
    return { parameterSets: parameterSets.map((unit) => Uint8Array.from(unit)), pictures: this.#pictures };
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
        const isFirst = this.#encoder === undefined;
        const encoder = (this.#encoder ??= this.#open(this.#frame));
        // The first one is a key picture by itself.
        this.#frame.pictType = isFirst ? AV_PICTURE_TYPE_NONE : AV_PICTURE_TYPE_P;
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
          data: Uint8Array.from(slicesWithLengths(this.#packet.data, this.#input.coding.codec)),
        });
      this.#packet.unref();
    }
  }

  #open(frame: Frame): CodecContext {
    const { timescale, fps, coding } = this.#input;
    const isTopFirst = frame.hasFlags(AV_FRAME_FLAG_TOP_FIELD_FIRST);
    if (!FORMATS[coding.profile].includes(frame.format as AVPixelFormat))
      throw new AirdeskError('codec_unknown', 'Pictures of this kind are not encoded again');
    return openEncoder(coding.codec === 'h264' ? FF_ENCODER_LIBX264 : FF_ENCODER_LIBX265, (context) => {
      context.width = frame.width;
      context.height = frame.height;
      context.pixelFormat = frame.format as AVPixelFormat;
      context.timeBase = new Rational(1, timescale);
      context.framerate = new Rational(Math.round(fps * 1000), 1000);
      context.sampleAspectRatio = frame.sampleAspectRatio;
      const { profile, reordered } = coding;
      // With a pyramid of them two pictures are kept back.
      context.maxBFrames = Math.min(reordered, 2);
      context.gopSize = MOST_PICTURES;
      context.threadCount = 1;
      context.colorRange = frame.colorRange;
      context.colorSpace = frame.colorSpace;
      context.colorPrimaries = frame.colorPrimaries;
      context.colorTrc = frame.colorTrc;
      const common = { preset: 'veryfast', profile, crf: '15' };
      if (coding.codec === 'h265') return { ...common, 'x265-params': HEVC_PARAMETERS };
      const { isInterlaced, parameterSetId, levelIdc } = coding;
      if (isInterlaced) context.setFlags(AV_CODEC_FLAG_INTERLACED_DCT, AV_CODEC_FLAG_INTERLACED_ME);
      const fields = isInterlaced ? `:${isTopFirst ? 'tff' : 'bff'}=1` : '';
      return {
        ...common,
        level: (levelIdc / 10).toFixed(1),
        'x264-params': `sps-id=${String(parameterSetId)}:scenecut=0:keyint=infinite:force-cfr=0:ref=1:b-pyramid=${reordered > 1 ? 'normal' : 'none'}${fields}`,
      };
    });
  }
}
