import type { FormatProblem, MediaSink } from '../../media/access-unit.ts';
import type { Movie } from '../../media/containers/isobmff/movie.ts';
import type { MovieTrack } from '../../media/containers/isobmff/movie-track.ts';
import { H264Assembler } from '../../media/codecs/h264/assembler.ts';
import { H265Assembler } from '../../media/codecs/h265/assembler.ts';
import { trackFromMpegAudioFrame } from '../../media/codecs/mp3/track.ts';
import { isSameFormat, withDisplayOf, type Track } from '../../media/track.ts';
import type { FileBytes } from '../../media/containers/file-bytes.ts';
import type { FilePass } from './file-pass.ts';
import { Mp4TrackWalk } from './mp4-track-walk.ts';

/** One track in a pass, with the assembler of its samples. */
interface TrackPass {
  readonly walk: Mp4TrackWalk;
  readonly assembler: H264Assembler | H265Assembler | undefined;
  /** Index of the sample description of the newest sample; 0 before the first sample. */
  description: number;
  /** Format that this sample description states. */
  described: Track;
  /** Current format: as stated, or changed by parameter sets in the samples. */
  track: Track;
}

/** Pass over an MP4 file: samples of all tracks in decoding order. */
export class Mp4Pass implements FilePass {
  readonly #sink: MediaSink;
  readonly #received: (bytes: number) => void;
  readonly #trackPasses: readonly TrackPass[];
  #isOpen = false;
  /**
   * Offset in ticks that moves a file that starts before 0, because of edit lists for B-frames and encoder delay, to
   * 0.
   */
  #biasTicks = 0;

  constructor(file: FileBytes, movie: Movie, sink: MediaSink, received: (bytes: number) => void) {
    this.#sink = sink;
    this.#received = received;
    const problem = (value: FormatProblem): void => {
      sink.problem(value);
    };
    this.#trackPasses = movie.tracks.map((movieTrack) => ({
      walk: new Mp4TrackWalk(file, movieTrack, movie.isFragmented, problem),
      assembler: assemblerOf(movieTrack, problem),
      description: 0,
      described: movieTrack.track,
      track: movieTrack.track,
    }));
  }

  async step(): Promise<boolean> {
    if (!this.#isOpen) await this.#open();
    const trackPass = this.#earliest();
    if (!trackPass) return false;
    const { walk } = trackPass;
    const sample = await walk.read();
    if (sample) {
      this.#received(sample.length);
      this.#emitSample(trackPass, sample);
    }
    await walk.next();
    return true;
  }

  async #open(): Promise<void> {
    this.#isOpen = true;
    for (const trackPass of this.#trackPasses) {
      await trackPass.walk.next();
      if (trackPass.track.codec === 'mp3' && !trackPass.walk.isDone)
        trackPass.track = await this.#trackOfFrame(trackPass);
    }
    this.#biasTicks = Math.max(0, -(this.#earliest()?.walk.dtsTicks ?? 0));
    this.#sink.tracks(this.#trackPasses.map((trackPass) => trackPass.track));
  }

  /** Format of a track according to its first frame: only frames of MPEG audio state their layer and length. */
  async #trackOfFrame({ walk, track }: TrackPass): Promise<Track> {
    const frame = await walk.read();
    const { id: trackId, language, sourceId } = track;
    const identity = {
      trackId,
      ...(language === undefined ? {} : { language }),
      ...(sourceId === undefined ? {} : { sourceId }),
    };
    return (frame && trackFromMpegAudioFrame(frame, identity)) ?? track;
  }

  #earliest(): TrackPass | undefined {
    let best: TrackPass | undefined;
    for (const trackPass of this.#trackPasses) {
      if (!trackPass.walk.isDone && (!best || trackPass.walk.dtsTicks < best.walk.dtsTicks)) best = trackPass;
    }
    return best;
  }

  #emitSample(trackPass: TrackPass, sample: Uint8Array): void {
    const { walk, assembler } = trackPass;
    let data = sample;
    let isRandomAccess = true;
    const { descriptionIndex: description, movieTrack } = walk;
    const described = description === trackPass.description ? undefined : movieTrack.descriptions?.get(description);
    trackPass.description = description;
    if (described) trackPass.described = described;
    // Only frames state the format of MPEG audio.
    if (!assembler && described && described.codec !== 'mp3' && !isSameFormat(described, trackPass.track)) {
      trackPass.track = described;
      this.#sink.tracks(this.#trackPasses.map((other) => other.track));
    }
    if (assembler) {
      if (described) assembler.configure(described.decoderConfig);
      const picture = assembler.assembleSample(sample, walk.movieTrack.nalLengthBytes);
      if (!picture) return;
      ({ data, isRandomAccess } = picture);
      this.#follow(trackPass, assembler);
    }
    const bias = this.#biasTicks;
    this.#sink.accessUnit({
      trackId: trackPass.track.id,
      dtsTicks: walk.dtsTicks + bias,
      ptsTicks: walk.ptsTicks + bias,
      isRandomAccess,
      data,
    });
  }

  /** Adopts the format from the assembler, because parameter sets in the samples may change it. */
  #follow(trackPass: TrackPass, assembler: H264Assembler | H265Assembler): void {
    const { track } = assembler;
    if (
      !track ||
      (track.codecString === trackPass.track.codecString &&
        Buffer.compare(track.decoderConfig, trackPass.track.decoderConfig) === 0)
    )
      return;
    trackPass.track = withDisplayOf(track, trackPass.described);
    this.#sink.tracks(this.#trackPasses.map((other) => other.track));
  }
}

function assemblerOf(
  movieTrack: MovieTrack,
  problem: (problem: FormatProblem) => void,
): H264Assembler | H265Assembler | undefined {
  const { track } = movieTrack;
  if (track.content === 'audio') return undefined;
  const options = {
    trackId: track.id,
    problem,
    ...(track.sourceId === undefined ? {} : { sourceId: track.sourceId }),
    ...(track.language === undefined ? {} : { language: track.language }),
  };
  const assembler = track.codec === 'h264' ? new H264Assembler(options) : new H265Assembler(options);
  assembler.configure(track.decoderConfig);
  return assembler;
}
