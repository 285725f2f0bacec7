import type { Statement } from 'better-sqlite3';
import type { Connection } from './database.ts';

/** Answer that a repeated request gets again. */
export interface StoredAnswer {
  /** Caller and its idempotency key. */
  readonly key: string;
  /** Digest of the request, to detect a different request with the same key. */
  readonly fingerprint: string;
  /** Expiry, epoch milliseconds. */
  readonly untilMs: number;
  /** Answer as JSON. */
  readonly answer: string;
}

/** Maximum number of answers; the oldest ones are dropped. */
const MAX_ANSWERS = 10_000;
/**
 * Maximum length of a stored answer, in characters. All answers together are then smaller than 320 MB, and usually
 * far smaller.
 */
const MAX_LENGTH = 32_768;

/** Answers to requests with an `Idempotency-Key`. */
export class AnswerRepository {
  readonly #find: Statement<[string, number], StoredAnswer>;
  readonly #put: (answer: StoredAnswer, nowMs: number) => void;

  constructor(connection: Connection) {
    this.#find = connection.prepare(
      'SELECT key, fingerprint, until_ms AS untilMs, answer FROM kept_answer WHERE key = ? AND until_ms > ?',
    );
    const expire = connection.prepare('DELETE FROM kept_answer WHERE until_ms <= ?');
    const insert = connection.prepare(
      'INSERT OR REPLACE INTO kept_answer (key, fingerprint, until_ms, answer) VALUES (@key, @fingerprint, @untilMs, @answer)',
    );
    const forget = connection.prepare(
      'DELETE FROM kept_answer WHERE id <= (SELECT id FROM kept_answer ORDER BY id DESC LIMIT 1 OFFSET ?)',
    );
    this.#put = connection.transaction((answer: StoredAnswer, nowMs: number): void => {
      expire.run(nowMs);
      insert.run(answer);
      forget.run(MAX_ANSWERS);
    });
  }

  /** Finds the answer for a key; undefined if there is none or it has expired. */
  find(key: string, nowMs: number): StoredAnswer | undefined {
    return this.#find.get(key, nowMs);
  }

  /** Stores an answer. Drops expired answers, and the oldest ones if there are too many. */
  put(answer: StoredAnswer, nowMs: number): void {
    if (answer.answer.length <= MAX_LENGTH) this.#put(answer, nowMs);
  }
}
