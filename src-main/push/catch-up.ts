import type { StreamUnit } from '../stream/stream-hub.ts';
import { MAX_CACHE_BYTES } from '../stream/unit-cache.ts';
import type { PushBacklog } from './target/push-target.ts';
import { MAX_BACKLOG_BYTES, MAX_LAG_MS } from './unit-gate.ts';

/** Media time that is sent at once, in milliseconds. */
const BURST_MS = 1000;
/** Media time per time after the burst. Services drop publishers that send much faster than in real time. */
const SPEED = 4;

/** Stored units that a target gets first. New units are added until the target has caught up. */
export class CatchUp {
  readonly #units: StreamUnit[];
  readonly #startedMs: number;
  readonly #firstMs: number;
  #sent = 0;
  #waitingBytes = 0;

  /** @param units stored units in order, at least one */
  constructor(units: readonly StreamUnit[], nowMs: number) {
    this.#units = [...units];
    this.#startedMs = nowMs;
    const [first] = units;
    this.#firstMs = first ? mediaMs(first) : 0;
    for (const { data } of units) this.#waitingBytes += data.length;
  }

  /** Number of units that were not sent. */
  get waiting(): number {
    return this.#units.length - this.#sent;
  }

  /** Whether more waits than may be stored, because the target takes it too slowly. */
  get isTooLong(): boolean {
    return this.#waitingBytes > MAX_CACHE_BYTES;
  }

  /** Age of the next unit at the arrival of the newest, in milliseconds. */
  get lagMs(): number {
    const next = this.#units[this.#sent];
    return next ? Math.max(0, (this.#units.at(-1)?.arrivedMs ?? 0) - next.arrivedMs) : 0;
  }

  /** Adds a unit that has just arrived. */
  add(unit: StreamUnit): void {
    this.#units.push(unit);
    this.#waitingBytes += unit.data.length;
  }

  /** Takes the next unit that may be sent; undefined if it is too early, or the target is busy. */
  take(
    nowMs: number,
    { bytes, lagMs, maxBytes = MAX_BACKLOG_BYTES, maxLagMs = MAX_LAG_MS }: PushBacklog,
  ): StreamUnit | undefined {
    const next = this.#units[this.#sent];
    if (!next || bytes > maxBytes / 2 || lagMs > maxLagMs / 2) return undefined;
    if (mediaMs(next) - this.#firstMs > BURST_MS + (nowMs - this.#startedMs) * SPEED) return undefined;
    this.#sent++;
    this.#waitingBytes -= next.data.length;
    return next;
  }
}

/** Decoding time in milliseconds. */
function mediaMs({ dtsTicks, track }: StreamUnit): number {
  return (dtsTicks * 1000) / track.timescale;
}
