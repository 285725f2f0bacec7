import { addressGroup } from '../lib/network-address.ts';
import type { Clock } from '../lib/clock.ts';
import { DelayedWork } from '../lib/timers.ts';
import { TokenBucket } from '../lib/limits/token-bucket.ts';

/** Kinds of events that clients can cause any number of times. */
const REFUSAL_KINDS: ReadonlySet<string> = new Set([
  'auth_failed',
  'portal_key_refused',
  'publish_refused',
  'play_denied',
  'ad_skipped',
  'ad_answer',
]);

/** Reports whether clients can cause an event any number of times: an event of the kinds above, or a refused change. */
export function isRefusal(kind: string, { status }: Facts): boolean {
  return (
    REFUSAL_KINDS.has(kind) || (kind === 'api_call' && typeof status === 'number' && status >= 400 && status < 500)
  );
}

/** Time for which equal refusals of one address become one event, in milliseconds. */
export const REFUSAL_WINDOW_MS = 10_000;
/**
 * Number of refusals that are emitted immediately, and milliseconds until one more is. The remaining refusals of a window
 * become one event per kind.
 */
export const REFUSAL_BURST = 500;
const MORE_MS = 1000;

type Facts = Readonly<Record<string, unknown>>;

interface Gathered {
  readonly kind: string;
  facts: Facts;
  /** Number of refusals not yet emitted. */
  count: number;
}

/**
 * Emits refusals once in ten seconds for each address and reason, with a count; without an address, for each stream and reason.
 * A client that is refused a thousand times a second displaces no other events in the journal and in the queues of sinks.
 */
export class RefusalDigest {
  readonly #clock: Clock;
  readonly #emit: (kind: string, facts: Facts) => void;
  readonly #windows = new Map<string, Gathered>();
  readonly #allowance = new TokenBucket(REFUSAL_BURST, MORE_MS);
  readonly #window: DelayedWork;

  /** @param emit emits an event */
  constructor(clock: Clock, emit: (kind: string, facts: Facts) => void) {
    this.#clock = clock;
    this.#emit = emit;
    this.#window = new DelayedWork(clock, REFUSAL_WINDOW_MS, () => {
      this.flush();
    });
  }

  take(kind: string, facts: Facts): void {
    // Events that viewers cause without being refused are grouped by stream.
    const { ip, media } = facts;
    const address = typeof ip === 'string' ? addressGroup(ip) : typeof media === 'string' ? media : '';
    const reason = facts['code'] ?? facts['detail'] ?? facts['reason'] ?? facts['is_slowed'] ?? facts['status'];
    const fullKey = `${kind} ${address} ${JSON.stringify(reason)}`;
    const key = this.#windows.has(fullKey) || this.#allowance.take(this.#clock.now()) ? fullKey : kind;
    const existing = this.#windows.get(key);
    if (existing) {
      existing.count++;
      existing.facts = facts;
    } else {
      this.#windows.set(key, { kind, facts, count: key === kind ? 1 : 0 });
      if (key !== kind) this.#emit(kind, facts);
    }
    this.#window.schedule();
  }

  /** Emits the collected refusals and starts a new window. The next refusal of each kind is emitted immediately. */
  flush(): void {
    this.#window.cancel();
    const gathered = [...this.#windows.values()];
    this.#windows.clear();
    for (const { kind, facts, count } of gathered) if (count > 0) this.#emit(kind, { ...facts, count });
  }
}
