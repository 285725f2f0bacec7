import { AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_S16P } from 'node-av/constants';
import { Frame } from 'node-av/lib';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { throwOnError } from '../libav/codec-error.ts';

/** Creates a view of `length` samples of a format. */
const VIEWS: Readonly<Record<number, (buffer: ArrayBufferLike, offset: number, length: number) => Samples>> = {
  [AV_SAMPLE_FMT_FLTP]: (buffer, offset, length) => new Float32Array(buffer, offset, length),
  [AV_SAMPLE_FMT_S16P]: (buffer, offset, length) => new Int16Array(buffer, offset, length),
  [AV_SAMPLE_FMT_DBL]: (buffer, offset, length) => new Float64Array(buffer, offset, length),
};
type Samples = Float32Array | Int16Array | Float64Array;
const FULL_SCALE_16 = 32_768;

/**
 * Copies the samples of consecutive frames into reused memory: mapping the memory of each frame would cost more than reading its
 * samples.
 */
export class FrameSamples {
  #pending: Frame | undefined;
  #planes: readonly Samples[] = [];

  /** Largest absolute sample of a decoded frame; 1 is full scale. */
  peak(frame: Frame): number {
    let peak = 0;
    for (const samples of this.#read(frame))
      for (let at = 0; at < samples.length; at++) {
        const value = samples[at] ?? 0;
        const size = value < 0 ? -value : value;
        if (size > peak) peak = size;
      }
    return frame.format === AV_SAMPLE_FMT_S16P ? peak / FULL_SCALE_16 : peak;
  }

  /** Interleaved doubles of a loudness filter, valid until the next call. */
  doubles(frame: Frame): Float64Array {
    const [samples] = this.#read(frame);
    if (!(samples instanceof Float64Array)) throw unknownForm();
    return samples;
  }

  close(): void {
    this.#planes = [];
    this.#pending?.free();
    this.#pending = undefined;
  }

  #read(frame: Frame): readonly Samples[] {
    const pending = this.#pending;
    const isSame =
      pending?.nbSamples === frame.nbSamples &&
      pending.format === frame.format &&
      pending.channelLayout.nbChannels === frame.channelLayout.nbChannels;
    const target = isSame ? pending : this.#make(frame);
    throwOnError(target.copy(frame), 'internal', 'Copying samples');
    return this.#planes;
  }

  #make({ nbSamples, format, channelLayout, sampleRate }: Frame): Frame {
    this.close();
    const view = VIEWS[format];
    if (!view) throw unknownForm();
    const frame = new Frame();
    frame.alloc();
    this.#pending = frame;
    Object.assign(frame, { nbSamples, format, channelLayout, sampleRate });
    throwOnError(frame.getBuffer(), 'internal', 'Getting memory for samples');
    const each = format === AV_SAMPLE_FMT_DBL ? nbSamples * channelLayout.nbChannels : nbSamples;
    this.#planes = (frame.extendedData ?? []).map(({ buffer, byteOffset }) => view(buffer, byteOffset, each));
    return frame;
  }
}

function unknownForm(): AirdeskError {
  return new AirdeskError('codec_unknown', 'The samples of this decoder have another format');
}
