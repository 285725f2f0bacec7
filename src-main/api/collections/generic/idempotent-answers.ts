import { createHash } from 'node:crypto';
import { AirdeskError } from '../../../../src-preload/contract/index.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Answer, EndpointRequest } from '../../endpoints/endpoint.ts';

/** Persistent store of answers. */
export interface AnswerStore {
  find(key: string, nowMs: number): { readonly fingerprint: string; readonly answer: string } | undefined;
  put(
    cached: { readonly key: string; readonly fingerprint: string; readonly untilMs: number; readonly answer: string },
    nowMs: number,
  ): void;
}

interface CachedAnswer {
  readonly fingerprint: string;
  readonly untilMs: number;
  readonly bytes: number;
  readonly answer: Promise<Answer>;
}

/** Lifetime of an answer, in milliseconds. */
const KEEP_MS = 86_400_000;
const MAX_ANSWERS = 10_000;
const MAX_BYTES = 32 * 1024 * 1024;
/** Assumed size of an answer without a body, in bytes. */
const OVERHEAD_BYTES = 300;

/**
 * Answers to requests with an `Idempotency-Key`: a repeated request gets the same answer for 24 hours, and is not executed again.
 * The oldest answers are dropped when there are too many.
 */
export class IdempotentAnswers {
  readonly #clock: Clock;
  readonly #store: AnswerStore | undefined;
  /** In order of arrival. */
  readonly #answers = new Map<string, CachedAnswer>();
  #bytes = 0;

  /** @param store without one, a restart forgets all answers */
  constructor(clock: Clock, store?: AnswerStore) {
    this.#clock = clock;
    this.#store = store;
  }

  /** Answers once for each key; raises `idempotency_key_reused` for a key of another request. Failures are not cached. */
  async answer(request: EndpointRequest, make: () => Promise<Answer>): Promise<Answer> {
    const header = request.headers['idempotency-key'];
    if (header === undefined) return make();
    const given = String(header);
    if (!/^[\x21-\x7e]{1,255}$/.test(given))
      throw new AirdeskError('bad_request', 'An Idempotency-Key must have 1 to 255 visible characters', {
        parameter: 'Idempotency-Key',
      });
    this.#dropOld();
    const key = JSON.stringify([request.caller.who, given]);
    const fingerprint = digest(JSON.stringify([request.url, request.body ?? null]));
    const earlier = this.#answers.get(key) ?? this.#stored(key);
    if (earlier) {
      if (earlier.fingerprint !== fingerprint)
        throw new AirdeskError('idempotency_key_reused', 'This Idempotency-Key was already used with another request', {
          parameter: 'Idempotency-Key',
        });
      const answer = await earlier.answer;
      return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } };
    }
    const answer = make();
    this.#remember(key, { fingerprint, untilMs: this.#clock.now() + KEEP_MS, bytes: OVERHEAD_BYTES, answer });
    try {
      const completed = await answer;
      this.#save(key, fingerprint, completed);
      const cached = this.#answers.get(key);
      if (cached?.answer === answer)
        this.#remember(key, { ...cached, bytes: OVERHEAD_BYTES + JSON.stringify(completed.body ?? null).length });
      return completed;
    } catch (cause) {
      if (this.#answers.get(key)?.answer === answer) this.#drop(key);
      throw cause;
    }
  }

  #stored(key: string): Pick<CachedAnswer, 'fingerprint' | 'answer'> | undefined {
    try {
      const found = this.#store?.find(key, this.#clock.now());
      // Written by `#save`.
      return found && { fingerprint: found.fingerprint, answer: Promise.resolve(JSON.parse(found.answer) as Answer) };
    } catch {
      return undefined;
    }
  }

  /** Stores an answer. If that fails, it lasts until the server ends, because the request itself was executed. */
  #save(key: string, fingerprint: string, answer: Answer): void {
    const nowMs = this.#clock.now();
    try {
      this.#store?.put({ key, fingerprint, untilMs: nowMs + KEEP_MS, answer: JSON.stringify(answer) }, nowMs);
    } catch {
      // The server's alerts report a failing database.
    }
  }

  #remember(key: string, cached: CachedAnswer): void {
    this.#bytes += cached.bytes - (this.#answers.get(key)?.bytes ?? 0);
    this.#answers.set(key, cached);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= MAX_ANSWERS && this.#bytes <= MAX_BYTES) return;
      this.#drop(oldest);
    }
  }

  #dropOld(): void {
    const now = this.#clock.now();
    for (const [key, { untilMs }] of this.#answers) {
      if (untilMs > now) return;
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#answers.get(key)?.bytes ?? 0;
    this.#answers.delete(key);
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
