import type { Clip } from '../../src-main/ads/clips/clip.ts';
import type { Track, VideoTrack } from '../../src-main/media/track.ts';
import type { TimeRange, WindowPeriod, WindowSegment, WindowSplice } from '../../src-main/segment/segment-window.ts';
import { mergeSplice } from '../../src-main/segment/splice-list.ts';
import { ListWindow } from './list-window.ts';

/** Video track without audio; some of its properties may differ. */
export function testTracks(change: Partial<VideoTrack> = {}): readonly Track[] {
  const video: VideoTrack = {
    id: 'v1',
    timescale: 90_000,
    content: 'video',
    codec: 'h264',
    codecString: 'avc1.42c01e',
    decoderConfig: new Uint8Array([1]),
    width: 320,
    height: 180,
    sarWidth: 1,
    sarHeight: 1,
    fps: 25,
    profile: 'Constrained Baseline',
    level: '3.0',
    ...change,
  };
  return [video];
}

/** Segment of one part without bytes. */
function testSegment(
  { id: trackId, timescale }: Pick<Track, 'id' | 'timescale'>,
  msn: number,
  startMs: number,
  lengthMs: number,
  prefix: string,
): WindowSegment {
  const [startTicks, durationTicks] = [(startMs * timescale) / 1000, (lengthMs * timescale) / 1000];
  const part = { index: 0, startTicks, durationTicks, isIndependent: true, arrivedMs: 0, sizeBytes: 0, pieces: [] };
  const segment = {
    trackId,
    startTicks,
    durationTicks,
    startMs,
    parts: [part],
    sizeBytes: 0,
    isComplete: true,
    isGap: false,
    initId: 0,
  };
  return { segment, msn, startMs, isDiscontinuity: false, discontinuitySequence: 0, address: `${prefix}${startMs}` };
}

/** Clip of a number of seconds, in segments of a second. */
export function clipOf(path: string, seconds: number, tracks = testTracks()): Clip {
  const addressPrefix = `${path}-`;
  const window = new ListWindow({
    tracks: tracks.map((track) => ({
      track,
      segments: Array.from({ length: seconds }, (_, index) =>
        testSegment(track, index, index * 1000, 1000, addressPrefix),
      ),
    })),
    periods: [{ firstMsn: 0, startMs: 0, mediaOffsetMs: 0, addressPrefix }],
  });
  return { path, window, addressPrefix };
}

/** Live stream with segments of equal duration, which starts at 0 and keeps the newest segments. */
export class LiveStream {
  readonly window: ListWindow;
  readonly #segmentMs: number;
  readonly #listed: number;
  #segments: WindowSegment[] = [];
  #splices: WindowSplice[] = [];
  #count = 0;

  constructor({ segmentMs, listed }: { readonly segmentMs: number; readonly listed: number }) {
    this.#segmentMs = segmentMs;
    this.#listed = listed;
    this.window = new ListWindow(this.#lists());
  }

  /** End of the last segment in milliseconds. */
  get endMs(): number {
    return this.#count * this.#segmentMs;
  }

  /** Listed segments between two times. */
  recorded({ fromMs, toMs }: TimeRange): ListWindow {
    const isIn = (ms: number): boolean => ms >= fromMs && ms < toMs;
    const { tracks, splices = [], ...lists } = this.#lists();
    return new ListWindow({
      ...lists,
      mutability: 'static' as const,
      splices: splices.filter(({ atMs }) => isIn(atMs)),
      tracks: tracks.map(({ track, segments }) => ({
        track,
        segments: segments.filter(({ startMs }) => isIn(startMs)),
      })),
    });
  }

  /** Adds a segment. */
  grow(): void {
    const startMs = this.endMs;
    this.#segments.push(testSegment({ id: 'v1', timescale: 90_000 }, this.#count++, startMs, this.#segmentMs, ''));
    this.#segments = this.#segments.slice(-this.#listed);
    this.window.grow(this.#lists());
  }

  /** Adds segments until the stream has a total number. */
  growTo(count: number): void {
    while (this.#count < count) this.grow();
  }

  /** Announces a splice point. */
  splice(
    kind: 'out' | 'in',
    atMs: number,
    durationMs: number | null = null,
    { eventId = atMs, needsReturn }: { readonly eventId?: number; readonly needsReturn?: true } = {},
  ): void {
    const splice = { kind, atMs, durationMs, eventId, section: '', ...(needsReturn ? { needsReturn } : {}) };
    this.#splices = mergeSplice(this.#splices, splice, this.endMs);
    this.window.grow(this.#lists());
  }

  /** Cancels an event that has not started, like a cancellation of the input. */
  cancel(eventId: number): void {
    const cancellation = {
      kind: 'cancel',
      atMs: this.endMs - 1,
      durationMs: null,
      eventId,
      section: 'cancel',
    } as const;
    this.#splices = mergeSplice(this.#splices, cancellation, this.endMs);
    this.window.grow(this.#lists());
  }

  /** Removes splice points: of an event, or all. */
  unsplice(eventId?: number): void {
    this.#splices = eventId === undefined ? [] : this.#splices.filter((splice) => splice.eventId !== eventId);
    this.window.grow(this.#lists());
  }

  #lists(): ConstructorParameters<typeof ListWindow>[0] {
    const [first] = this.#segments;
    const period: WindowPeriod = { firstMsn: 0, startMs: 0, mediaOffsetMs: 0, addressPrefix: '' };
    return {
      mutability: 'live',
      epochMs: 0,
      tracks: testTracks().map((track) => ({ track, segments: this.#segments })),
      periods: first ? [period] : [],
      splices: this.#splices,
    };
  }
}
