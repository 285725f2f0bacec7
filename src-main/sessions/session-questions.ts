import { addressGroup } from '../lib/network-address.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { CountedReport } from '../lib/timers.ts';
import type { Verdict } from './backend-answer.ts';
import type { Authority } from './backends.ts';
import type { Session } from './session.ts';

export interface SessionQuestionsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly authority: Authority;
  /** Number of viewers of a stream, or of all streams without a name. */
  readonly countOf: (stream?: string) => number;
}

/** Maximum number of new sessions that wait for an answer, of one address (a /64 of IPv6) and of all addresses. */
export const MAX_PENDING_OF_ADDRESS = 500;
const MAX_PENDING = 10_000;
/** Minimum interval of log lines about backends without an answer, in milliseconds. */
const FAILURE_NOTE_MS = 1000;

/** Running requests to backends about sessions, limited in number per address and in total. */
export class SessionQuestions {
  readonly #options: SessionQuestionsOptions;
  readonly #byAddress = new Map<string, number>();
  #pending = 0;
  /** Reports failures, at most one log line per second for all sessions together. */
  readonly #failures: CountedReport<{ readonly stream: string; readonly reason: string }>;

  constructor(options: SessionQuestionsOptions) {
    this.#options = options;
    this.#failures = new CountedReport(options.clock, FAILURE_NOTE_MS, (last, count) => {
      options.log.warn('no authorization backend answered', { ...last, count, event: 'auth_backend_failed' });
    });
  }

  /**
   * Reason why a new session of an address may not wait for a backend: too many sessions of this address wait, or of
   * all addresses; undefined for none.
   */
  limitFor(ip: string): 'address' | 'all' | undefined {
    if ((this.#byAddress.get(addressGroup(ip)) ?? 0) >= MAX_PENDING_OF_ADDRESS) return 'address';
    return this.#pending >= MAX_PENDING ? 'all' : undefined;
  }

  /** Sends the request about a session. Never rejects. */
  async authorize(session: Session, isNew: boolean): Promise<Verdict> {
    if (isNew) this.#count(session, 1);
    const verdict = await this.#question(session, isNew);
    if (isNew) this.#count(session, -1);
    if (verdict.kind === 'failed') this.#failures.add({ stream: session.name, reason: verdict.reason });
    return verdict;
  }

  #question(session: Session, isNew: boolean): Promise<Verdict> {
    const { authority, clock, countOf } = this.#options;
    const { visitor } = session;
    return authority.authorize(session.policy, {
      name: session.name,
      proto: session.proto,
      ip: visitor.ip,
      sessionId: session.id,
      isNew,
      number: session.askCount++,
      streamClients: countOf(session.name),
      totalClients: countOf(),
      token: visitor.token,
      queryString: session.queryString,
      userAgent: visitor.userAgent,
      referer: visitor.referer,
      country: visitor.country,
      archive: session.archive,
      durationSeconds: Math.round((clock.now() - session.openedMs) / 1000),
      bytes: session.bytes,
    });
  }

  #count({ visitor }: Session, step: 1 | -1): void {
    const address = addressGroup(visitor.ip);
    const count = (this.#byAddress.get(address) ?? 0) + step;
    if (count === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, count);
    this.#pending += step;
  }
}
