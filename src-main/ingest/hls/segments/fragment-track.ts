import { INPUT_TIMESCALE } from '../../../media/access-unit.ts';
import type { FormatProblem } from '../../../media/access-unit.ts';
import type { VideoAssembler } from '../../../media/codecs/assembler.ts';
import { H264Assembler } from '../../../media/codecs/h264/assembler.ts';
import { H265Assembler } from '../../../media/codecs/h265/assembler.ts';
import { trackFromMpegAudioFrame } from '../../../media/codecs/mp3/track.ts';
import { readFragment } from '../../../media/containers/isobmff/movie-fragment.ts';
import type { FragmentCursor } from '../../../media/containers/isobmff/movie-fragment.ts';
import type { MovieTrack } from '../../../media/containers/isobmff/movie-track.ts';
import { convertTicks } from '../../../media/timing/ticks.ts';
import { unitsPerFrame } from '../../../media/timing/unit-ticks.ts';
import { isSameFormat, withDisplayOf, type Track } from '../../../media/track.ts';

/** Track of fragmented MP4 across fragments. */
export class FragmentTrack {
  track: Track;
  /** Whether there is a current sample. */
  hasSample = false;
  /** Times of the current sample in 90 kHz ticks, after the edit list. */
  dtsTicks = 0;
  ptsTicks = 0;
  readonly #movieTrack: MovieTrack;
  readonly #assembler: (VideoAssembler & Pick<H264Assembler, 'assembleSample' | 'configure'>) | undefined;
  #cursor: FragmentCursor | undefined;
  #endTicks = 0;
  /** Sample description of the assembler; 0 before the first sample. */
  #description = 0;
  /** Format that this sample description states. */
  #described: Track;
  /** Shift of decoding times to before presentation, with negative composition offsets. */
  #decodeShiftTicks: number | undefined;

  constructor(movieTrack: MovieTrack, problem: (problem: FormatProblem) => void) {
    this.#movieTrack = movieTrack;
    this.track = movieTrack.track;
    this.#described = movieTrack.track;
    this.#assembler = assemblerOf(movieTrack, problem);
  }

  /** Moves to the first sample of a fragment. Returns the number of samples of all tracks, or false if it is damaged. */
  enter(moof: Uint8Array, moofOffset: number, maxSamples: number): number | false {
    const { defaults } = this.#movieTrack;
    this.hasSample = false;
    this.#cursor = defaults && readFragment(moof, moofOffset, defaults, this.#endTicks, maxSamples);
    if (!this.#cursor) return defaults === undefined && 0;
    this.#decodeShiftTicks ??= this.#cursor.minOffsetTicks;
    this.next();
    return this.#cursor.totalSamples;
  }

  /** Moves to the next non-empty sample of the fragment. */
  next(): void {
    const cursor = this.#cursor;
    this.hasSample = false;
    while (cursor && !this.hasSample && cursor.next()) {
      const { timescale, shiftTicks } = this.#movieTrack;
      this.#endTicks = cursor.dtsTicks + cursor.durationTicks;
      this.dtsTicks = convertTicks(
        cursor.dtsTicks + shiftTicks + (this.#decodeShiftTicks ?? 0),
        timescale,
        INPUT_TIMESCALE,
      );
      this.ptsTicks = convertTicks(
        cursor.dtsTicks + cursor.compositionOffsetTicks + shiftTicks,
        timescale,
        INPUT_TIMESCALE,
      );
      this.hasSample = cursor.sizeBytes > 0;
    }
  }

  /** Current sample as an access unit; undefined if it is outside the segment or holds no picture. */
  read(bytes: Uint8Array): { readonly data: Uint8Array; readonly isRandomAccess: boolean } | undefined {
    const sample = this.#sample(bytes);
    if (!sample) return undefined;
    const description = this.#cursor?.descriptionIndex ?? 0;
    const described = description === this.#description ? undefined : this.#movieTrack.descriptions?.get(description);
    this.#description = description;
    if (described) this.#described = described;
    if (!this.#assembler) {
      // Only frames state the format of MPEG audio.
      if (described && described.codec !== 'mp3' && !isSameFormat(described, this.track)) this.track = described;
      return { data: sample, isRandomAccess: true };
    }
    if (described) this.#assembler.configure(described.decoderConfig);
    const picture = this.#assembler.assembleSample(sample, this.#movieTrack.nalLengthBytes);
    const { track } = this.#assembler;
    // Takes the format from the assembler: parameter sets in the samples may change it.
    if (
      track &&
      (track.codecString !== this.track.codecString ||
        Buffer.compare(track.decoderConfig, this.track.decoderConfig) !== 0)
    )
      this.track = withDisplayOf(track, this.#described);
    return picture;
  }

  /** Completes the track by its first sample: frame rate, duration of an Opus frame, layer of MPEG audio. */
  learn(bytes: Uint8Array): void {
    const cursor = this.#cursor;
    if (!this.hasSample || !cursor) return;
    const { track } = this;
    const seconds = cursor.durationTicks / this.#movieTrack.timescale;
    if (track.content === 'video') {
      if (track.fps === undefined && seconds > 0)
        this.track = { ...track, fps: Math.round(1000 / seconds / unitsPerFrame(track)) / 1000 };
    } else if (track.codec === 'opus' && seconds > 0) {
      this.track = { ...track, samplesPerFrame: Math.round(seconds * track.sampleRate) };
    } else if (track.codec === 'mp3') {
      const sample = this.#sample(bytes);
      const { id: trackId, language, sourceId } = track;
      const identity = {
        trackId,
        ...(language === undefined ? {} : { language }),
        ...(sourceId === undefined ? {} : { sourceId }),
      };
      this.track = (sample && trackFromMpegAudioFrame(sample, identity)) ?? track;
    }
  }

  #sample(bytes: Uint8Array): Uint8Array | undefined {
    const cursor = this.#cursor;
    if (!cursor || cursor.offset < 0 || cursor.offset + cursor.sizeBytes > bytes.length) return undefined;
    return bytes.subarray(cursor.offset, cursor.offset + cursor.sizeBytes);
  }
}

function assemblerOf(
  movieTrack: MovieTrack,
  problem: (problem: FormatProblem) => void,
): H264Assembler | H265Assembler | undefined {
  const { track } = movieTrack;
  if (track.content === 'audio') return undefined;
  const { id: trackId, language, sourceId } = track;
  const options = {
    trackId,
    problem,
    ...(language === undefined ? {} : { language }),
    ...(sourceId === undefined ? {} : { sourceId }),
  };
  const assembler = track.codec === 'h264' ? new H264Assembler(options) : new H265Assembler(options);
  assembler.configure(track.decoderConfig);
  return assembler;
}
