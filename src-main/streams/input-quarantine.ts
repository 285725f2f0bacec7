import { addressGroup } from '../lib/network-address.ts';
import type { StreamEntry } from './stream-entry.ts';

/** Times that an input may end its media thread before it is held. */
const FREE_STRIKES = 1;
/** First pause in milliseconds; it doubles with each further time. */
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** An input that did no harm for so long after its pause begins anew, in milliseconds. */
const FORGET_MS = 24 * 3_600_000;
/** Most inputs that are remembered; the one that was longest quiet is forgotten first. */
const MAX_INPUTS = 1000;

interface Offender {
  strikes: number;
  /** Epoch milliseconds. */
  lastMs: number;
  /** Epoch milliseconds; 0 while it is not held. */
  untilMs: number;
}

/**
 * Inputs that ended their media thread, by stall or by exhausted memory. The second time an input is held for a pause that
 * grows from then on. A configured input is known by its stream and address, a publisher by its network address.
 */
export class InputQuarantine {
  readonly #offenders = new Map<string, Offender>();
  /** How often an input was held since the start. */
  holds = 0;

  /** Inputs that are held now. */
  heldCount(nowMs: number): number {
    let count = 0;
    for (const { untilMs } of this.#offenders.values()) if (untilMs > nowMs) count++;
    return count;
  }

  /** An input ended its thread. Returns until when it is held, in epoch milliseconds; 0: not yet. */
  strike(key: string, nowMs: number): number {
    const known = this.#offenders.get(key);
    const isNew = !known || nowMs - Math.max(known.lastMs, known.untilMs) > FORGET_MS;
    const offender = isNew ? { strikes: 0, lastMs: nowMs, untilMs: 0 } : known;
    offender.strikes++;
    offender.lastMs = nowMs;
    const doublings = offender.strikes - FREE_STRIKES - 1;
    offender.untilMs = doublings < 0 ? 0 : nowMs + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** doublings);
    if (doublings >= 0) this.holds++;
    this.#offenders.delete(key);
    this.#offenders.set(key, offender);
    const [oldest] = this.#offenders.keys();
    if (this.#offenders.size > MAX_INPUTS && oldest !== undefined) this.#offenders.delete(oldest);
    return offender.untilMs;
  }

  /** Until when an input is held, in epoch milliseconds; 0 for one that is not. */
  heldUntil(key: string, nowMs: number): number {
    const untilMs = this.#offenders.get(key)?.untilMs ?? 0;
    return untilMs > nowMs ? untilMs : 0;
  }

  /** Lifts the hold: the next time it ends its thread it is held again for the first pause. Returns whether it was held. */
  release(key: string, nowMs: number): boolean {
    const offender = this.#offenders.get(key);
    if (!offender) return false;
    const wasHeld = offender.untilMs > nowMs;
    offender.strikes = Math.min(offender.strikes, FREE_STRIKES);
    offender.untilMs = 0;
    return wasHeld;
  }
}

/** What an input is known by. @param index its place in the configuration; behind the last one the backup */
export function quarantineKey(entry: StreamEntry, index: number): string {
  const url = entry.inputs[index]?.url ?? `backup ${entry.settings.backup?.path ?? ''}`;
  return url.startsWith('publish://') ? publisherKey(entry.publisherAddress) : `input ${entry.name} ${url}`;
}

/** What a publisher is known by. @param address network address without the port */
export function publisherKey(address: string): string {
  return `publisher ${addressGroup(address)}`;
}

/** What an input is called in events. */
export function inputLabel(entry: StreamEntry, index: number): string {
  return index < entry.inputs.length ? `input ${index + 1}` : 'backup';
}
