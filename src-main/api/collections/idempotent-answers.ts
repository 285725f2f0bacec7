import { createHash } from 'node:crypto';
import { AirdeskError } from '../../../src-preload/contract/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Answer, EndpointRequest } from '../endpoints/endpoint.ts';

interface Kept {
  readonly fingerprint: string;
  readonly untilMs: number;
  readonly bytes: number;
  readonly answer: Promise<Answer>;
}

/** How long an answer is kept, in milliseconds. */
const KEEP_MS = 86_400_000;
const MAX_ANSWERS = 10_000;
const MAX_BYTES = 32 * 1024 * 1024;
/** What an answer without a body is counted as, in bytes. */
const OVERHEAD_BYTES = 300;

/** Answers to requests with an `Idempotency-Key`: the same request again gets the same answer for 24 hours, and is not made a second time. The oldest answers go when too many are kept. */
export class IdempotentAnswers {
  readonly #clock: Clock;
  /** In the order of their coming. */
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Answers once for each key; raises `idempotency_key_reused` for a key that came with another request. Answers that raise are not kept. */
  async answer(request: EndpointRequest, make: () => Promise<Answer>): Promise<Answer> {
    const header = request.headers['idempotency-key'];
    if (header === undefined) return make();
    const given = String(header);
    if (!/^[\x21-\x7e]{1,255}$/.test(given))
      throw new AirdeskError('bad_request', 'An Idempotency-Key has 1 to 255 visible characters', {
        parameter: 'Idempotency-Key',
      });
    this.#dropOld();
    const key = JSON.stringify([request.caller.who, given]);
    const fingerprint = digest(JSON.stringify([request.url, request.body ?? null]));
    const known = this.#kept.get(key);
    if (known) {
      if (known.fingerprint !== fingerprint)
        throw new AirdeskError('idempotency_key_reused', 'This Idempotency-Key came with another request before', {
          parameter: 'Idempotency-Key',
        });
      const answer = await known.answer;
      return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } };
    }
    const answer = make();
    this.#keep(key, { fingerprint, untilMs: this.#clock.now() + KEEP_MS, bytes: OVERHEAD_BYTES, answer });
    try {
      const made = await answer;
      const kept = this.#kept.get(key);
      if (kept?.answer === answer)
        this.#keep(key, { ...kept, bytes: OVERHEAD_BYTES + JSON.stringify(made.body ?? null).length });
      return made;
    } catch (cause) {
      if (this.#kept.get(key)?.answer === answer) this.#drop(key);
      throw cause;
    }
  }

  #keep(key: string, kept: Kept): void {
    this.#bytes += kept.bytes - (this.#kept.get(key)?.bytes ?? 0);
    this.#kept.set(key, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_ANSWERS && this.#bytes <= MAX_BYTES) return;
      this.#drop(oldest);
    }
  }

  #dropOld(): void {
    const now = this.#clock.now();
    for (const [key, { untilMs }] of this.#kept) {
      if (untilMs > now) return;
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
