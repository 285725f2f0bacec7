import {
  AV_CHANNEL_LAYOUT_STEREO,
  AV_PIX_FMT_YUV420P,
  AV_SAMPLE_FMT_FLTP,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBX264,
} from 'node-av/constants';
import { type CodecContext, Frame, Packet, Rational } from 'node-av/lib';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { avcDecoderConfig, slicesWithLengths } from '../libav/annex-b.ts';
import { throwOnError } from '../libav/codec-error.ts';
import { type LoopPlan, TONE_SAMPLE_RATE, TONE_SAMPLES_PER_FRAME } from './loop-plan.ts';
import { openEncoder } from '../libav/open-encoder.ts';
import { TestPictureDrawing } from './test-picture-drawing.ts';
import type { TestPictureOptions } from './test-picture-options.ts';

/** One encoded picture or audio frame with its time, counted in pictures or samples of the loop. */
interface EncodedUnit {
  readonly dts: number;
  readonly pts: number;
  readonly isRandomAccess: boolean;
  readonly data: Buffer;
}

/** One encoded track of a loop. */
export interface EncodedTrack {
  readonly decoderConfig: Buffer;
  readonly units: readonly EncodedUnit[];
}

/** Encodes the pictures of a loop: H.264 High, closed GOPs, one set of parameter sets. */
export function encodePictures(options: TestPictureOptions, plan: LoopPlan): EncodedTrack {
  const { width, height, fpsNumerator, fpsDenominator, gopFrames, bitrateKbps } = options;
  const context = openEncoder(FF_ENCODER_LIBX264, (c) => {
    c.width = width;
    c.height = height;
    c.pixelFormat = AV_PIX_FMT_YUV420P;
    c.timeBase = new Rational(fpsDenominator, fpsNumerator);
    c.framerate = new Rational(fpsNumerator, fpsDenominator);
    c.sampleAspectRatio = new Rational(1, 1);
    c.gopSize = gopFrames;
    c.maxBFrames = options.bFrames;
    c.bitRate = BigInt(bitrateKbps * 1000);
    c.rcMaxRate = BigInt(bitrateKbps * 1000);
    c.rcBufferSize = bitrateKbps * 1000;
    c.colorRange = AVCOL_RANGE_MPEG;
    c.colorSpace = AVCOL_SPC_BT709;
    c.colorPrimaries = AVCOL_PRI_BT709;
    c.colorTrc = AVCOL_TRC_BT709;
    return {
      preset: 'veryfast',
      profile: 'high',
      'x264-params': `min-keyint=${String(gopFrames)}:scenecut=0:open-gop=0:b-adapt=0:b-pyramid=none:rc-lookahead=10`,
    };
  });
  const decoderConfig = context.extraData && avcDecoderConfig(context.extraData);
  if (!decoderConfig) throw new AirdeskError('internal', 'The encoder returned no parameter sets');

  const drawing = new TestPictureDrawing(width, height);
  const timeBase = { num: fpsDenominator, den: fpsNumerator };
  const units: EncodedUnit[] = [];
  const take = collector(context, (packet, data) => {
    units.push({
      dts: Number(packet.dts),
      pts: Number(packet.pts),
      isRandomAccess: packet.isKeyframe,
      data: slicesWithLengths(data),
    });
  });
  for (let index = 0; index < plan.pictures; index++) {
    drawing.draw(index, plan.pictures, plan.picturesPerSecond);
    const props = { width, height, format: AV_PIX_FMT_YUV420P, timeBase, pts: BigInt(index) };
    const frame = Frame.fromVideoBuffer(drawing.planes, props);
    throwOnError(context.sendFrameSync(frame), 'internal', 'Encoding a picture');
    frame.free();
    take();
  }
  finish(context, take);
  return { decoderConfig, units };
}

/**
 * Number of audio frames encoded before the loop starts, so that the encoder has the same state at the start of the loop as at
 * its end.
 */
const LEAD_IN_FRAMES = 16;
const AUDIO_BITRATE = 128_000;

/** Encodes the tone of a loop as stereo AAC-LC; both channels are equal. */
export function encodeTone(samples: Float32Array, plan: LoopPlan): EncodedTrack {
  const context = openEncoder(FF_ENCODER_AAC, (c) => {
    c.sampleRate = TONE_SAMPLE_RATE;
    c.channelLayout = AV_CHANNEL_LAYOUT_STEREO;
    c.sampleFormat = AV_SAMPLE_FMT_FLTP;
    c.timeBase = new Rational(1, TONE_SAMPLE_RATE);
    c.bitRate = BigInt(AUDIO_BITRATE);
    return { aac_coder: 'fast' };
  });
  const decoderConfig = context.extraData && Buffer.from(context.extraData);
  if (!decoderConfig) throw new AirdeskError('internal', 'The encoder returned no audio configuration');

  const loopSamples = plan.audioFrames * TONE_SAMPLES_PER_FRAME;
  const units: EncodedUnit[] = [];
  const take = collector(context, (packet, data) => {
    const pts = Number(packet.pts);
    if (pts >= 0 && pts < loopSamples) units.push({ dts: pts, pts, isRandomAccess: true, data: Buffer.from(data) });
  });
  const planes = Buffer.alloc(2 * 4 * TONE_SAMPLES_PER_FRAME);
  const channels = new Float32Array(planes.buffer, planes.byteOffset, 2 * TONE_SAMPLES_PER_FRAME);
  const props = {
    nbSamples: TONE_SAMPLES_PER_FRAME,
    format: AV_SAMPLE_FMT_FLTP,
    sampleRate: TONE_SAMPLE_RATE,
    channelLayout: AV_CHANNEL_LAYOUT_STEREO,
    timeBase: { num: 1, den: TONE_SAMPLE_RATE },
  };
  for (let frameIndex = -LEAD_IN_FRAMES; frameIndex < plan.audioFrames + 2; frameIndex++) {
    const start = ((frameIndex + plan.audioFrames) % plan.audioFrames) * TONE_SAMPLES_PER_FRAME;
    const part = samples.subarray(start, start + TONE_SAMPLES_PER_FRAME);
    channels.set(part, 0);
    channels.set(part, TONE_SAMPLES_PER_FRAME);
    const frame = Frame.fromAudioBuffer(planes, { ...props, pts: BigInt(frameIndex * TONE_SAMPLES_PER_FRAME) });
    throwOnError(context.sendFrameSync(frame), 'internal', 'Encoding the tone');
    frame.free();
    take();
  }
  finish(context, take);
  return { decoderConfig, units };
}

function collector(context: CodecContext, each: (packet: Packet, data: Buffer) => void): () => void {
  const packet = new Packet();
  packet.alloc();
  return () => {
    while (context.receivePacketSync(packet) >= 0) {
      if (packet.data) each(packet, packet.data);
      packet.unref();
    }
  };
}

function finish(context: CodecContext, take: () => void): void {
  throwOnError(context.sendFrameSync(null), 'internal', 'Closing the encoder');
  take();
  context.freeContext();
}
