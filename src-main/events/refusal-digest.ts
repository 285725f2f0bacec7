import { addressGroup } from '../lib/network-address.ts';
import type { Clock } from '../lib/clock.ts';
import { DelayedWork } from '../lib/timers.ts';
import { TokenBucket } from '../lib/limits/token-bucket.ts';

/** Kinds of events that any client, or each viewer, can cause in any number. */
const REFUSAL_KINDS: ReadonlySet<string> = new Set([
  'auth_failed',
  'portal_key_refused',
  'publish_refused',
  'play_denied',
  'ad_skipped',
  'ad_answer',
]);

/** Whether an event is one that any client can cause in any number: of the kinds above, or a change that was refused. */
export function isRefusal(kind: string, { status }: Facts): boolean {
  return (
    REFUSAL_KINDS.has(kind) || (kind === 'api_call' && typeof status === 'number' && status >= 400 && status < 500)
  );
}

/** For how long the same refusals of one address are one event, in milliseconds. */
export const REFUSAL_WINDOW_MS = 10_000;
/** Refusals that are emitted at once, and after how long there is one more. All others of a window become one event of their kind. */
export const REFUSAL_BURST = 500;
const MORE_MS = 1000;

type Facts = Readonly<Record<string, unknown>>;

interface Gathered {
  readonly kind: string;
  facts: Facts;
  /** How many were not emitted yet. */
  count: number;
}

/**
 * Refusals, emitted once for each address (or stream, where they have none) and reason in ten seconds, with a count: a client that is refused a thousand times a second displaces nothing else in
 * the journal and of the queues of sinks.
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

  /** Takes a refusal. */
  take(kind: string, facts: Facts): void {
    // What viewers of a stream cause without being refused is gathered by stream.
    const { ip, media } = facts;
    const address = typeof ip === 'string' ? addressGroup(ip) : typeof media === 'string' ? media : '';
    const reason = facts['code'] ?? facts['detail'] ?? facts['reason'] ?? facts['is_slowed'] ?? facts['status'];
    const own = `${kind} ${address} ${JSON.stringify(reason)}`;
    const key = this.#windows.has(own) || this.#allowance.take(this.#clock.now()) ? own : kind;
    const known = this.#windows.get(key);
    if (known) {
      known.count++;
      known.facts = facts;
    } else {
      this.#windows.set(key, { kind, facts, count: key === kind ? 1 : 0 });
      if (key !== kind) this.#emit(kind, facts);
    }
    this.#window.ask();
  }

  /** Emits what was gathered; the next refusal of each is emitted at once again. */
  flush(): void {
    this.#window.cancel();
    const gathered = [...this.#windows.values()];
    this.#windows.clear();
    for (const { kind, facts, count } of gathered) if (count > 0) this.#emit(kind, { ...facts, count });
  }
}
