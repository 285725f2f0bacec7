import {
  AV_CODEC_FLAG_QSCALE,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  AV_PIX_FMT_YUVJ420P,
  AVCOL_RANGE_JPEG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_SMPTE170M,
  AVCOL_SPC_UNSPECIFIED,
  FF_ENCODER_MJPEG,
} from 'node-av/constants';
import { Codec, CodecContext, Frame, Packet, Rational, SoftwareScaleContext } from 'node-av/lib';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { throwOnError } from '../libav/codec-error.ts';

/** A key frame to convert to a JPEG picture, or a picture that follows it. */
export interface PictureInput {
  readonly codec: 'h264' | 'h265';
  /** AVC or HEVC decoder configuration record (ISO/IEC 14496-15). */
  readonly decoderConfig: Uint8Array;
  /** One random access point: NAL units, each after its length in four bytes. */
  readonly data: Uint8Array;
  /** Pictures after the random access point in decoding order; the last one is converted. */
  readonly following?: readonly Uint8Array[];
  /** Maximum size of the picture; it is never enlarged. */
  readonly maxWidth?: number;
  readonly maxHeight?: number;
  /** Quantizer of the JPEG, 2 (best) to 31; default 4. */
  readonly quality?: number;
}

/** A JPEG picture with square pixels. */
export interface PictureOutput {
  readonly jpeg: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_PICTURES = 2000;
const MAX_PIXELS = 8192 * 4352;
const LARGEST_SIDE = 8192;
/** Increase of libavutil's lambda per quantizer step (FF_QP2LAMBDA). */
const LAMBDA_PER_QUANTIZER = 118;

/** Decodes a key frame, or the last of the pictures that follow it, and encodes it as JPEG with square pixels. */
export function picture(input: PictureInput): PictureOutput {
  const following = input.following ?? [];
  const bytes = following.reduce((sum, { length }) => sum + length, input.data.length);
  if (input.data.length === 0 || bytes > MAX_BYTES || following.length > MAX_PICTURES)
    throw new AirdeskError('codec_bad_frame', 'The key frame is empty or too large');
  const decoded = following.length === 0 ? decode(input) : decodeLast(input, following);
  try {
    const size = fit(decoded, input.maxWidth ?? LARGEST_SIDE, input.maxHeight ?? LARGEST_SIDE);
    const scaled = scale(decoded, size.width, size.height);
    try {
      return { jpeg: encode(scaled, input.quality ?? 4), ...size };
    } finally {
      scaled.free();
    }
  } finally {
    decoded.free();
  }
}

/** Decodes the first picture of a key frame. */
export function decode(input: Pick<PictureInput, 'codec' | 'decoderConfig' | 'data'>): Frame {
  const packet = new Packet();
  packet.alloc();
  const frame = new Frame();
  frame.alloc();
  const context = openDecoder(input);
  try {
    packet.data = Buffer.from(input.data);
    packet.isKeyframe = true;
    throwOnError(context.sendPacketSync(packet), 'codec_bad_frame', 'Decoding the key frame');
    context.sendPacketSync(null);
    throwOnError(context.receiveFrameSync(frame), 'codec_bad_frame', 'Decoding the key frame');
    return frame;
  } catch (error) {
    frame.free();
    throw error;
  } finally {
    packet.free();
    context.freeContext();
  }
}

/** Decodes several pictures in decoding order and returns the last one; each may depend on the previous ones. */
function decodeLast(input: PictureInput, following: readonly Uint8Array[]): Frame {
  const packet = new Packet();
  packet.alloc();
  const frame = new Frame();
  frame.alloc();
  let found: Frame | undefined;
  const context = openDecoder(input);
  const take = (): void => {
    while (context.receiveFrameSync(frame) >= 0) {
      if (Number(frame.pts) === following.length) found ??= frame.clone() ?? undefined;
      frame.unref();
    }
  };
  try {
    for (const [index, data] of [input.data, ...following].entries()) {
      packet.data = Buffer.from(data);
      // Pictures leave the decoder in presentation order, so they are identified by their number.
      packet.pts = BigInt(index);
      throwOnError(context.sendPacketSync(packet), 'codec_bad_frame', 'Decoding a picture');
      packet.unref();
      take();
    }
    context.sendPacketSync(null);
    take();
    if (!found) throw new AirdeskError('codec_bad_frame', 'The picture cannot be decoded');
    return found;
  } finally {
    frame.free();
    packet.free();
    context.freeContext();
  }
}

/**
 * Opens a video decoder.
 * @param isRough skips the loop filter, which saves a third of the time; for pictures that are not displayed
 */
export function openDecoder(
  { codec: name, decoderConfig }: Pick<PictureInput, 'codec' | 'decoderConfig'>,
  isRough = false,
): CodecContext {
  const codec = Codec.findDecoder(name === 'h264' ? AV_CODEC_ID_H264 : AV_CODEC_ID_HEVC);
  if (!codec) throw new AirdeskError('codec_unknown', `There is no decoder for ${name}`);
  const context = new CodecContext();
  context.allocContext3(codec);
  context.extraData = Buffer.from(decoderConfig);
  context.threadCount = 1;
  context.setOption('max_pixels', String(MAX_PIXELS), AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN);
  if (isRough) context.setOption('skip_loop_filter', 'all', AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN);
  const opened = context.open2Sync(codec);
  if (opened < 0) context.freeContext();
  throwOnError(opened, 'codec_bad_config', 'Opening the decoder');
  return context;
}

/** Size with square pixels within limits, both sides even. */
export function fit(frame: Frame, maxWidth: number, maxHeight: number): { width: number; height: number } {
  const { num, den } = frame.sampleAspectRatio;
  const pixelAspect = num > 0 && den > 0 ? num / den : 1;
  const width = frame.width * Math.min(Math.max(pixelAspect, 1 / 16), 16);
  const shrink = Math.min(1, bounded(maxWidth) / width, bounded(maxHeight) / frame.height);
  const even = (value: number): number => Math.max(2, 2 * Math.round((value * shrink) / 2));
  return { width: even(width), height: even(frame.height) };
}

function bounded(side: number): number {
  return Math.min(Math.max(Math.floor(side), 16), LARGEST_SIDE);
}

/** Creates an empty picture for JPEG: matrix of BT.601 and full range, as in JFIF. */
export function jpegFrame(width: number, height: number): Frame {
  const frame = new Frame();
  frame.alloc();
  frame.width = width;
  frame.height = height;
  frame.format = AV_PIX_FMT_YUVJ420P;
  frame.colorSpace = AVCOL_SPC_SMPTE170M;
  frame.colorRange = AVCOL_RANGE_JPEG;
  frame.timeBase = new Rational(1, 25);
  frame.pts = 0n;
  const got = frame.getBuffer();
  if (got < 0) frame.free();
  throwOnError(got, 'internal', 'Getting memory for a picture');
  return frame;
}

/** Scales a picture to another size, with the colours of JPEG. */
export function scale(source: Frame, width: number, height: number): Frame {
  nameMatrix(source);
  const target = jpegFrame(width, height);
  const scaler = new SoftwareScaleContext();
  try {
    // Not `getContext`: only a context without settings takes matrix and range from the frames.
    scaler.allocContext();
    throwOnError(scaler.scaleFrameSync(target, source), 'codec_bad_frame', 'Scaling the picture');
    return target;
  } catch (error) {
    target.free();
    throw error;
  } finally {
    scaler.freeContext();
  }
}

/** Sets the default matrix if the bitstream names none: BT.709 from 720 lines on. */
export function nameMatrix(source: Frame): void {
  if (source.colorSpace === AVCOL_SPC_UNSPECIFIED)
    source.colorSpace = source.height >= 720 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M;
}

/**
 * Encodes a picture as JPEG.
 * @param quality quantizer, 2 to 31
 */
export function encode(frame: Frame, quality: number): Uint8Array {
  const codec = Codec.findEncoderByName(FF_ENCODER_MJPEG);
  if (!codec) throw new AirdeskError('internal', 'There is no JPEG encoder');
  const context = new CodecContext();
  context.allocContext3(codec);
  const packet = new Packet();
  packet.alloc();
  try {
    context.width = frame.width;
    context.height = frame.height;
    context.pixelFormat = AV_PIX_FMT_YUVJ420P;
    context.colorRange = AVCOL_RANGE_JPEG;
    context.timeBase = new Rational(1, 25);
    context.threadCount = 1;
    context.setFlags(AV_CODEC_FLAG_QSCALE);
    context.globalQuality = Math.min(Math.max(Math.round(quality), 2), 31) * LAMBDA_PER_QUANTIZER;
    frame.quality = context.globalQuality;
    throwOnError(context.open2Sync(codec), 'internal', 'Opening the JPEG encoder');
    throwOnError(context.sendFrameSync(frame), 'internal', 'Encoding the picture');
    throwOnError(context.receivePacketSync(packet), 'internal', 'Encoding the picture');
    if (!packet.data) throw new AirdeskError('internal', 'The JPEG encoder returned nothing');
    return Uint8Array.from(packet.data);
  } finally {
    packet.free();
    context.freeContext();
  }
}
