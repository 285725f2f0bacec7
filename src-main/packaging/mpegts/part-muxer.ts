import { MpegTsWriter } from '../../media/containers/mpegts/writer.ts';
import { isSameFormat, type Track } from '../../media/track.ts';
import type { FedPart, PartFeed } from '../part-feed.ts';
import { mergeByTime, toSystemTicks, unitsOf, type QueuedUnit } from './interleave.ts';

/** Methods of the feed that the muxer needs. */
export type MuxedFeed = Pick<PartFeed, 'trackIds' | 'skewMs' | 'trackAt'>;

/** Properties of a part that the muxer needs. */
export interface MuxedPart extends Pick<FedPart, 'trackId' | 'track' | 'shiftMs' | 'isDiscontinuity'> {
  readonly entry: Pick<FedPart['entry'], 'msn'>;
  readonly part: Pick<FedPart['part'], 'startTicks' | 'durationTicks'>;
}

/** Ticks of MPEG-2 systems per millisecond. */
const TICKS_OF_MS = 90;
/**
 * Maximum jump of time that is not a discontinuity for a decoder, in 90 kHz ticks: the interval of clock references.
 */
const MAX_STEP_TICKS = 9000;

/** Transport stream packets, with a mark if a player can join with them. */
export interface TsChunk {
  readonly bytes: Uint8Array;
  /** True if the first picture is a random access point, preceded by the tables. */
  readonly isEntry: boolean;
}

/** Units of one track that wait for the other tracks. */
interface Queue {
  readonly track: Track;
  units: QueuedUnit[];
  /** End of the queued units, in 90 kHz ticks. */
  endTicks: number;
}

/**
 * Muxes the parts of a feed into one transport stream, in decoding order. Its time starts with the time of the first
 * media, and continues like the timeline of the window: the times of later periods are shifted. Counters continue
 * throughout; the first clock reference after a jump of time is marked (`discontinuity_indicator`, ISO/IEC 13818-1,
 * 2.4.3.5), and a change of format is preceded by new tables.
 */
export class PartMuxer {
  readonly #feed: MuxedFeed;
  readonly #queues = new Map<string, Queue>();
  #writer: MpegTsWriter | undefined;
  #firstShiftMs: number | undefined;
  #startTicks = 0;
  /** Number of the segment with the last discontinuity. */
  #cutMsn = -1;

  constructor(feed: MuxedFeed) {
    this.#feed = feed;
  }

  /**
   * Adds the next part of the feed and its bytes, which must stay readable until they are muxed. Returns the packets
   * that precede the part.
   */
  add(fed: MuxedPart, bytes: Uint8Array): TsChunk[] {
    const { part, track, trackId } = fed;
    this.#firstShiftMs ??= fed.shiftMs;
    const shiftTicks = (fed.shiftMs - this.#firstShiftMs) * TICKS_OF_MS;
    const startTicks = toSystemTicks(part.startTicks, track.timescale) + shiftTicks;
    const chunks: TsChunk[] = [];
    if (fed.isDiscontinuity && fed.entry.msn > this.#cutMsn) chunks.push(...this.#cut(fed.entry.msn, startTicks));
    this.#startTicks = startTicks;
    const existing = this.#queues.get(trackId);
    const hasOthers = this.#queues.size !== this.#feed.trackIds.length;
    if (!existing || hasOthers || !isSameFormat(existing.track, { ...track, id: trackId }))
      chunks.push(...this.#changeTracks(fed));
    const queue = this.#queues.get(trackId);
    if (!queue) return chunks;
    queue.units.push(...unitsOf(trackId, track.timescale, bytes, shiftTicks));
    queue.endTicks = startTicks + toSystemTicks(part.durationTicks, track.timescale);
    return chunks;
  }

  /** Returns packets up to the time that all tracks have reached; tracks that are too late do not count. */
  ready(): TsChunk[] {
    const ends = [...this.#queues.values()].map(({ endTicks }) => endTicks);
    if (ends.length === 0) return [];
    const newest = Math.max(...ends);
    const skew = this.#feed.skewMs * TICKS_OF_MS;
    // Parts come in order, so later parts start after the last one.
    return this.#mux(Math.max(this.#startTicks, Math.min(...ends.filter((end) => end > newest - skew))));
  }

  /** Returns the packets of all waiting units. */
  remaining(): TsChunk[] {
    return this.#mux(Infinity);
  }

  /** Starts a discontinuity: returns the packets before it. */
  #cut(msn: number, startTicks: number): TsChunk[] {
    this.#cutMsn = msn;
    const ends = [...this.#queues.values()].map(({ endTicks }) => endTicks);
    const chunks = this.remaining();
    if (ends.length > 0 && Math.abs(startTicks - Math.max(...ends)) > MAX_STEP_TICKS) this.#writer?.startTimeline();
    return chunks;
  }

  /** Starts new tables; counters continue. */
  #changeTracks(fed: MuxedPart): TsChunk[] {
    const chunks = this.remaining();
    const before = new Map(this.#queues);
    this.#queues.clear();
    for (const id of this.#feed.trackIds) {
      const earlier = before.get(id);
      const track = id === fed.trackId ? fed.track : (earlier?.track ?? this.#feed.trackAt(id, fed.entry.msn));
      const endTicks = earlier?.endTicks ?? this.#startTicks;
      if (track) this.#queues.set(id, { track: { ...track, id }, units: [], endTicks });
    }
    const tracks = [...this.#queues.values()].map(({ track }) => track);
    if (this.#writer) this.#writer.setTracks(tracks);
    else this.#writer = new MpegTsWriter(tracks);
    return chunks;
  }

  #mux(untilTicks: number): TsChunk[] {
    const [leader] = [...this.#queues.values()].map(({ track }) => track);
    const writer = this.#writer;
    const ready = [...this.#queues.values()].map((queue) => {
      const count = queue.units.findIndex(({ dtsTicks }) => dtsTicks >= untilTicks);
      return queue.units.splice(0, count < 0 ? queue.units.length : count);
    });
    const units = mergeByTime(ready);
    if (!writer || !leader || units.length === 0) return [];
    const isVideo = leader.content === 'video';
    const chunks: TsChunk[] = [];
    let isEntry = !isVideo;
    const cut = (): void => {
      writer.flush();
      if (writer.length > 0) chunks.push({ bytes: writer.take(), isEntry });
    };
    for (const unit of units) {
      if (isVideo && unit.trackId === leader.id && unit.isRandomAccess) {
        cut();
        writer.startSegment();
        isEntry = true;
      }
      writer.accessUnit(unit);
    }
    cut();
    return chunks;
  }
}
