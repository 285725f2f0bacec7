import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { FeedDescription, FeedStream } from '../../lib/feed/feed-description.ts';
import type { FeedRecord } from '../../lib/feed/feed-record.ts';
import { INPUT_TIMESCALE, type AccessUnit, type MediaSink } from '../../media/access-unit.ts';
import { leftOutProblem } from '../../media/left-out.ts';
import type { Track } from '../../media/track.ts';
import { isSupported, createPacketReader } from './create-packet-reader.ts';
import type { UnitReceiver, PacketReader } from './packet-reader.ts';
import { unitTicksOf } from '../../media/timing/unit-ticks.ts';
import { PacketTimes } from './packet-times.ts';

/** Maximum media time for which the first tracks wait for further tracks. */
const WAIT_TICKS = INPUT_TIMESCALE;
const MAX_WAITING_BYTES = 8 << 20;
const MAX_TRACKS = 16;

interface FeedTrack {
  readonly content: FeedStream['content'];
  readonly codec: string;
  readonly reader: PacketReader;
  times: PacketTimes;
  readonly receive: UnitReceiver;
  /** First packet, while its time is unknown. */
  pending: Uint8Array | undefined;
}

/** Converts the packets of a feed to tracks and access units. */
export class FeedUnits {
  readonly #sink: MediaSink;
  readonly #feedTracks = new Map<number, FeedTrack>();
  readonly #refused = new Set<string>();
  /** Whether the container may get further streams. */
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
    return this.#feedTracks.size === 0 && !this.#isOpen;
  }

  /** Names of unsupported codecs, for messages to the operator. */
  get refused(): readonly string[] {
    return [...this.#refused];
  }

  /** Processes the stream list of the container. */
  describe({ isOpen, streams }: FeedDescription): void {
    this.#isOpen = isOpen;
    for (const stream of streams) {
      const feedTrack = this.#feedTracks.get(stream.index);
      if (feedTrack?.codec === stream.codec && feedTrack.content === stream.content) feedTrack.reader.describe(stream);
      else if (isSupported(stream) && this.#feedTracks.size < MAX_TRACKS)
        this.#feedTracks.set(stream.index, this.#createFeedTrack(stream, feedTrack));
      else this.#refuse(stream);
    }
  }

  /** Processes a packet. */
  unit({ streamIndex, dtsTicks, ptsTicks, data }: FeedRecord): void {
    const feedTrack = this.#feedTracks.get(streamIndex);
    if (!feedTrack) return;
    const { times, reader } = feedTrack;
    const unitTicks = unitTicksOf(reader.track);
    if (!times.settle(dtsTicks, ptsTicks, unitTicks)) {
      feedTrack.pending ??= Uint8Array.from(data);
      return;
    }
    if (feedTrack.pending) {
      const { pending } = feedTrack;
      feedTrack.pending = undefined;
      reader.push(pending, Number.NaN, times.before(unitTicks), feedTrack.receive);
    }
    reader.push(data, times.dtsTicks, times.ptsTicks, feedTrack.receive);
  }

  /** Emits the waiting units, at the end of the input. */
  flush(): void {
    if (!this.#announced && this.#waiting.length > 0) this.#announce();
  }

  /** Processes a restart of the source: the next packets have new times. */
  restart(): void {
    this.flush();
    for (const feedTrack of this.#feedTracks.values()) {
      feedTrack.reader.restart();
      feedTrack.times = new PacketTimes();
    }
  }

  #createFeedTrack(stream: FeedStream, before: FeedTrack | undefined): FeedTrack {
    const trackId = before?.reader.track?.id ?? this.#nextId(stream.content === 'video' ? 'v' : 'a');
    const reader = createPacketReader(stream, {
      trackId,
      problem: (problem) => {
        this.#sink.problem(problem);
      },
    });
    const receive: UnitReceiver = (data, dtsTicks, ptsTicks, isRandomAccess) => {
      this.#emit(reader, { trackId, dtsTicks, ptsTicks, isRandomAccess, data });
    };
    return {
      content: stream.content,
      codec: stream.codec,
      reader,
      times: new PacketTimes(),
      receive,
      pending: undefined,
    };
  }

  #nextId(letter: string): string {
    const content = letter === 'v' ? 'video' : 'audio';
    const count = [...this.#feedTracks.values()].filter((feedTrack) => feedTrack.content === content).length;
    return `${letter}${count + 1}`;
  }

  #refuse({ content, codec }: FeedStream): void {
    if (content === 'other' || this.#refused.has(codec)) return;
    this.#refused.add(codec);
    this.#sink.problem(leftOutProblem(content, codec, because('place_input')));
  }

  /** Emits an access unit, or stores a copy until the tracks are announced. */
  #emit(reader: PacketReader, unit: AccessUnit): void {
    const { track } = reader;
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
    const feedTracks = [...this.#feedTracks.values()];
    if (feedTracks.some(({ reader }) => reader.track === undefined)) return false;
    // A container without a complete list of streams may get a stream of the other kind later.
    return (
      !this.#isOpen ||
      (feedTracks.some(({ content }) => content === 'video') && feedTracks.some(({ content }) => content === 'audio'))
    );
  }

  #announce(): void {
    const tracks = [...this.#feedTracks.values()].flatMap(({ reader }) => reader.track ?? []);
    this.#announced = tracks.sort((a, b) => (a.content === b.content ? 0 : a.content === 'video' ? -1 : 1));
    this.#sink.tracks(this.#announced);
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    for (const unit of waiting) this.#sink.accessUnit(unit);
  }
}
