import { INPUT_TIMESCALE, type AccessUnit } from '../../media/access-unit.ts';
import { frameSamples } from '../../media/codecs/frame-samples.ts';
import { SampleCount } from '../../media/timing/sample-count.ts';
import { MpegTsReader, type KnownProgram } from '../../media/containers/mpegts/reader.ts';
import { isSameFormat, type Track } from '../../media/track.ts';
import type { FileRefusal } from './file-index.ts';
import { ListedSamples } from './listed-samples.ts';
import type { ListedTransport } from './track-facts.ts';

/** Units of all tracks that are listed. */
const MAX_LISTED = 1 << 22;
/** A longer step of time is none of one recording: another one begins there. */
const MAX_BACK_TICKS = INPUT_TIMESCALE / 2;
const MAX_AHEAD_TICKS = 10 * INPUT_TIMESCALE;
/** Reads that gave units before the one that gave a unit, from which its packets and a time stamp for it may come. */
const EARLIER_READS = 3;

/** The way through a transport stream that finds the places, times and sizes of its access units. Nothing of the media is kept. */
export class TsScan {
  readonly #lists = new Map<string, ScannedTrack>();
  /** What is added to times, from the first recording in the file to the last: found by the track that comes there first. */
  readonly #shifts: number[] = [0];
  #position = 0;
  #left = MAX_LISTED;
  #strideBytes: number | undefined;
  /** Why the file cannot be played; undefined while it can. */
  refusal: FileRefusal | undefined;
  /** Why nothing was found, for the operator. */
  reason = 'It has neither pictures nor sound that can be read.';

  readonly #reader = new MpegTsReader({
    tracks: (tracks) => {
      for (const track of tracks) this.#take(track);
    },
    accessUnit: (unit) => {
      if (this.#left-- > 0) this.#lists.get(unit.trackId)?.add(unit, this.#position);
    },
    splice: () => undefined,
    problem: ({ code, detail }) => {
      if (code === 'codec_unknown' || code === 'ts_scrambled' || code === 'input_no_tracks')
        this.reason = detail.endsWith('.') ? detail : `${detail}.`;
    },
  });

  /** Takes the next bytes. @param position where they lie in the file */
  push(bytes: Uint8Array, position: number): void {
    this.#position = position;
    this.#reader.push(bytes);
    // 0 in a hole, until the packets are found again.
    this.#strideBytes = this.#reader.stats.strideBytes || this.#strideBytes;
  }

  /** The file ends. */
  end(): void {
    this.#reader.flush();
    for (const list of this.#lists.values()) list.end();
  }

  /** What a reader from the middle needs to know; undefined where there is no programme. */
  get program(): KnownProgram | undefined {
    const map = this.#reader.programMap;
    const configs = this.tracks.flatMap(({ track }) =>
      track.sourceId === undefined ? [] : [[track.sourceId, track.decoderConfig] as const],
    );
    return map && { map, configs: new Map(configs) };
  }

  /** Distance of packets in bytes where they were found last; undefined before. */
  get strideBytes(): number | undefined {
    return this.#strideBytes;
  }

  /** Tracks that have units. */
  get tracks(): readonly ScannedTrack[] {
    return [...this.#lists.values()].filter(({ samples }) => samples.count > 0);
  }

  /** The earliest time at which something is presented. */
  get startTicks(): number {
    return Math.min(...this.tracks.map(({ firstTicks }) => firstTicks));
  }

  #take(track: Track): void {
    const known = this.#lists.get(track.id);
    if (!known) this.#lists.set(track.id, new ScannedTrack(track, this.#shifts));
    else if (!isSameFormat(known.track, track))
      this.refusal ??= {
        code: 'vod_file_not_supported',
        detail: `${track.id} goes on in another format inside the file.`,
      };
  }
}

interface HeldUnit {
  readonly offset: number;
  readonly unit: Omit<AccessUnit, 'data'>;
  /** When it is decoded: of sound by its samples. */
  readonly dtsTicks: number;
  readonly sizeBytes: number;
}

/** A track of a transport stream, with its access units. */
export class ScannedTrack {
  readonly track: Track;
  /** Their `offset` is where reading has to begin for the unit to be whole. Of sound, their composition offset leads to the time that the file states. */
  readonly samples = new ListedSamples();
  /** Presentation time of the first one. */
  firstTicks = Infinity;
  readonly #shifts: number[];
  /** Number of the first unit of each recording in the file. */
  readonly #starts: number[] = [0];
  /** Where the last reads began that gave units, the newest last. */
  readonly #reads: number[] = [];
  /** The newest one, until the next says how long it lasts. */
  #last: HeldUnit | undefined;
  #stepTicks = 0;
  /** Sound is counted in ticks of the file; undefined for pictures. */
  readonly #count: SampleCount | undefined;
  /** End of the last frame of sound by its samples. */
  #nextTicks: number | undefined;

  constructor(track: Track, shifts: number[]) {
    this.track = track;
    this.#count = track.content === 'audio' ? new SampleCount(INPUT_TIMESCALE) : undefined;
    this.#shifts = shifts;
  }

  /** Adds the next unit. @param position where the read began that gave it */
  add({ data, ...unit }: AccessUnit, position: number): void {
    const reads = this.#reads;
    if (reads.at(-1) !== position) reads.push(position);
    if (reads.length > EARLIER_READS + 1) reads.shift();
    const offset = reads.length > EARLIER_READS ? (reads[0] ?? 0) : 0;
    const recordings = this.#starts.length;
    const shifted = this.#shifted(unit);
    const dtsTicks = this.#placed(shifted.dtsTicks, data, this.#starts.length > recordings);
    if (this.#last) this.#write(this.#last, Math.max(0, dtsTicks - this.#last.dtsTicks));
    this.firstTicks = Math.min(this.firstTicks, shifted.ptsTicks);
    this.#last = { offset, unit: shifted, dtsTicks, sizeBytes: data.length };
  }

  /** Decoding time of a unit: of sound, whose times come in bursts and jitter, by its samples. */
  #placed(statedTicks: number, data: Uint8Array, isNewRecording: boolean): number {
    const { track } = this;
    const count = this.#count;
    if (!count || track.content !== 'audio') return statedTicks;
    const lengthTicks = (frameSamples(track, data) * INPUT_TIMESCALE) / track.sampleRate;
    const next = this.#nextTicks;
    if (next === undefined || isNewRecording) count.reset();
    const exact =
      next === undefined || isNewRecording
        ? Math.max(statedTicks, next ?? statedTicks)
        : count.place(statedTicks, next, lengthTicks);
    count.placed(statedTicks, lengthTicks);
    this.#nextTicks = exact + lengthTicks;
    return Math.round(exact);
  }

  /** No more come. */
  end(): void {
    if (this.#last) this.#write(this.#last, this.#stepTicks);
    this.#last = undefined;
  }

  /** The recordings in it. */
  get recordings(): ListedTransport['recordings'] {
    return this.#starts.map((first, index) => ({ first, shiftTicks: this.#shifts[index] ?? 0 }));
  }

  #write({ offset, unit, dtsTicks, sizeBytes }: HeldUnit, durationTicks: number): void {
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

  /** A unit with its times behind those of the recordings before it: where one begins the clock of the file jumps, in each track at its own unit. */
  #shifted(unit: Omit<AccessUnit, 'data'>): Omit<AccessUnit, 'data'> {
    const shifts = this.#shifts;
    const last = this.#last?.unit.dtsTicks;
    let recording = this.#starts.length - 1;
    const delta = last === undefined ? 0 : unit.dtsTicks + (shifts[recording] ?? 0) - last;
    if (last !== undefined && (delta < -MAX_BACK_TICKS || delta > MAX_AHEAD_TICKS)) {
      recording = this.#starts.push(this.samples.count + 1) - 1;
      if (recording === shifts.length) shifts.push(last + this.#stepTicks - unit.dtsTicks);
    }
    const shift = shifts[recording] ?? 0;
    return { ...unit, dtsTicks: unit.dtsTicks + shift, ptsTicks: unit.ptsTicks + shift };
  }
}
