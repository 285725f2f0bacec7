import type { AudioTrack } from '../../track.ts';
import type { AssemblerOptions, AudioSplitter } from '../assembler.ts';
import { FrameSync } from '../frame-sync.ts';
import type { FrameFormat } from '../frame-sync.ts';
import {
  MAX_MPEG_AUDIO_FRAME_BYTES,
  MPEG_AUDIO_HEADER_BYTES,
  mpegAudioFrameBytes,
  readMpegAudioHeader,
} from './header.ts';
import { mpegAudioTrack } from './track.ts';

const FORMAT: FrameFormat = {
  name: 'MPEG audio',
  syncByte: 0xff,
  headerBytes: MPEG_AUDIO_HEADER_BYTES,
  maxFrameBytes: MAX_MPEG_AUDIO_FRAME_BYTES,
  frameBytesAt: mpegAudioFrameBytes,
};

/** Cuts MPEG audio of layers II and III into frames, each with its header. */
export class MpegAudioSplitter implements AudioSplitter {
  readonly #options: AssemblerOptions;
  readonly #sync: FrameSync;
  #track: AudioTrack | undefined;
  /** The header fields that the track was made from, as one number. */
  #key = -1;
  #frame: (data: Uint8Array, startsInThisCall: boolean) => void = ignoreFrame;

  constructor(options: AssemblerOptions) {
    this.#options = options;
    this.#sync = new FrameSync(FORMAT, options.problem);
  }

  get track(): AudioTrack | undefined {
    return this.#track;
  }

  split(bytes: Uint8Array, frame: (data: Uint8Array, startsInThisCall: boolean) => void): void {
    this.#frame = frame;
    this.#sync.push(bytes, this.#receive);
    this.#frame = ignoreFrame;
  }

  reset(): void {
    this.#sync.reset();
  }

  readonly #receive = (bytes: Uint8Array, start: number, end: number, startsInThisCall: boolean): void => {
    const isMono = (bytes[start + 3] ?? 0) >>> 6 === 3;
    // Version, layer, frequency and whether there is one channel: joint stereo may come and go from frame to frame.
    const key = (((bytes[start + 1] ?? 0) & 0x1e) << 8) | ((bytes[start + 2] ?? 0) & 0x0c) | (isMono ? 1 : 0);
    if (key !== this.#key) {
      const header = readMpegAudioHeader(bytes, start);
      if (!header) return;
      this.#key = key;
      this.#track = mpegAudioTrack(header, this.#options);
    }
    this.#frame(bytes.subarray(start, end), startsInThisCall);
  };
}

function ignoreFrame(): void {}
