import type { AssemblerOptions } from '../assembler.ts';
import { FrameSplitter, type FrameFormat } from '../frame-splitter.ts';
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

/** Splits MPEG audio of layers II and III into frames, each with its header. */
export class MpegAudioSplitter extends FrameSplitter {
  /** Header fields of the track, as one number. */
  #key = -1;

  constructor(options: AssemblerOptions) {
    super(FORMAT, options);
  }

  protected override receive(bytes: Uint8Array, start: number, end: number, startsInThisCall: boolean): void {
    const isMono = (bytes[start + 3] ?? 0) >>> 6 === 3;
    // The key has version, layer, frequency, and one bit for mono. It has no other channel modes, because joint stereo may
    // change from frame to frame.
    const key = (((bytes[start + 1] ?? 0) & 0x1e) << 8) | ((bytes[start + 2] ?? 0) & 0x0c) | (isMono ? 1 : 0);
    if (key !== this.#key) {
      const header = readMpegAudioHeader(bytes, start);
      if (!header) return;
      this.#key = key;
      this.current = mpegAudioTrack(header, this.options);
    }
    this.give(bytes.subarray(start, end), startsInThisCall);
  }
}
