import type { FeedDescription, FeedStream } from '../../lib/feed-description.ts';
import type { FeedRecord } from '../../lib/feed-reader.ts';
import { INPUT_TIMESCALE, type AccessUnit, type MediaSink } from '../../media/access-unit.ts';
import type { Track } from '../../media/track.ts';
import { isCarried, makeLane } from './make-lane.ts';
import type { LaneReceiver, UnitLane } from './unit-lane.ts';
import { unitTicksOf } from './unit-ticks.ts';
import { UnitTimes } from './unit-times.ts';

/** Media time that the first tracks may wait for the others. */
const WAIT_TICKS = INPUT_TIMESCALE;
const MOST_WAITING_BYTES = 8 << 20;
const MOST_LANES = 16;

interface Lane {
  readonly content: FeedStream['content'];
  readonly codec: string;
  readonly units: UnitLane;
  times: UnitTimes;
  readonly receive: LaneReceiver;
  /** First packet, whose time is not yet known. */
  held: Uint8Array | undefined;
}

/** Turns the packets of a feed into tracks and access units. */
export class FeedUnits {
  readonly #sink: MediaSink;
  readonly #lanes = new Map<number, Lane>();
  readonly #refused = new Set<string>();
  #isOpen = false;
  #announced: readonly Track[] | undefined;
  #waiting: AccessUnit[] = [];
  #waitingBytes = 0;
  #firstTicks = Number.NaN;

  constructor(sink: MediaSink) {
    this.#sink = sink;
  }

  /** Whether there is nothing that could be carried, and will not be. */
  get isBarren(): boolean {
    return this.#lanes.size === 0 && !this.#isOpen;
  }

  /** Codecs that were left out, for the operator. */
  get refused(): readonly string[] {
    return [...this.#refused];
  }

  /** Takes what the container says of its streams. */
  describe({ isOpen, streams }: FeedDescription): void {
    this.#isOpen = isOpen;
    for (const stream of streams) {
      const lane = this.#lanes.get(stream.index);
      if (lane?.codec === stream.codec && lane.content === stream.content) lane.units.describe(stream);
      else if (isCarried(stream) && this.#lanes.size < MOST_LANES)
        this.#lanes.set(stream.index, this.#makeLane(stream, lane));
      else this.#refuse(stream);
    }
  }

  /** Takes a packet. */
  unit({ streamIndex, dtsTicks, ptsTicks, data }: FeedRecord): void {
    const lane = this.#lanes.get(streamIndex);
    if (!lane) return;
    const { times, units } = lane;
    const unitTicks = unitTicksOf(units.track);
    if (!times.settle(dtsTicks, ptsTicks, unitTicks)) {
      lane.held ??= Uint8Array.from(data);
      return;
    }
    if (lane.held) {
      const { held } = lane;
      lane.held = undefined;
      units.push(held, Number.NaN, times.before(unitTicks), lane.receive);
    }
    units.push(data, times.dtsTicks, times.ptsTicks, lane.receive);
  }

  /** Nothing more comes: what waits for other tracks waits no longer. */
  flush(): void {
    if (!this.#announced && this.#waiting.length > 0) this.#announce();
  }

  /** The source begins again. */
  restart(): void {
    this.flush();
    for (const lane of this.#lanes.values()) {
      lane.units.restart();
      lane.times = new UnitTimes();
    }
  }

  #makeLane(stream: FeedStream, before: Lane | undefined): Lane {
    const trackId = before?.units.track?.id ?? this.#nextId(stream.content === 'video' ? 'v' : 'a');
    const units = makeLane(stream, {
      trackId,
      problem: (problem) => {
        this.#sink.problem(problem);
      },
    });
    const receive: LaneReceiver = (data, dtsTicks, ptsTicks, isRandomAccess) => {
      this.#give(units, { trackId, dtsTicks, ptsTicks, isRandomAccess, data });
    };
    return { content: stream.content, codec: stream.codec, units, times: new UnitTimes(), receive, held: undefined };
  }

  #nextId(letter: string): string {
    const content = letter === 'v' ? 'video' : 'audio';
    const count = [...this.#lanes.values()].filter((lane) => lane.content === content).length;
    return `${letter}${count + 1}`;
  }

  #refuse({ content, codec }: FeedStream): void {
    if (content === 'other' || this.#refused.has(codec)) return;
    this.#refused.add(codec);
    this.#sink.problem({ code: 'codec_unknown', detail: `The input has a track of ${codec}, which is left out.` });
  }

  /** Hands on an access unit, or keeps a copy until the tracks are announced. */
  #give(units: UnitLane, unit: AccessUnit): void {
    const { track } = units;
    if (!track) return;
    if (this.#announced || this.#isComplete(unit.dtsTicks)) {
      if (!this.#announced?.includes(track)) this.#announce();
      this.#sink.accessUnit(unit);
      return;
    }
    this.#waiting.push({ ...unit, data: Uint8Array.from(unit.data) });
    this.#waitingBytes += unit.data.length;
  }

  #isComplete(dtsTicks: number): boolean {
    if (Number.isNaN(this.#firstTicks)) this.#firstTicks = dtsTicks;
    if (Math.abs(dtsTicks - this.#firstTicks) >= WAIT_TICKS || this.#waitingBytes >= MOST_WAITING_BYTES) return true;
    const lanes = [...this.#lanes.values()];
    if (lanes.some(({ units }) => units.track === undefined)) return false;
    // A container without a list may still bring the other kind.
    return (
      !this.#isOpen ||
      (lanes.some(({ content }) => content === 'video') && lanes.some(({ content }) => content === 'audio'))
    );
  }

  #announce(): void {
    const tracks = [...this.#lanes.values()].flatMap(({ units }) => units.track ?? []);
    this.#announced = tracks.sort((a, b) => (a.content === b.content ? 0 : a.content === 'video' ? -1 : 1));
    this.#sink.tracks(this.#announced);
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    for (const unit of waiting) this.#sink.accessUnit(unit);
  }
}
