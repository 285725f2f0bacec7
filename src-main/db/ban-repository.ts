import type { Connection } from './database.ts';

/** Banned address or user. Times are epoch milliseconds. */
interface StoredBan {
  readonly id: string;
  readonly kind: 'address' | 'user';
  readonly value: string;
  readonly bannedMs: number;
  readonly untilMs: number;
  readonly who: string;
  readonly reason: string;
}

export class BanRepository {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Active bans, oldest first. */
  list(nowMs: number): StoredBan[] {
    return this.#connection
      .prepare<[number], StoredBan>(
        `SELECT id, kind, value, banned_ms AS bannedMs, until_ms AS untilMs, banned_by AS who, reason FROM ban
         WHERE until_ms > ? ORDER BY banned_ms, id`,
      )
      .all(nowMs);
  }

  /** Stores a ban, replacing an earlier one of the same address or user; drops expired ones. */
  put(ban: StoredBan): void {
    this.#connection.transaction(() => {
      this.#connection.prepare('DELETE FROM ban WHERE until_ms <= ?').run(ban.bannedMs);
      this.#connection
        .prepare(
          `INSERT OR REPLACE INTO ban (id, kind, value, banned_ms, until_ms, banned_by, reason)
           VALUES (@id, @kind, @value, @bannedMs, @untilMs, @who, @reason)`,
        )
        .run({ ...ban });
    })();
  }

  remove(id: string): void {
    this.#connection.prepare('DELETE FROM ban WHERE id = ?').run(id);
  }
}
