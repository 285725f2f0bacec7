import { because } from '../../../../src-preload/contract/explanations/explanations.ts';
import type { FormatProblem } from '../../access-unit.ts';
import type { AssembledPicture, VideoAssembler } from '../../codecs/assembler.ts';
import { H264Assembler } from '../../codecs/h264/assembler.ts';
import { H265Assembler } from '../../codecs/h265/assembler.ts';
import { isLengthPrefixed } from '../../codecs/nal/length-prefixed.ts';
import type { LengthSize } from '../../codecs/nal/length-prefixed.ts';
import type { VideoTrack } from '../../track.ts';
import type { FlvCodec } from './four-cc.ts';

/** Whether the bytes start as a byte stream does: with 00 00 01 or 00 00 00 01. */
function startsWithStartCode(bytes: Uint8Array): boolean {
  return bytes[0] === 0 && bytes[1] === 0 && (bytes[2] === 1 || (bytes[2] === 0 && bytes[3] === 1));
}

/** Video assembler for pictures in FLV form: a decoder configuration record, then length-prefixed NAL units. */
interface SampleAssembler extends VideoAssembler {
  configure(record: Uint8Array): boolean;
  assembleSample(sample: Uint8Array, lengthSize?: LengthSize): AssembledPicture | undefined;
}

/** Assembler of a codec, and the position of the length size in its configuration record. */
interface VideoFormat {
  readonly make: (trackId: string, problem: (problem: FormatProblem) => void) => SampleAssembler;
  /** Byte whose two lowest bits are `lengthSizeMinusOne` (ISO 14496-15, sections 5.3.3.1.2 and 8.3.3.1.2). */
  readonly lengthSizeAt: number;
}

const FORMATS: Readonly<Record<string, VideoFormat>> = {
  avc1: { make: (trackId, problem) => new H264Assembler({ trackId, problem }), lengthSizeAt: 4 },
  hvc1: { make: (trackId, problem) => new H265Assembler({ trackId, problem }), lengthSizeAt: 21 },
};

/** Whether video of this codec can be read. */
export function isVideoReadable(codec: FlvCodec): boolean {
  return Object.hasOwn(FORMATS, codec);
}

/** Converts one video track of an FLV stream to access units. */
export class FlvVideoReader {
  readonly codec: FlvCodec;
  readonly #assembler: SampleAssembler;
  readonly #lengthSizeAt: number;
  readonly #problem: (problem: FormatProblem) => void;
  #record: Uint8Array = new Uint8Array(0);
  #lengthSize: LengthSize = 4;

  /** `codec` must be readable. */
  constructor(codec: FlvCodec, trackId: string, problem: (problem: FormatProblem) => void) {
    const format = FORMATS[codec];
    if (!format) throw new RangeError(`no reader for video codec ${codec}`);
    this.codec = codec;
    this.#assembler = format.make(trackId, problem);
    this.#lengthSizeAt = format.lengthSizeAt;
    this.#problem = problem;
  }

  get track(): VideoTrack | undefined {
    return this.#assembler.track;
  }

  /** Processes a decoder configuration record; an unchanged one has no effect. */
  configure(record: Uint8Array): void {
    if (Buffer.compare(record, this.#record) === 0) return;
    if (startsWithStartCode(record)) {
      // Parameter sets as a byte stream, valid until the next configuration.
      this.#record = Uint8Array.from(record);
      this.#assembler.assemble(record);
      return;
    }
    const lengthSize = ((record[this.#lengthSizeAt] ?? 0) & 3) + 1;
    if (lengthSize === 3 || !this.#assembler.configure(record)) {
      this.#problem({
        code: 'codec_bad_config',
        ...because('video_config_damaged', { codec: this.codec }),
      });
      return;
    }
    this.#record = Uint8Array.from(record);
    this.#lengthSize = lengthSize as LengthSize; // 1, 2 or 4 by the check above
  }

  /** Picture of one tag; undefined without a coded picture, or while parameter sets are missing. */
  assemble(sample: Uint8Array): AssembledPicture | undefined {
    // Some encoders send a byte stream (annex B) instead of lengths.
    return startsWithStartCode(sample) && !isLengthPrefixed(sample, this.#lengthSize)
      ? this.#assembler.assemble(sample)
      : this.#assembler.assembleSample(sample, this.#lengthSize);
  }
}
