import { AdtsSplitter } from '../../codecs/aac/splitter.ts';
import type { AssemblerOptions, AudioSplitter } from '../../codecs/assembler.ts';
import { MpegAudioSplitter } from '../../codecs/mp3/splitter.ts';
import type { AudioTrack } from '../../track.ts';

/**
 * Splits a stream announced as MPEG audio into frames. Some multiplexers announce AAC with ADTS headers as MPEG audio: both
 * formats are tried until the first frame is found, whose layer field decides.
 */
export class AnnouncedMpegAudio implements AudioSplitter {
  readonly #candidates: readonly AudioSplitter[];
  #found: AudioSplitter | undefined;

  constructor(options: AssemblerOptions) {
    // ADTS is tried first, because its header is longer, so a false match is less likely.
    this.#candidates = [new AdtsSplitter(options), new MpegAudioSplitter(options)];
  }

  get track(): AudioTrack | undefined {
    return this.#found?.track;
  }

  split(bytes: Uint8Array, frame: (data: Uint8Array, startsInThisCall: boolean) => void): void {
    for (const candidate of this.#found ? [this.#found] : this.#candidates) {
      candidate.split(bytes, (data, startsInThisCall) => {
        this.#found = candidate;
        frame(data, startsInThisCall);
      });
      if (this.#found) return;
    }
  }

  reset(): void {
    for (const candidate of this.#found ? [this.#found] : this.#candidates) candidate.reset();
  }
}
