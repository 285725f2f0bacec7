import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { FeedDescription, FeedStream } from '../../lib/feed/feed-description.ts';
import type { FeedRecord } from '../../lib/feed/feed-record.ts';
import { INPUT_TIMESCALE, type AccessUnit, type MediaSink } from '../../media/access-unit.ts';
import { leftOutProblem } from '../../media/left-out.ts';
import type { Track } from '../../media/track.ts';
import { isCarried, makeUnitTrack } from './make-unit-track.ts';
import type { UnitReceiver, UnitTrack } from './unit-track.ts';
import { unitTicksOf } from '../../media/timing/unit-ticks.ts';
import { UnitTimes } from './unit-times.ts';

/** Maximum media time for which the first tracks wait for further tracks. */
const WAIT_TICKS = INPUT_TIMESCALE;
const MAX_WAITING_BYTES = 8 << 20;
const MAX_TRACKS = 16;

interface ListedTrack {
  readonly content: FeedStream['content'];
  readonly codec: string;
  readonly units: UnitTrack;
  times: UnitTimes;
  readonly receive: UnitReceiver;
  /** First packet, while its time is unknown. */
  pending: Uint8Array | undefined;
}

/** Converts the packets of a feed to tracks and access units. */
export class FeedUnits {
  readonly #sink: MediaSink;
  readonly #unitTracks = new Map<number, ListedTrack>();
  readonly #refused = new Set<string>();
  #isOpen = false;
  #announced: readonly Track[] | undefined;
  #waiting: AccessUnit[] = [];
  #waitingBytes = 0;
  #firstTicks = Number.NaN;

  constructor(sink: MediaSink) {
    this.#sink = sink;
  }

  /** Whether the source has no supported track, and cannot get one. */
  get hasNoTracks(): boolean {
    return this.#unitTracks.size === 0 && !this.#isOpen;
  }

  /** Names of unsupported codecs, for messages to the operator. */
  get refused(): readonly string[] {
    return [...this.#refused];
  }

  /** Processes the stream list of the container. */
  describe({ isOpen, streams }: FeedDescription): void {
    this.#isOpen = isOpen;
    for (const stream of streams) {
      const unitTrack = this.#unitTracks.get(stream.index);
      if (unitTrack?.codec === stream.codec && unitTrack.content === stream.content) unitTrack.units.describe(stream);
      else if (isCarried(stream) && this.#unitTracks.size < MAX_TRACKS)
        this.#unitTracks.set(stream.index, this.#makeUnitTrack(stream, unitTrack));
      else this.#refuse(stream);
    }
  }

  /** Processes a packet. */
  unit({ streamIndex, dtsTicks, ptsTicks, data }: FeedRecord): void {
    const unitTrack = this.#unitTracks.get(streamIndex);
    if (!unitTrack) return;
    const { times, units } = unitTrack;
    const unitTicks = unitTicksOf(units.track);
    if (!times.settle(dtsTicks, ptsTicks, unitTicks)) {
      unitTrack.pending ??= Uint8Array.from(data);
      return;
    }
    if (unitTrack.pending) {
      const { pending } = unitTrack;
      unitTrack.pending = undefined;
      units.push(pending, Number.NaN, times.before(unitTicks), unitTrack.receive);
    }
    units.push(data, times.dtsTicks, times.ptsTicks, unitTrack.receive);
  }

  /** Ends the input: waiting units are emitted. */
  flush(): void {
    if (!this.#announced && this.#waiting.length > 0) this.#announce();
  }

  /** The source restarts. */
  restart(): void {
    this.flush();
    for (const unitTrack of this.#unitTracks.values()) {
      unitTrack.units.restart();
      unitTrack.times = new UnitTimes();
    }
  }

  #makeUnitTrack(stream: FeedStream, before: ListedTrack | undefined): ListedTrack {
    const trackId = before?.units.track?.id ?? this.#nextId(stream.content === 'video' ? 'v' : 'a');
    const units = makeUnitTrack(stream, {
      trackId,
      problem: (problem) => {
        this.#sink.problem(problem);
      },
    });
    const receive: UnitReceiver = (data, dtsTicks, ptsTicks, isRandomAccess) => {
      this.#emit(units, { trackId, dtsTicks, ptsTicks, isRandomAccess, data });
    };
    return { content: stream.content, codec: stream.codec, units, times: new UnitTimes(), receive, pending: undefined };
  }

  #nextId(letter: string): string {
    const content = letter === 'v' ? 'video' : 'audio';
    const count = [...this.#unitTracks.values()].filter((unitTrack) => unitTrack.content === content).length;
    return `${letter}${count + 1}`;
  }

  #refuse({ content, codec }: FeedStream): void {
    if (content === 'other' || this.#refused.has(codec)) return;
    this.#refused.add(codec);
    this.#sink.problem(leftOutProblem(content, codec, because('place_input')));
  }

  /** Emits an access unit, or stores a copy until the tracks are announced. */
  #emit(units: UnitTrack, unit: AccessUnit): void {
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
    if (Math.abs(dtsTicks - this.#firstTicks) >= WAIT_TICKS || this.#waitingBytes >= MAX_WAITING_BYTES) return true;
    const unitTracks = [...this.#unitTracks.values()];
    if (unitTracks.some(({ units }) => units.track === undefined)) return false;
    // A container without a list of streams may get a stream of the other kind later.
    return (
      !this.#isOpen ||
      (unitTracks.some(({ content }) => content === 'video') && unitTracks.some(({ content }) => content === 'audio'))
    );
  }

  #announce(): void {
    const tracks = [...this.#unitTracks.values()].flatMap(({ units }) => units.track ?? []);
    this.#announced = tracks.sort((a, b) => (a.content === b.content ? 0 : a.content === 'video' ? -1 : 1));
    this.#sink.tracks(this.#announced);
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    for (const unit of waiting) this.#sink.accessUnit(unit);
  }
}
