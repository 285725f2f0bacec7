import {
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_AC3,
  AV_CODEC_ID_EAC3,
  AV_CODEC_ID_MP2,
  AV_CODEC_ID_MP3,
  AVMEDIA_TYPE_AUDIO,
} from 'node-av/constants';
import { Codec, CodecContext, Frame, Packet } from 'node-av/lib';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { throwOnError } from '../libav/codec-error.ts';
import { FilterChain, soundInput } from '../libav/filter-chain.ts';
import { FrameSamples } from './frame-samples.ts';
import { TruePeak } from './true-peak.ts';

/** Format of coded sound for a decoder. */
export interface SoundForm {
  readonly codec: 'aac' | 'mp2' | 'mp3' | 'ac3' | 'eac3';
  /** AudioSpecificConfig of AAC; empty for other codecs. */
  readonly decoderConfig: Uint8Array;
}

/** Concatenated access units. */
export interface PackedUnits {
  readonly bytes: Uint8Array;
  /** Size of each unit. */
  readonly sizes: Uint32Array;
}

/** Measurement of sound. */
export interface SoundMeasurement {
  /** Largest absolute sample of all channels; 1 is full scale. */
  readonly peak: number;
  /**
   * For each 100 ms: momentary and short-term loudness in LUFS, and true peak in dBTP; NaN if not yet known. Empty if
   * loudness is not measured.
   */
  readonly loudness: Float32Array;
}

const SOUND_CODECS = {
  aac: AV_CODEC_ID_AAC,
  mp2: AV_CODEC_ID_MP2,
  mp3: AV_CODEC_ID_MP3,
  ac3: AV_CODEC_ID_AC3,
  eac3: AV_CODEC_ID_EAC3,
} as const;
/** Number of 100 ms blocks of the momentary and the short-term loudness (EBU Tech 3341). */
const MOMENTARY_BLOCKS = 4;
const SHORT_TERM_BLOCKS = 30;

/** Audio decoder with state between calls, and optional loudness measurement (EBU R128). */
export class LoudnessMeter {
  readonly #context = new CodecContext();
  readonly #packet = new Packet();
  readonly #frame = new Frame();
  readonly #samples = new FrameSamples();
  readonly #isMeasured: boolean;
  #filters: FilterChain | undefined;
  #truePeak: TruePeak | undefined;
  #decoded = 0;
  #blocks = 0;

  constructor({ codec: name, decoderConfig }: SoundForm, isMeasured: boolean) {
    this.#isMeasured = isMeasured;
    const codec = Codec.findDecoder(SOUND_CODECS[name]);
    if (!codec) throw new AirdeskError('codec_unknown', `There is no decoder for ${name}`);
    this.#packet.alloc();
    this.#frame.alloc();
    this.#context.allocContext3(codec);
    if (decoderConfig.length > 0) this.#context.extraData = Buffer.from(decoderConfig);
    this.#context.threadCount = 1;
    throwOnError(this.#context.open2Sync(codec), 'codec_bad_config', 'Opening the decoder');
  }

  /**
   * Measures units that follow the previous units. Throws `codec_bad_frame` if fewer than two units can be decoded, or if the
   * only unit cannot.
   */
  measure({ bytes, sizes }: PackedUnits): SoundMeasurement {
    const before = this.#decoded;
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    let [peak, at] = [0, 0];
    const loudness: number[] = [];
    for (const size of sizes) {
      // FFmpeg copies the bytes.
      this.#packet.data = all.subarray(at, at + size);
      at += size;
      const sent = this.#context.sendPacketSync(this.#packet);
      this.#packet.unref();
      if (sent < 0) continue;
      while (this.#context.receiveFrameSync(this.#frame) >= 0) {
        // The first frame of a meter is skipped, because it depends on a frame before it, which is missing.
        if (this.#decoded++ > 0) {
          if (this.#isMeasured) peak = Math.max(peak, this.#measure(loudness));
          else peak = Math.max(peak, this.#samples.peak(this.#frame));
        }
        this.#frame.unref();
      }
    }
    if (this.#decoded - before < Math.min(2, sizes.length))
      throw new AirdeskError('codec_bad_frame', 'No sound can be decoded');
    return { peak, loudness: Float32Array.from(loudness) };
  }

  close(): void {
    this.#filters?.close();
    this.#samples.close();
    this.#frame.free();
    this.#packet.free();
    this.#context.freeContext();
  }

  /** Measures a frame and returns the largest sample of the filtered output. */
  #measure(loudness: number[]): number {
    const { sampleRate } = this.#frame;
    this.#frame.pts = -(2n ** 63n);
    this.#filters ??= new FilterChain(
      `${soundInput(this.#frame, `1/${sampleRate}`)},ebur128=metadata=1:framelog=quiet`,
      AVMEDIA_TYPE_AUDIO,
    );
    this.#filters.push(this.#frame);
    let peak = 0;
    for (let out = this.#filters.next(); out; out = this.#filters.next()) {
      peak = Math.max(peak, this.#block(out, loudness));
      out.free();
    }
    return peak;
  }

  #block(out: Frame, loudness: number[]): number {
    const { nbChannels } = out.channelLayout;
    this.#truePeak ??= new TruePeak(nbChannels);
    const { sample, peak: truePeak } = this.#truePeak.next(this.#samples.doubles(out));
    const metadata = out.getMetadata();
    this.#blocks++;
    const value = (name: string, minimum: number): number =>
      this.#blocks < minimum ? NaN : Number(metadata.get(`lavfi.r128.${name}`) ?? NaN);
    loudness.push(value('M', MOMENTARY_BLOCKS), value('S', SHORT_TERM_BLOCKS), 20 * Math.log10(truePeak));
    return sample;
  }
}
