import { MpegTsWriter } from '../../media/containers/mpegts/writer.ts';
import type { Track } from '../../media/track.ts';
import { bytesInMemory } from '../../segment/media-bytes.ts';
import type { SegmentWindow } from '../../segment/segment-window.ts';
import { hasMedia } from '../hls/media-playlist.ts';
import { tracksOfTs } from '../hls/ts-playlist.ts';
import { mergeByTime, toSystemTicks, unitsOf, type QueuedUnit } from './interleave.ts';

/** A track that lags further behind than this is not waited for, in 90 kHz ticks. */
const MAX_SKEW_TICKS = 135_000;

interface TrackPosition {
  msn: number;
  partIndex: number;
  queue: QueuedUnit[];
  /** End of what was queued, in 90 kHz ticks. */
  endTicks: number;
}

/** Transport stream packets, and whether a player may join with them. */
export interface TsChunk {
  readonly bytes: Uint8Array;
  /** Whether the first picture in it is a random access point, with the tables before it. */
  readonly isEntry: boolean;
}

/**
 * An endless transport stream of a live window, whose media lies in memory: follows its parts and muxes them in the order of decoding. One serves
 * all viewers of a stream.
 */
export class ContinuousTs {
  readonly #window: SegmentWindow;
  readonly #positions = new Map<string, TrackPosition>();
  #writer: MpegTsWriter | undefined;
  /** Numbers of the init segments of the tracks that are muxed. */
  #initIds: ReadonlyMap<string, number> = new Map();

  constructor(window: SegmentWindow) {
    this.#window = window;
  }

  /** What has become ready since the last call; call it after each change of the window. */
  take(): TsChunk[] {
    const tracks = tracksOfTs(this.#window).map(({ track }) => track);
    const [leader] = tracks;
    if (!leader) return [];
    this.#followFormat(tracks);
    for (const track of tracks) this.#collect(track, track === leader);
    const until = this.#readyUntil();
    if (until === undefined || !this.#writer) return [];
    const ready: QueuedUnit[][] = [];
    for (const position of this.#positions.values()) {
      const count = position.queue.findIndex((unit) => unit.dtsTicks >= until);
      ready.push(position.queue.splice(0, count < 0 ? position.queue.length : count));
    }
    return this.#mux(mergeByTime(ready), leader.id, leader.content === 'video');
  }

  #mux(units: readonly QueuedUnit[], leaderId: string, isVideo: boolean): TsChunk[] {
    const writer = this.#writer;
    if (!writer || units.length === 0) return [];
    const chunks: TsChunk[] = [];
    let isEntry = !isVideo;
    const cut = (): void => {
      writer.flush();
      if (writer.length > 0) chunks.push({ bytes: writer.take(), isEntry });
    };
    for (const unit of units) {
      if (isVideo && unit.trackId === leaderId && unit.isRandomAccess) {
        cut();
        writer.startSegment();
        isEntry = true;
      }
      writer.accessUnit(unit);
    }
    cut();
    return chunks;
  }

  /** New tables when the format changes; the packets go on. */
  #followFormat(tracks: readonly Track[]): void {
    const ids = new Set(tracks.map(({ id }) => id));
    const inits = this.#window.inits.filter(({ track }) => ids.has(track.id));
    const known = this.#initIds;
    if (inits.length === known.size && inits.every(({ track, initId }) => known.get(track.id) === initId)) return;
    this.#initIds = new Map(inits.map(({ track, initId }) => [track.id, initId]));
    if (this.#writer) this.#writer.setTracks(tracks);
    else this.#writer = new MpegTsWriter(tracks);
    for (const id of this.#positions.keys()) if (!tracks.some((track) => track.id === id)) this.#positions.delete(id);
  }

  #collect(track: Track, isLeader: boolean): void {
    const segments = this.#window.segments(track.id);
    let position = this.#positions.get(track.id);
    if (!position) {
      // A new viewer starts with the newest segment: the picture comes at once, and little is behind the live edge.
      const last = segments.findLast(hasMedia);
      if (!last) return;
      position = { msn: last.msn, partIndex: 0, queue: [], endTicks: 0 };
      this.#positions.set(track.id, position);
    }
    for (const { segment, msn } of segments) {
      if (msn < position.msn || segment.initId !== this.#initIds.get(track.id)) continue;
      if (msn > position.msn) {
        position.msn = msn;
        position.partIndex = 0;
      }
      for (; position.partIndex < segment.parts.length; position.partIndex++) {
        const part = segment.parts[position.partIndex];
        const bytes = part && bytesInMemory(part);
        if (!bytes) continue;
        position.queue.push(...unitsOf(track.id, track.timescale, bytes));
        position.endTicks = toSystemTicks(part.startTicks + part.durationTicks, track.timescale);
      }
    }
    if (isLeader && this.#positions.size === 1) this.#dropBefore(position);
  }

  /** Until the leading track has begun nothing is sent, and nothing from before its first unit afterwards. */
  #dropBefore(leader: TrackPosition): void {
    const first = leader.queue[0]?.dtsTicks ?? 0;
    for (const position of this.#positions.values())
      position.queue = position.queue.filter((unit) => unit.dtsTicks >= first - MAX_SKEW_TICKS);
  }

  /** The time up to which all tracks that keep up have given everything. */
  #readyUntil(): number | undefined {
    const ends = [...this.#positions.values()].map((position) => position.endTicks);
    if (ends.length === 0) return undefined;
    const newest = Math.max(...ends);
    return Math.min(...ends.filter((end) => end > newest - MAX_SKEW_TICKS));
  }
}
