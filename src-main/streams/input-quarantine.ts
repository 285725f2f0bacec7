import { addressGroup } from '../lib/network-address.ts';
import type { StreamEntry } from './stream-entry.ts';

/** Number of times that an input may end its media thread before it is put in quarantine. */
const FREE_STRIKES = 1;
/** First and maximum pause, in milliseconds; the pause doubles each time. */
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** Time without a fault after a quarantine after which the strikes of an input are forgotten, in milliseconds. */
const FORGET_MS = 24 * 3_600_000;
/** Maximum number of remembered inputs. The input without faults for the longest time is removed first. */
const MAX_INPUTS = 1000;

interface Offender {
  strikes: number;
  /** Epoch milliseconds. */
  lastMs: number;
  /** End of its quarantine, in epoch milliseconds; 0 without one. */
  untilMs: number;
}

/**
 * Inputs that ended their media thread, by a stall or by exhausted memory. From the second time on, an input is in
 * quarantine for a pause that doubles each time. A configured input is identified by its stream and address, a
 * publisher by its network address.
 */
export class InputQuarantine {
  readonly #offenders = new Map<string, Offender>();
  /** Number of quarantines since the start. */
  quarantineCount = 0;

  /** Number of inputs in quarantine. */
  heldCount(nowMs: number): number {
    let count = 0;
    for (const { untilMs } of this.#offenders.values()) if (untilMs > nowMs) count++;
    return count;
  }

  /**
   * Records that an input ended its thread. Returns the end of its quarantine, in epoch milliseconds; 0 if it is not
   * put in quarantine this time.
   */
  strike(key: string, nowMs: number): number {
    const existing = this.#offenders.get(key);
    const isNew = !existing || nowMs - Math.max(existing.lastMs, existing.untilMs) > FORGET_MS;
    const offender = isNew ? { strikes: 0, lastMs: nowMs, untilMs: 0 } : existing;
    offender.strikes++;
    offender.lastMs = nowMs;
    const doublings = offender.strikes - FREE_STRIKES - 1;
    offender.untilMs = doublings < 0 ? 0 : nowMs + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** doublings);
    if (doublings >= 0) this.quarantineCount++;
    this.#offenders.delete(key);
    this.#offenders.set(key, offender);
    const [oldest] = this.#offenders.keys();
    if (this.#offenders.size > MAX_INPUTS && oldest !== undefined) this.#offenders.delete(oldest);
    return offender.untilMs;
  }

  /** End of the quarantine of an input, in epoch milliseconds; 0 without one. */
  heldUntil(key: string, nowMs: number): number {
    const untilMs = this.#offenders.get(key)?.untilMs ?? 0;
    return untilMs > nowMs ? untilMs : 0;
  }

  /**
   * Ends the quarantine of an input. If it ends its thread again, it is in quarantine for the first pause.
   * @returns false if it was not in quarantine
   */
  release(key: string, nowMs: number): boolean {
    const offender = this.#offenders.get(key);
    if (!offender) return false;
    const wasHeld = offender.untilMs > nowMs;
    offender.strikes = Math.min(offender.strikes, FREE_STRIKES);
    offender.untilMs = 0;
    return wasHeld;
  }
}

/**
 * Key of an input.
 * @param index index in the configuration; the index after the last one is the backup
 */
export function quarantineKey(entry: StreamEntry, index: number): string {
  const url = entry.inputs[index]?.url ?? `backup ${entry.settings.backup?.path ?? ''}`;
  return url.startsWith('publish://') ? publisherKey(entry.publisherAddress) : `input ${entry.name} ${url}`;
}

/**
 * Key of a publisher.
 * @param address network address without the port
 */
export function publisherKey(address: string): string {
  return `publisher ${addressGroup(address)}`;
}

/** Label of an input in events. */
export function inputLabel(entry: StreamEntry, index: number): string {
  return index < entry.inputs.length ? `input ${index + 1}` : 'backup';
}
