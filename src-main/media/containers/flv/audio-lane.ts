import { INPUT_TIMESCALE } from '../../access-unit.ts';
import type { FormatProblem } from '../../access-unit.ts';
import { trackFromAudioSpecificConfig } from '../../codecs/aac/track.ts';
import type { AudioSplitter } from '../../codecs/assembler.ts';
import type { AudioTrack } from '../../track.ts';
import type { FlvCodec } from './four-cc.ts';

/** Takes the frames of one tag: each with the ticks (90 kHz) by which it is later than the tag. */
type FrameReceiver = (data: Uint8Array, laterTicks: number) => void;

/** Formats with frames that describe themselves, in which tags need no configuration. */
const SPLITTERS: Readonly<Record<string, (trackId: string, problem: (problem: FormatProblem) => void) => AudioSplitter>> = {};

/** Whether audio of this codec can be read. */
export function isAudioReadable(codec: FlvCodec): boolean {
  return codec === 'mp4a' || Object.hasOwn(SPLITTERS, codec);
}

/** One audio track of an FLV stream on its way to access units. */
export class AudioLane {
  readonly codec: FlvCodec;
  readonly #trackId: string;
  readonly #problem: (problem: FormatProblem) => void;
  readonly #splitter: AudioSplitter | undefined;
  #config: Uint8Array = new Uint8Array(0);
  #track: AudioTrack | undefined;

  constructor(codec: FlvCodec, trackId: string, problem: (problem: FormatProblem) => void) {
    this.codec = codec;
    this.#trackId = trackId;
    this.#problem = problem;
    this.#splitter = SPLITTERS[codec]?.(trackId, problem);
  }

  get track(): AudioTrack | undefined {
    return this.#splitter ? this.#splitter.track : this.#track;
  }

  /** Takes a decoder configuration; one that is like the last changes nothing. */
  configure(config: Uint8Array): void {
    if (this.#splitter || Buffer.compare(config, this.#config) === 0) return;
    const track = trackFromAudioSpecificConfig(config, { trackId: this.#trackId });
    if (!track) {
      this.#problem({ code: 'codec_bad_config', detail: `The decoder configuration of the ${this.codec} audio is damaged.` });
      return;
    }
    this.#config = Uint8Array.from(config);
    this.#track = track;
  }

  /** Gives the frames of one tag; none before the configuration. */
  frames(data: Uint8Array, receive: FrameReceiver): void {
    if (!this.#splitter) {
      if (this.#track && data.length > 0) receive(data, 0);
      return;
    }
    let count = 0;
    this.#splitter.split(data, (frame) => {
      const track = this.#splitter?.track;
      if (!track) return;
      receive(frame, Math.round((count * track.samplesPerFrame * INPUT_TIMESCALE) / track.sampleRate));
      count += 1;
    });
  }
}
