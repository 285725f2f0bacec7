import type { Statement } from 'better-sqlite3';
import type { Connection } from './database.ts';

/** An answer that a repeated request gets again. */
export interface StoredAnswer {
  /** The caller, and its key. */
  readonly key: string;
  /** Shows whether a repetition is the same request. */
  readonly fingerprint: string;
  /** Epoch milliseconds until which it is kept. */
  readonly untilMs: number;
  /** The answer as JSON. */
  readonly answer: string;
}

/** How many answers are kept; the oldest go first. */
const MAX_ANSWERS = 10_000;
/** Longer answers are not kept, in characters: all together stay under 320 MB, and mostly far below. */
const MAX_LENGTH = 32_768;

/** The answers to requests with an `Idempotency-Key`. */
export class AnswerRepository {
  readonly #find: Statement<[string, number], StoredAnswer>;
  readonly #put: (kept: StoredAnswer, nowMs: number) => void;

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
    this.#put = connection.transaction((kept: StoredAnswer, nowMs: number): void => {
      expire.run(nowMs);
      insert.run(kept);
      forget.run(MAX_ANSWERS);
    });
  }

  /** The answer under a key; undefined for none, or none any more. */
  find(key: string, nowMs: number): StoredAnswer | undefined {
    return this.#find.get(key, nowMs);
  }

  /** Keeps an answer, and forgets what is too old or too many. */
  put(kept: StoredAnswer, nowMs: number): void {
    if (kept.answer.length <= MAX_LENGTH) this.#put(kept, nowMs);
  }
}
