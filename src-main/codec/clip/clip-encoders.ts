import {
  AV_CHANNEL_LAYOUT_5POINT1,
  AV_CHANNEL_LAYOUT_MONO,
  AV_CHANNEL_LAYOUT_STEREO,
  AV_CODEC_FLAG_INTERLACED_DCT,
  AV_CODEC_FLAG_INTERLACED_ME,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUV420P10LE,
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
  FF_ENCODER_LIBX265,
} from 'node-av/constants';
import { type CodecContext, Rational } from 'node-av/lib';
import { openEncoder } from '../libav/open-encoder.ts';
import { HD_LINES } from './clip-filters.ts';
import type { ClipPicture, ClipSound } from './clip-target.ts';

const SOUND_KBPS = 128;
/** Quality of pictures without a bitrate, for x264 and x265. */
const CRF = '20';

const LAYOUTS = { 1: AV_CHANNEL_LAYOUT_MONO, 2: AV_CHANNEL_LAYOUT_STEREO, 6: AV_CHANNEL_LAYOUT_5POINT1 };

/** Opens the video encoder of a clip: closed GOPs of one second, without B-frames. */
export function openPictures(target: ClipPicture, threads: number): CodecContext {
  const isHevc = target.codec === 'h265';
  return openEncoder(isHevc ? FF_ENCODER_LIBX265 : FF_ENCODER_LIBX264, (c) => {
    describe(c, target);
    const { profile, bitrateKbps } = target;
    if (bitrateKbps !== undefined) {
      c.bitRate = BigInt(bitrateKbps * 1000);
      c.rcMaxRate = BigInt(bitrateKbps * 1000);
      c.rcBufferSize = bitrateKbps * 1000;
    }
    // x265 has a thread pool of its own.
    if (!isHevc) c.threadCount = threads;
    return {
      preset: 'fast',
      profile,
      ...(bitrateKbps === undefined ? { crf: CRF } : {}),
      ...(isHevc
        ? { 'x265-params': hevcParameters(target, c.gopSize, threads) }
        : { 'x264-params': avcParameters(target, c.gopSize) }),
    };
  });
}

function describe(c: CodecContext, target: ClipPicture): void {
  const { width, height, sarWidth, sarHeight, fpsNum, fpsDen, profile, isInterlaced } = target;
  const isHd = height >= HD_LINES;
  c.width = width;
  c.height = height;
  c.pixelFormat = profile === 'main10' ? AV_PIX_FMT_YUV420P10LE : AV_PIX_FMT_YUV420P;
  c.timeBase = new Rational(fpsDen, fpsNum);
  c.framerate = new Rational(fpsNum, fpsDen);
  c.sampleAspectRatio = new Rational(sarWidth, sarHeight);
  c.gopSize = Math.max(1, Math.round(fpsNum / fpsDen));
  c.maxBFrames = 0;
  c.colorRange = AVCOL_RANGE_MPEG;
  c.colorSpace = isHd ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M;
  c.colorPrimaries = isHd ? AVCOL_PRI_BT709 : AVCOL_PRI_SMPTE170M;
  c.colorTrc = isHd ? AVCOL_TRC_BT709 : AVCOL_TRC_SMPTE170M;
  if (isInterlaced === true) c.setFlags(AV_CODEC_FLAG_INTERLACED_DCT, AV_CODEC_FLAG_INTERLACED_ME);
}

function avcParameters({ level, isInterlaced }: ClipPicture, gop: number): string {
  const fields = isInterlaced === true ? ':tff=1' : '';
  return `level=${level}:min-keyint=${gop}:scenecut=0:open-gop=0${fields}`;
}

function hevcParameters({ level }: ClipPicture, gop: number, threads: number): string {
  return [
    `level-idc=${level}:high-tier=0`,
    `keyint=${gop}:min-keyint=${gop}:scenecut=0:open-gop=0:bframes=0`,
    `pools=${threads}:frame-threads=1:log-level=none`,
  ].join(':');
}

/** Opens the audio encoder of a clip: AAC-LC. */
export function openSound({ sampleRate, channels, bitrateKbps = SOUND_KBPS }: ClipSound): CodecContext {
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
