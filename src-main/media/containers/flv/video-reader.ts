import { because } from '../../../../src-preload/contract/explanations/explanations.ts';
import type { FormatProblem } from '../../access-unit.ts';
import type { AssembledPicture } from '../../codecs/assembler.ts';
import { H264Assembler } from '../../codecs/h264/assembler.ts';
import { H265Assembler } from '../../codecs/h265/assembler.ts';
import { lengthSizeOf, type LengthSize } from '../../codecs/nal/length-prefixed.ts';
import type { VideoTrack } from '../../track.ts';
import type { FlvCodec } from './four-cc.ts';

/** Codecs by their names in FLV. */
const CODECS: Readonly<Record<string, VideoTrack['codec']>> = { avc1: 'h264', hvc1: 'h265' };

/** Whether video of this codec can be read. */
export function isVideoReadable(codec: FlvCodec): boolean {
  return Object.hasOwn(CODECS, codec);
}

/** Converts one video track of an FLV stream to access units. */
export class FlvVideoReader {
  readonly codec: FlvCodec;
  readonly #assembler: H264Assembler | H265Assembler;
  readonly #codec: VideoTrack['codec'];
  readonly #problem: (problem: FormatProblem) => void;
  #record: Uint8Array = new Uint8Array(0);
  #lengthSize: LengthSize = 4;

  /** Creates the reader. `codec` must be readable. */
  constructor(codec: FlvCodec, trackId: string, problem: (problem: FormatProblem) => void) {
    const name = CODECS[codec];
    if (!name) throw new RangeError(`no reader for video codec ${codec}`);
    this.codec = codec;
    this.#codec = name;
    this.#assembler =
      name === 'h264' ? new H264Assembler({ trackId, problem }) : new H265Assembler({ trackId, problem });
    this.#problem = problem;
  }

  get track(): VideoTrack | undefined {
    return this.#assembler.track;
  }

  /** Processes a decoder configuration record; an unchanged one has no effect. */
  configure(record: Uint8Array): void {
    if (Buffer.compare(record, this.#record) === 0) return;
    const lengthSize = lengthSizeOf(record, this.#codec);
    if (lengthSize === 3 || !this.#assembler.configure(record)) {
      this.#problem({
        code: 'codec_bad_config',
        ...because('video_config_damaged', { codec: this.codec }),
      });
      return;
    }
    this.#record = Uint8Array.from(record);
    this.#lengthSize = lengthSize;
  }

  /** Picture of one tag; undefined without a coded picture, or while parameter sets are missing. */
  assemble(sample: Uint8Array): AssembledPicture | undefined {
    return this.#assembler.assembleSample(sample, this.#lengthSize);
  }
}
