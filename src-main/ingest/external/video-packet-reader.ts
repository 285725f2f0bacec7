import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { FeedStream } from '../../lib/feed/feed-description.ts';
import type { AssembledPicture } from '../../media/codecs/assembler.ts';
import { H264Assembler } from '../../media/codecs/h264/assembler.ts';
import { H265Assembler } from '../../media/codecs/h265/assembler.ts';
import { lengthSizeOf, type LengthSize } from '../../media/codecs/nal/length-prefixed.ts';
import type { VideoTrack } from '../../media/track.ts';
import { DecodeTimes } from './decode-times.ts';
import type { PacketReaderOptions, UnitReceiver, PacketReader } from './packet-reader.ts';
import { reorderDepth } from './reorder-depth.ts';
import { unitTicksOf } from '../../media/timing/unit-ticks.ts';

/** Converts H.264 or H.265 packets to pictures: in Annex B form, or with length fields if the configuration is a record. */
export class VideoPacketReader implements PacketReader {
  readonly #options: PacketReaderOptions;
  readonly #assembler: H264Assembler | H265Assembler;
  readonly #codec: string;
  #config: Uint8Array = new Uint8Array(0);
  /** 0 for Annex B. */
  #lengthSize: LengthSize | 0 = 0;
  /** Whether decoding times are computed, because the container left one out. */
  #computesDecodeTimes = false;
  #times: { readonly track: VideoTrack; readonly decode: DecodeTimes } | undefined;

  constructor(stream: FeedStream, options: PacketReaderOptions) {
    const { trackId, problem } = options;
    const assemblerOptions = {
      trackId,
      problem,
      sourceId: stream.index,
      ...(stream.language === undefined ? {} : { language: stream.language }),
    };
    this.#options = options;
    this.#codec = stream.codec;
    this.#assembler =
      stream.codec === 'h264' ? new H264Assembler(assemblerOptions) : new H265Assembler(assemblerOptions);
    this.describe(stream);
  }

  get track(): VideoTrack | undefined {
    return this.#assembler.track;
  }

  describe({ config }: FeedStream): void {
    if (config.length === 0 || Buffer.compare(config, this.#config) === 0) return;
    this.#config = config;
    if (config[0] !== 1) {
      // Parameter sets in Annex B form contain no picture, but configure the assembler.
      this.#lengthSize = 0;
      this.#assembler.assemble(config);
      return;
    }
    const lengthSize = lengthSizeOf(config, this.#codec === 'h264' ? 'h264' : 'h265');
    if (lengthSize === 3 || !this.#assembler.configure(config)) {
      this.#options.problem({
        code: 'codec_bad_config',
        ...because('video_config_damaged', { codec: this.#codec }),
      });
    }
    this.#lengthSize = lengthSize === 3 ? 4 : lengthSize;
  }

  push(data: Uint8Array, dtsTicks: number, ptsTicks: number, receive: UnitReceiver): void {
    const picture = this.#assemble(data);
    const { track } = this.#assembler;
    if (!picture || !track) return;
    // After a missing time, all times are computed, because times of the container may not fit between computed ones.
    if (Number.isNaN(dtsTicks)) this.#computesDecodeTimes = true;
    const dts = this.#computesDecodeTimes ? this.#decodeTimes(track).next(ptsTicks) : dtsTicks;
    receive(picture.data, dts, ptsTicks, picture.isRandomAccess);
  }

  restart(): void {
    this.#times = undefined;
  }

  #assemble(data: Uint8Array): AssembledPicture | undefined {
    return this.#lengthSize === 0
      ? this.#assembler.assemble(data)
      : this.#assembler.assembleSample(data, this.#lengthSize);
  }

  #decodeTimes(track: VideoTrack): DecodeTimes {
    if (this.#times?.track !== track)
      this.#times = { track, decode: new DecodeTimes(reorderDepth(track), unitTicksOf(track)) };
    return this.#times.decode;
  }
}
