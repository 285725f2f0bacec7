import { ticksToMsUp } from '../../media/timing/ticks.ts';
import type { Track } from '../../media/track.ts';
import { inRange, indexByAddress } from '../../segment/segment-list.ts';
import type {
  ChangingWindow,
  Init,
  TimeRange,
  TrackRate,
  WindowPeriod,
  WindowSegment,
  WindowSplice,
  WindowSubtitles,
  WindowTrack,
} from '../../segment/segment-window.ts';
import { groupOf } from '../../segment/track-facts.ts';
import type { FileIndex, IndexedTrack } from '../index/file-index.ts';
import { FileChunks } from './file-chunk.ts';
import { FileSegments } from './file-segment.ts';

export interface FileWindowOptions {
  readonly index: FileIndex;
  /** Nominal segment duration in milliseconds. */
  readonly segmentMs: number;
  /** Part of all media addresses, different for other content of the same path: letters and digits, ending with `-`. */
  readonly addressPrefix: string;
  /** Default: none. */
  readonly subtitles?: readonly WindowSubtitles[];
}

/** Window of a file. It never changes. The media of its segments is read from the file on request. */
export class FileWindow implements ChangingWindow {
  readonly mutability = 'static';
  readonly version = 1;
  readonly isIdle = false;
  readonly epochMs = undefined;
  readonly partMs = 0;
  readonly segmentMs: number;
  readonly tracks: readonly WindowTrack[];
  readonly inits: readonly Init[];
  readonly longestSegmentMs: number;
  readonly subtitles: readonly WindowSubtitles[];
  readonly #segments: ReadonlyMap<string, FileSegments>;
  readonly #periods: readonly WindowPeriod[];
  readonly #addressPrefix: string;

  constructor({ index, segmentMs, addressPrefix, subtitles = [] }: FileWindowOptions) {
    const { biasMs } = index;
    this.segmentMs = segmentMs;
    this.subtitles = subtitles;
    this.#addressPrefix = addressPrefix;
    const all = index.tracks.map(
      (indexed) => new FileSegments(indexed, new FileChunks(indexed), biasMs, addressPrefix),
    );
    this.#segments = new Map(all.map((one) => [one.indexed.source.track.id, one]));
    this.tracks = index.tracks.map((indexed) => windowTrack(indexed));
    this.inits = all.flatMap(({ formats }) => formats.inits.slice(0, 1));
    // A change of the audio format does not interrupt the video.
    const pictures = all.filter(({ indexed }) => indexed.source.track.content === 'video');
    const breaks = changesOf(pictures.length > 0 ? pictures : all);
    for (const one of all) one.setBreaks(breaks);
    this.longestSegmentMs = index.tracks.reduce((longest, one) => Math.max(longest, longestOf(one)), 0);
    this.#periods = [0, ...changesOf(all)].map((firstMsn) => {
      const startMs = firstMsn === 0 ? 0 : startOf(all, firstMsn);
      return { firstMsn, startMs, mediaOffsetMs: biasMs + startMs, addressPrefix };
    });
  }

  get longestPartMs(): number {
    return this.longestSegmentMs;
  }

  /** Duration of the presentation in milliseconds. */
  get durationMs(): number {
    return this.bounds()?.toMs ?? 0;
  }

  bounds(): TimeRange | undefined {
    let toMs = 0;
    for (const { all, indexed } of this.#segments.values()) {
      const last = all.at(-1);
      if (last)
        toMs = Math.max(toMs, last.startMs + ticksToMsUp(last.segment.durationTicks, indexed.source.track.timescale));
    }
    return { fromMs: 0, toMs };
  }

  segments(trackId: string, range?: TimeRange): readonly WindowSegment[] {
    const all = this.#all(trackId);
    return range ? inRange(all, range) : all;
  }

  lastSegment(trackId: string): WindowSegment | undefined {
    return this.#all(trackId).at(-1);
  }

  segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    const all = this.#all(trackId);
    if (!address.startsWith(this.#addressPrefix)) return undefined;
    const index = indexByAddress(all, address, this.#addressPrefix.length);
    return all[index];
  }

  segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    return this.#all(trackId)[msn];
  }

  init(trackId: string, initId: number, addressPrefix = ''): Init | undefined {
    if (addressPrefix !== this.#addressPrefix) return undefined;
    return this.#segments.get(trackId)?.formats.inits[initId];
  }

  periods(): readonly WindowPeriod[] {
    return this.#periods;
  }

  splices(): readonly WindowSplice[] {
    return [];
  }

  onChange(): () => void {
    return () => undefined;
  }

  #all(trackId: string): readonly WindowSegment[] {
    return this.#segments.get(trackId)?.all ?? [];
  }
}

function windowTrack({ source: { track }, rows }: IndexedTrack): WindowTrack {
  return { track, group: groupOf(track), rate: rateOf(track, rows), hasCaptions: false };
}

function rateOf({ timescale }: Track, rows: IndexedTrack['rows']): TrackRate {
  let peak = 0;
  let bytes = 0;
  let ticks = 0;
  for (const { mark, dataBytes, durationTicks } of rows) {
    if (!mark) continue;
    bytes += dataBytes;
    ticks += durationTicks;
    // The last segment may be very short.
    if (durationTicks >= timescale || rows.length === 1)
      peak = Math.max(peak, (dataBytes * 8 * timescale) / durationTicks);
  }
  const average = Math.max(1, Math.ceil((bytes * 8 * timescale) / Math.max(1, ticks)));
  return { peak: Math.max(average, Math.ceil(peak)), average };
}

function longestOf({ source, rows }: IndexedTrack): number {
  const ticks = rows.reduce((longest, { durationTicks }) => Math.max(longest, durationTicks), 0);
  return ticksToMsUp(ticks, source.track.timescale);
}

/** Segment numbers at which a track changes its format, in order. */
function changesOf(segments: readonly FileSegments[]): readonly number[] {
  return [...new Set(segments.flatMap(({ formats }) => formats.changes))].sort((a, b) => a - b);
}

/** Earliest start of a segment number, in milliseconds. */
function startOf(segments: readonly FileSegments[], number: number): number {
  return Math.min(...segments.map(({ all }) => all[number]?.startMs ?? Infinity));
}
