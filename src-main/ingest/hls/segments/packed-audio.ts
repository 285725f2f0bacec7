import { INPUT_TIMESCALE } from '../../../media/access-unit.ts';
import type { MediaSink } from '../../../media/access-unit.ts';
import { AdtsSplitter } from '../../../media/codecs/aac/splitter.ts';
import { Ac3Splitter } from '../../../media/codecs/ac3/splitter.ts';
import { frameSamples } from '../../../media/timing/frame-samples.ts';
import type { AssemblerOptions, AudioSplitter } from '../../../media/codecs/assembler.ts';
import { MpegAudioSplitter } from '../../../media/codecs/mp3/splitter.ts';
import { readPackedAudioStart } from '../../../media/manifests/hls/id3-timestamp.ts';
import { Unroller } from '../../../media/timing/unroll.ts';
import type { AudioTrack } from '../../../media/track.ts';
import type { SegmentReader } from './segment-reader.ts';

const TRACK_ID = 'a1';
const STEP_BYTES = 4096;

/**
 * Reads segments of packed audio (RFC 8216bis 3.1.4): AAC, MP3, AC-3 or E-AC-3 frames after an ID3 tag with the time of the
 * first.
 */
export class PackedAudioSegments implements SegmentReader {
  readonly isPictureOpen = false;
  readonly isWrapping = true;
  readonly #sink: MediaSink;
  readonly #options: AssemblerOptions;
  readonly #clock = new Unroller();
  #splitter: AudioSplitter | undefined;
  #format = '';
  #announced: AudioTrack | undefined;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  /** Time of the first frame of the segment, and samples emitted since. */
  #startTicks = 0;
  #samples = 0;

  constructor(sink: MediaSink) {
    this.#sink = sink;
    this.#options = { trackId: TRACK_ID, problem: sink.problem.bind(sink) };
  }

  open(bytes: Buffer): void {
    const { audioStart, ptsTicks } = readPackedAudioStart(bytes);
    // Parts and segments without a time continue the previous one.
    this.#startTicks = ptsTicks === undefined ? this.#nextTicks() : this.#clock.unroll(ptsTicks);
    this.#samples = 0;
    this.#bytes = bytes;
    this.#at = audioStart;
    this.#choose(bytes, audioStart);
  }

  step(): boolean {
    if (this.#at >= this.#bytes.length || !this.#splitter) return false;
    const end = Math.min(this.#bytes.length, this.#at + STEP_BYTES);
    this.#splitter.split(this.#bytes.subarray(this.#at, end), this.#frame);
    this.#at = end;
    return true;
  }

  nextSegment(): void {
    this.endSegment();
  }

  endSegment(): void {
    this.#splitter?.reset();
  }

  #choose(bytes: Uint8Array, at: number): void {
    const [first, second] = [bytes[at], bytes[at + 1] ?? 0];
    const format = first === 0x0b ? 'ac3' : (second & 0xf6) === 0xf0 ? 'adts' : 'mpeg';
    if (this.#splitter && (format === this.#format || first === undefined)) return;
    this.#format = format;
    const options = this.#options;
    this.#splitter =
      format === 'ac3'
        ? new Ac3Splitter(options)
        : format === 'adts'
          ? new AdtsSplitter(options)
          : new MpegAudioSplitter(options);
  }

  #nextTicks(): number {
    const rate = this.#announced?.sampleRate;
    return rate === undefined
      ? this.#startTicks
      : this.#startTicks + Math.round((this.#samples * INPUT_TIMESCALE) / rate);
  }

  readonly #frame = (data: Uint8Array): void => {
    const track = this.#splitter?.track;
    if (!track) return;
    if (track !== this.#announced) {
      this.#startTicks = this.#nextTicks();
      this.#samples = 0;
      this.#announced = track;
      this.#sink.tracks([track]);
    }
    const ticks = this.#nextTicks();
    this.#samples += frameSamples(track, data);
    this.#sink.accessUnit({ trackId: TRACK_ID, dtsTicks: ticks, ptsTicks: ticks, isRandomAccess: true, data });
  };
}
