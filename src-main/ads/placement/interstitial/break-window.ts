import { ticksToMsUp } from '../../../media/timing/ticks.ts';
import { inRange } from '../../../segment/segment-list.ts';
import type {
  ChangingWindow,
  Init,
  TimeRange,
  WindowPeriod,
  WindowSegment,
  WindowSplice,
  WindowTrack,
} from '../../../segment/segment-window.ts';
import type { Delivered, Showing } from '../../proof/showing.ts';

/**
 * Consecutive clips of one break, each after a discontinuity: the media of an interstitial. Contains at least one clip.
 */
export class BreakWindow implements ChangingWindow {
  readonly mutability = 'static';
  readonly version = 1;
  readonly isIdle = false;
  readonly epochMs = undefined;
  readonly partMs = 0;
  readonly segmentMs = 1000;
  readonly #id: string;
  readonly #showings: readonly Showing[];

  /** @param id part of the segment addresses, so that each showing of a clip is loaded and counted separately */
  constructor(id: string, showings: readonly Showing[]) {
    this.#id = id;
    this.#showings = showings;
  }

  get tracks(): readonly WindowTrack[] {
    return this.#showings[0]?.clip.window.tracks ?? [];
  }

  get inits(): readonly Init[] {
    return this.#showings[0]?.clip.window.inits ?? [];
  }

  get longestSegmentMs(): number {
    return Math.max(0, ...this.#showings.map(({ clip }) => clip.window.longestSegmentMs));
  }

  get longestPartMs(): number {
    return this.longestSegmentMs;
  }

  bounds(): TimeRange | undefined {
    const [leader] = this.tracks;
    const last = leader && this.lastSegment(leader.track.id);
    return last && { fromMs: 0, toMs: last.startMs + ticksToMsUp(last.segment.durationTicks, leader.track.timescale) };
  }

  segments(trackId: string, range?: TimeRange): readonly WindowSegment[] {
    const all: WindowSegment[] = [];
    for (const [number, { clip, startMs, count }] of this.#showings.entries()) {
      const atMs = startMs - (this.#showings[0]?.startMs ?? 0);
      const first = all.length;
      for (const { segment, startMs: ownMs } of clip.window.segments(trackId).slice(0, count))
        all.push({
          segment,
          msn: all.length,
          startMs: atMs + ownMs,
          isDiscontinuity: number > 0 && all.length === first,
          discontinuitySequence: all.length === first ? Math.max(0, number - 1) : number,
          address: `${this.#prefix(number)}${clip.addressPrefix}${segment.startMs}`,
        });
    }
    return range ? inRange(all, range) : all;
  }

  lastSegment(trackId: string): WindowSegment | undefined {
    return this.segments(trackId).at(-1);
  }

  segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    const found = this.#find(address);
    return found?.showing.clip.window.segmentByAddress(trackId, found.ownAddress);
  }

  segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    return this.segments(trackId)[msn];
  }

  init(trackId: string, initId: number, addressPrefix = ''): Init | undefined {
    const found = this.#find(addressPrefix);
    return found?.showing.clip.window.init(trackId, initId, found.ownAddress);
  }

  periods(): readonly WindowPeriod[] {
    let firstMsn = 0;
    return this.#showings.map(({ clip, startMs, count }, number) => {
      const period = {
        firstMsn,
        startMs: startMs - (this.#showings[0]?.startMs ?? 0),
        mediaOffsetMs: clip.window.periods()[0]?.mediaOffsetMs ?? 0,
        addressPrefix: `${this.#prefix(number)}${clip.addressPrefix}`,
      };
      firstMsn += count;
      return period;
    });
  }

  splices(): readonly WindowSplice[] {
    return [];
  }

  onChange(): () => void {
    return () => undefined;
  }

  /** Finds the clip segment with an address. */
  deliveredIn(trackId: string, address: string): readonly Delivered[] {
    const { showing } = this.#find(address) ?? {};
    const found = this.segmentByAddress(trackId, address);
    const [first] = showing?.clip.window.segments(trackId) ?? [];
    return showing && found && first ? [{ showing, index: found.msn - first.msn }] : [];
  }

  #prefix(number: number): string {
    return `${this.#id}x${number}x`;
  }

  /** Finds the showing of an address or address prefix, and the address within its clip. */
  #find(address: string): { readonly showing: Showing; readonly ownAddress: string } | undefined {
    if (!address.startsWith(`${this.#id}x`)) return undefined;
    const number = Number.parseInt(address.slice(this.#id.length + 1), 10);
    const showing = this.#showings[number];
    const prefix = this.#prefix(number);
    const ownAddress = address.slice(prefix.length);
    const isOwn = showing && address.startsWith(prefix) && ownAddress.startsWith(showing.clip.addressPrefix);
    return isOwn ? { showing, ownAddress } : undefined;
  }
}
