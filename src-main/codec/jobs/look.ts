import {
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_AC3,
  AV_CODEC_ID_EAC3,
  AV_CODEC_ID_MP2,
  AV_CODEC_ID_MP3,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16P,
} from 'node-av/constants';
import { Codec, CodecContext, Frame, Packet } from 'node-av/lib';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { throwOnError } from '../codec-error.ts';
import { decode, scale, type PictureInput } from './picture.ts';

/** Coded sound: units that follow each other. */
interface CodedSound {
  readonly codec: 'aac' | 'mp2' | 'mp3' | 'ac3' | 'eac3';
  /** AudioSpecificConfig of AAC; empty for the others. */
  readonly decoderConfig: Uint8Array;
  readonly units: readonly Uint8Array[];
}

/** A key frame and some seconds of sound that are looked at; null for what there is nothing of. */
export interface LookInput {
  readonly picture: Pick<PictureInput, 'codec' | 'decoderConfig' | 'data'> | null;
  readonly sound: CodedSound | null;
}

/** What is seen and heard; null for what was not looked at. */
export interface LookOutput {
  /** Luma of the picture, 128 × 72, full range, row by row. */
  readonly luma: Uint8Array | null;
  /** Largest absolute sample of all channels, 1 is full scale. */
  readonly peak: number | null;
}

/** Size of the small picture. */
const WIDTH = 128;
const HEIGHT = 72;
const MOST_UNITS = 4000;
const MOST_BYTES = 32 * 1024 * 1024;

const SOUND_CODECS = {
  aac: AV_CODEC_ID_AAC,
  mp2: AV_CODEC_ID_MP2,
  mp3: AV_CODEC_ID_MP3,
  ac3: AV_CODEC_ID_AC3,
  eac3: AV_CODEC_ID_EAC3,
} as const;

/** Decodes a key frame into a small picture, and sound into its peak. */
export function look({ picture, sound }: LookInput): LookOutput {
  return { luma: picture && lumaOf(picture), peak: sound && peakOf(sound) };
}

function lumaOf(picture: NonNullable<LookInput['picture']>): Uint8Array {
  if (picture.data.length === 0 || picture.data.length > MOST_BYTES)
    throw new AirdeskError('codec_bad_frame', 'The key frame is empty or too large');
  const decoded = decode(picture);
  try {
    const small = scale(decoded, WIDTH, HEIGHT);
    try {
      const plane = small.data?.[0] ?? Buffer.alloc(0);
      const stride = small.linesize[0] ?? WIDTH;
      const luma = new Uint8Array(WIDTH * HEIGHT);
      for (let row = 0; row < HEIGHT; row++) luma.set(plane.subarray(row * stride, row * stride + WIDTH), row * WIDTH);
      return luma;
    } finally {
      small.free();
    }
  } finally {
    decoded.free();
  }
}

function peakOf({ codec: name, decoderConfig, units }: CodedSound): number {
  if (units.length > MOST_UNITS) throw new AirdeskError('codec_bad_frame', 'There is too much sound');
  const codec = Codec.findDecoder(SOUND_CODECS[name]);
  if (!codec) throw new AirdeskError('codec_unknown', `There is no decoder for ${name}`);
  const context = new CodecContext();
  const packet = new Packet();
  packet.alloc();
  const frame = new Frame();
  frame.alloc();
  let peak = 0;
  let decoded = 0;
  try {
    context.allocContext3(codec);
    if (decoderConfig.length > 0) context.extraData = Buffer.from(decoderConfig);
    context.threadCount = 1;
    throwOnError(context.open2Sync(codec), 'codec_bad_config', 'Opening the decoder');
    for (const unit of units) {
      packet.data = Buffer.from(unit);
      const sent = context.sendPacketSync(packet);
      packet.unref();
      if (sent < 0) continue;
      while (context.receiveFrameSync(frame) >= 0) {
        // The first frame after a cut is half of what was before it.
        if (decoded++ > 0) peak = Math.max(peak, framePeak(frame));
        frame.unref();
      }
    }
    if (decoded < 2) throw new AirdeskError('codec_bad_frame', 'No sound can be decoded');
    return peak;
  } finally {
    frame.free();
    packet.free();
    context.freeContext();
  }
}

function framePeak(frame: Frame): number {
  const isFloat = frame.format === AV_SAMPLE_FMT_FLTP;
  if (!isFloat && frame.format !== AV_SAMPLE_FMT_S16P)
    throw new AirdeskError('codec_unknown', 'The samples of this decoder have another form');
  let peak = 0;
  for (const plane of frame.extendedData ?? []) {
    const bytes = frame.nbSamples * (isFloat ? 4 : 2);
    const copy = plane.buffer.slice(plane.byteOffset, plane.byteOffset + Math.min(bytes, plane.length));
    const samples = isFloat ? new Float32Array(copy) : new Int16Array(copy);
    for (const sample of samples) {
      const size = Math.abs(sample);
      if (size > peak) peak = size;
    }
  }
  return isFloat ? peak : peak / 32_768;
}
