import type { MediaSink } from '../../../media/access-unit.ts';
import { findBox, readBoxStart } from '../../../media/containers/isobmff/box.ts';
import { MAX_MOOF_BYTES } from '../../../media/containers/isobmff/movie-fragment.ts';
import { findRecordsInSegment, type InBandTrack } from '../../../media/containers/isobmff/in-band-records.ts';
import { readMovie, type Movie } from '../../../media/containers/isobmff/movie.ts';
import { MAX_RUN_SAMPLES } from '../../../media/containers/isobmff/track-run.ts';
import type { Track } from '../../../media/track.ts';
import { FragmentTrack } from './fragment-track.ts';
import type { SegmentReader } from './segment-reader.ts';

/**
 * Minimum bytes of a segment per sample. A sample may take no byte in a fragment, so a few bytes could otherwise
 * announce millions of samples.
 */
const BYTES_OF_A_SAMPLE = 8;
/** Number of samples that a segment of any size may have. */
const MIN_SAMPLES = 4096;
/** Boxes processed in one step. */
const BOXES_OF_A_STEP = 1000;

/** Reads segments of fragmented MP4 (CMAF): samples of all tracks of a fragment in decoding order. */
export class FragmentSegments implements SegmentReader {
  readonly isPictureOpen = false;
  readonly isWrapping = false;
  readonly #sink: MediaSink;
  #init: Buffer | undefined;
  /** Tracks whose parameter sets have not been found yet. */
  #inBand: readonly InBandTrack[] = [];
  #tracks: readonly FragmentTrack[] = [];
  #announced: readonly Track[] = [];
  #bytes: Buffer = Buffer.alloc(0);
  /** Offset of the next box. */
  #at = 0;
  #samplesLeft = 0;

  constructor(sink: MediaSink) {
    this.#sink = sink;
  }

  open(bytes: Buffer, init: Buffer | undefined): void {
    this.#bytes = bytes;
    this.#at = 0;
    this.#samplesLeft = Math.max(MIN_SAMPLES, Math.floor(bytes.length / BYTES_OF_A_SAMPLE));
    if (init && init !== this.#init) {
      this.#init = init;
      this.#configure(init);
    } else if (!init && findBox(bytes, ['moov'])) {
      // The segment has its own init section.
      this.#configure(bytes);
    } else if (init && this.#inBand.length > 0) this.#complete(init);
  }

  step(): boolean {
    let earliest: FragmentTrack | undefined;
    for (const track of this.#tracks) {
      if (track.hasSample && (!earliest || track.dtsTicks < earliest.dtsTicks)) earliest = track;
    }
    if (!earliest) return this.#enterFragment();
    this.#emitSample(earliest);
    earliest.next();
    return true;
  }

  nextSegment(): void {
    this.endSegment();
  }

  endSegment(): void {
    for (const track of this.#tracks) track.hasSample = false;
  }

  #configure(init: Buffer): void {
    const movie = readMovie(init);
    if (!movie) this.#problem('The init section cannot be read.');
    this.#inBand = movie?.inBand ?? [];
    if (!this.#complete(init)) this.#open(movie);
  }

  /** Opens tracks whose parameter sets are in this segment; a later segment may contain them, too. */
  #complete(init: Buffer): boolean {
    if (this.#inBand.length === 0) return false;
    const records = findRecordsInSegment(this.#inBand, this.#bytes);
    const movie = records.size > 0 ? readMovie(init, records) : undefined;
    if (!movie) return false;
    this.#inBand = movie.inBand;
    this.#open(movie);
    return true;
  }

  #open(movie: Movie | undefined): void {
    for (const problem of movie?.problems ?? []) this.#sink.problem(problem);
    const problem = this.#sink.problem.bind(this.#sink);
    this.#tracks = (movie?.tracks ?? []).map((track) => new FragmentTrack(track, problem));
    this.#announced = [];
  }

  #enterFragment(): boolean {
    for (let boxes = 0; boxes < BOXES_OF_A_STEP; boxes++) {
      const start = readBoxStart(this.#bytes, this.#at);
      if (!start || start.sizeBytes === 0) return false;
      const [from, end] = [this.#at, this.#at + start.sizeBytes];
      if (start.type !== 'moof') {
        this.#at = end;
        continue;
      }
      this.#at = end;
      if (end > this.#bytes.length || start.sizeBytes > MAX_MOOF_BYTES) {
        this.#problem('A fragment is incomplete.');
        return false;
      }
      const moof = this.#bytes.subarray(from, end);
      const maxSamples = Math.min(MAX_RUN_SAMPLES, this.#samplesLeft);
      let samples = 0;
      for (const track of this.#tracks) {
        const seen = track.enter(moof, from, maxSamples);
        if (seen === false) this.#problem(`A fragment of ${track.track.id} cannot be read.`);
        // A damaged fragment counts as the maximum number of samples, because that many may have been processed before
        // the damage was found.
        samples = Math.max(samples, seen === false ? maxSamples : seen);
      }
      this.#samplesLeft -= samples;
      if (this.#announced.length === 0) this.#learn();
      return true;
    }
    return true;
  }

  #learn(): void {
    for (const track of this.#tracks) track.learn(this.#bytes);
    this.#announce();
  }

  #emitSample(track: FragmentTrack): void {
    const sample = track.read(this.#bytes);
    if (!sample) return;
    if (!this.#announced.includes(track.track)) this.#announce();
    const { dtsTicks, ptsTicks } = track;
    this.#sink.accessUnit({ trackId: track.track.id, dtsTicks, ptsTicks, ...sample });
  }

  #announce(): void {
    this.#announced = this.#tracks.map(({ track }) => track);
    this.#sink.tracks(this.#announced);
  }

  #problem(detail: string): void {
    this.#sink.problem({ code: 'mp4_bad_box', detail });
  }
}
