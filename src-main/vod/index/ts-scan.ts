import { INPUT_TIMESCALE, type AccessUnit, type LeftOutTrack } from '../../media/access-unit.ts';
import { frameSamples } from '../../media/timing/frame-samples.ts';
import { SampleCount } from '../../media/timing/sample-count.ts';
import { MpegTsReader, type FoundProgram } from '../../media/containers/mpegts/reader.ts';
import { isSameFormat, type Track } from '../../media/track.ts';
import type { FileRefusal } from './file-index.ts';
import { ListedSamples } from './listed-samples.ts';
import type { FormatRun, ListedProgram, ListedTransport } from './track-facts.ts';
import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';

/** Maximum number of units listed in all tracks. */
const MAX_LISTED = 1 << 22;
/** Maximum steps of the times, first backwards, then forwards, inside one recording; a larger step starts another recording. */
const MAX_BACK_TICKS = INPUT_TIMESCALE / 2;
const MAX_AHEAD_TICKS = 10 * INPUT_TIMESCALE;
/** Maximum number of changes of format listed in a track. */
const MAX_FORMATS = 1000;
/** Maximum number of earlier reads that may contain packets and the time stamp of a unit. */
const EARLIER_READS = 3;

/** Scanner of a transport stream: finds offset, time and size of each access unit. It stores no media. */
export class TsScan {
  readonly #lists = new Map<string, ScannedTrack>();
  /** Time offset of each recording, first to last; set by the first track that reaches the recording. */
  readonly #shifts: number[] = [0];
  /** Programmes, first to last. */
  readonly #programs: FoundProgram[] = [];
  #map: FoundProgram['map'] | undefined;
  #position = 0;
  #left = MAX_LISTED;
  #strideBytes: number | undefined;
  /** Reason for refusal; undefined while the file can be played. */
  refusal: FileRefusal | undefined;
  /** Reason for an empty result, for the operator. */
  reason: Explained = because('file_without_media');
  /** Tracks that cannot be played. */
  readonly leftOut: LeftOutTrack[] = [];

  readonly #reader = new MpegTsReader({
    tracks: (tracks) => {
      const hasNewFormat = tracks.filter((track) => this.#take(track)).length > 0;
      this.#learn(hasNewFormat);
    },
    accessUnit: (unit) => {
      if (this.#reader.programMap !== this.#map) this.#learn(false);
      if (this.#left-- > 0) this.#lists.get(unit.trackId)?.add(unit, this.#position);
    },
    splice: () => undefined,
    problem: ({ code, detail, explanation, leftOut = [] }) => {
      this.leftOut.push(...leftOut);
      if (code === 'codec_unknown' || code === 'ts_scrambled' || code === 'input_no_tracks')
        this.reason = { detail, explanation };
    },
  });

  /** Processes the next bytes. @param position offset of the bytes in the file */
  push(bytes: Uint8Array, position: number): void {
    this.#position = position;
    this.#reader.push(bytes);
    // The stride is 0 in a damaged range until packets are found again.
    this.#strideBytes = this.#reader.stats.strideBytes || this.#strideBytes;
  }

  /** Reports the end of the file. */
  end(): void {
    this.#reader.flush();
    for (const list of this.#lists.values()) list.end();
  }

  /** Programme at the end of the file, for readers that start in the middle of the file; undefined without a programme. */
  get program(): FoundProgram | undefined {
    return this.#programs.at(-1);
  }

  /** Distance of the last packets in bytes; undefined before the first packets. */
  get strideBytes(): number | undefined {
    return this.#strideBytes;
  }

  /** Tracks with at least one unit. */
  get tracks(): readonly ScannedTrack[] {
    return [...this.#lists.values()].filter(({ samples }) => samples.count > 0);
  }

  /** Earliest presentation time. */
  get startTicks(): number {
    return Math.min(...this.tracks.map(({ firstTicks }) => firstTicks));
  }

  /** Returns whether the track changes its format. */
  #take(track: Track): boolean {
    const list = this.#lists.get(track.id);
    if (list) {
      if (list.formats.length >= MAX_FORMATS)
        this.refusal ??= {
          code: 'vod_file_not_supported',
          ...because('file_format_changes', { track: track.id, count: MAX_FORMATS }),
        };
      return list.change(track);
    }
    this.#lists.set(track.id, new ScannedTrack(track, this.#shifts, this.#programs, () => this.#newestTicks));
    return false;
  }

  /** Decoding time of the newest unit of all tracks; undefined before the first. */
  get #newestTicks(): number | undefined {
    const newest = Math.max(...[...this.#lists.values()].map(({ newestTicks = -Infinity }) => newestTicks));
    return newest === -Infinity ? undefined : newest;
  }

  /** Adds the programme to the list, or updates its last entry, because formats become known only after the map. */
  #learn(hasNewFormat: boolean): void {
    const { program } = this.#reader;
    if (!program) return;
    this.#map = program.map;
    const last = this.#programs.at(-1);
    if (!last || hasNewFormat || !isSameMap(last.map, program.map)) this.#programs.push(program);
    else this.#programs[this.#programs.length - 1] = program;
  }
}

/** Whether the streams of two maps have the same packet identifiers. */
function isSameMap(one: FoundProgram['map'], other: FoundProgram['map']): boolean {
  const pids = (map: FoundProgram['map']): string => map.streams.map(({ pid }) => pid).join();
  return pids(one) === pids(other);
}

interface PendingUnit {
  readonly offset: number;
  readonly unit: Omit<AccessUnit, 'data'>;
  /** Decoding time; for audio by its sample count. */
  readonly dtsTicks: number;
  readonly sizeBytes: number;
}

/** Transport stream track with its access units. */
export class ScannedTrack {
  /** Track in its first format. */
  readonly track: Track;
  /** Later formats, with the timescale of the first one. */
  readonly formats: FormatRun[] = [];
  /** Formats of the next and of the last unit, as the stream states them. */
  #format: Track;
  #listed: Track;
  /**
   * `offset` is the position at which reading must start to get the complete unit. For audio, decoding time plus composition
   * offset is the time stated in the file.
   */
  readonly samples = new ListedSamples();
  /** Presentation time of the first unit. */
  firstTicks = Infinity;
  readonly #shifts: number[];
  /** Offset added to all times: 0 unless the clock of the track is far from the clock of the other tracks. */
  #offsetTicks = 0;
  readonly #othersTicks: () => number | undefined;
  readonly #programs: readonly FoundProgram[];
  readonly #changes: ListedProgram[] = [];
  /** Number of the first unit of each recording. */
  readonly #starts: number[] = [0];
  /** Offsets of the last reads that produced units, newest last. */
  readonly #reads: number[] = [];
  /** Newest unit, until the next unit determines its duration. */
  #last: PendingUnit | undefined;
  #stepTicks = 0;
  /** Audio counts samples in ticks of the file; undefined for video. */
  readonly #count: SampleCount | undefined;
  /** End of the last audio frame by sample count. */
  #nextTicks: number | undefined;

  constructor(
    track: Track,
    shifts: number[],
    programs: readonly FoundProgram[],
    othersTicks: () => number | undefined,
  ) {
    this.track = this.#format = this.#listed = track;
    this.#othersTicks = othersTicks;
    this.#programs = programs;
    this.#count = track.content === 'audio' ? new SampleCount(INPUT_TIMESCALE) : undefined;
    this.#shifts = shifts;
  }

  /** Decoding time of the newest unit; undefined before the first. */
  get newestTicks(): number | undefined {
    return this.#last?.unit.dtsTicks;
  }

  /** Sets the format of the next unit. Returns whether it differs from the format of the last unit. */
  change(track: Track): boolean {
    if (isSameFormat(this.#format, track)) return false;
    this.#format = track;
    return true;
  }

  /** Adds the next unit. @param position offset of the read that completed it */
  add({ data, ...unit }: AccessUnit, position: number): void {
    const reads = this.#reads;
    if (reads.at(-1) !== position) reads.push(position);
    if (reads.length > EARLIER_READS + 1) reads.shift();
    const offset = reads.length > EARLIER_READS ? (reads[0] ?? 0) : 0;
    if (!this.#last) this.#join(unit.dtsTicks);
    const recordings = this.#starts.length;
    const shifted = this.#shifted(unit);
    const dtsTicks = this.#decodingTicks(shifted.dtsTicks, data, this.#starts.length > recordings);
    if (this.#last) this.#write(this.#last, Math.max(0, dtsTicks - this.#last.dtsTicks));
    const hasNewFormat = this.#listFormat();
    const program = this.#programs.at(-1);
    if (program && program !== this.#changes.at(-1)?.program) this.#list(program, hasNewFormat);
    this.firstTicks = Math.min(this.firstTicks, shifted.ptsTicks);
    this.#last = { offset, unit: shifted, dtsTicks, sizeBytes: data.length };
  }

  /** Decoding time of a unit; audio is timed by its sample count, because its time stamps come in bursts and jitter. */
  #decodingTicks(statedTicks: number, data: Uint8Array, isNewRecording: boolean): number {
    const track = this.#format;
    const count = this.#count;
    if (!count || track.content !== 'audio') return statedTicks;
    const lengthTicks = (frameSamples(track, data) * INPUT_TIMESCALE) / track.sampleRate;
    const next = this.#nextTicks;
    if (next === undefined || isNewRecording) count.reset();
    const exact =
      next === undefined || isNewRecording
        ? Math.max(statedTicks, next ?? statedTicks)
        : count.outputTicks(statedTicks, next, lengthTicks);
    count.record(statedTicks, lengthTicks);
    this.#nextTicks = exact + lengthTicks;
    return Math.round(exact);
  }

  /** Reports the end of the file. */
  end(): void {
    if (this.#last) this.#write(this.#last, this.#stepTicks);
    this.#last = undefined;
  }

  /** Lists the format of the next unit. Returns whether it differs from the format of the last unit. */
  #listFormat(): boolean {
    if (this.#format === this.#listed || isSameFormat(this.#format, this.#listed)) return false;
    this.#listed = this.#format;
    this.formats.push({ first: this.samples.count, track: { ...this.#format, timescale: this.track.timescale } });
    return true;
  }

  #list(program: FoundProgram, hasNewFormat: boolean): void {
    const changes = this.#changes;
    const last = changes.at(-1);
    if (last && !hasNewFormat && isSameMap(last.program.map, program.map))
      changes[changes.length - 1] = { ...last, program };
    else changes.push({ first: this.samples.count, program });
  }

  get transport(): ListedTransport {
    const recordings = this.#starts.map((first, index) => ({ first, shiftTicks: this.#shiftOf(index) }));
    return { trackId: this.track.id, programs: this.#changes, recordings };
  }

  #write({ offset, unit, dtsTicks, sizeBytes }: PendingUnit, durationTicks: number): void {
    const { ptsTicks, isRandomAccess: isSync } = unit;
    if (durationTicks > 0) this.#stepTicks = durationTicks;
    this.samples.add({
      offset,
      sizeBytes,
      dtsTicks,
      compositionOffsetTicks: ptsTicks - dtsTicks,
      durationTicks,
      isSync,
    });
  }

  /** Places the first unit of the track in the current recording, at the time of the other tracks. */
  #join(dtsTicks: number): void {
    while (this.#starts.length < this.#shifts.length) this.#starts.push(0);
    const others = this.#othersTicks();
    const ahead = others === undefined ? 0 : dtsTicks + this.#shiftOf(this.#starts.length - 1) - others;
    if (Math.abs(ahead) > MAX_AHEAD_TICKS) this.#offsetTicks = -ahead;
  }

  #shiftOf(recording: number): number {
    return (this.#shifts[recording] ?? 0) + this.#offsetTicks;
  }

  /**
   * Unit with its times moved after those of earlier recordings. At a new recording the clock of the file jumps, in each track at
   * its own unit.
   */
  #shifted(unit: Omit<AccessUnit, 'data'>): Omit<AccessUnit, 'data'> {
    const shifts = this.#shifts;
    const last = this.#last?.unit.dtsTicks;
    let recording = this.#starts.length - 1;
    const delta = last === undefined ? 0 : unit.dtsTicks + this.#shiftOf(recording) - last;
    if (last !== undefined && (delta < -MAX_BACK_TICKS || delta > MAX_AHEAD_TICKS)) {
      recording = this.#starts.push(this.samples.count + 1) - 1;
      if (recording === shifts.length) shifts.push(last + this.#stepTicks - unit.dtsTicks - this.#offsetTicks);
    }
    const shift = this.#shiftOf(recording);
    return { ...unit, dtsTicks: unit.dtsTicks + shift, ptsTicks: unit.ptsTicks + shift };
  }
}
