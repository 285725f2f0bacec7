import type { PushTransmissionObject } from '../../src-preload/contract/api/push-object.ts';
import type { Connection } from './database.ts';

type Row = Omit<PushTransmissionObject, 'has_sent' | 'explanation'> & {
  readonly has_sent: number;
  /** JSON; null without an explanation. */
  readonly explanation: string | null;
};

/** Maximum number of transmissions of a stream to one target. */
const MAX_ROWS = 100;
/** Age of removed transmissions, in milliseconds: a year. Streams and addresses of the past would stay forever. */
const MAX_AGE_MS = 365 * 86_400_000;
/** Code of transmissions that were running when the server was killed. */
const INTERRUPTED = 'push_interrupted';

/** Log of the transmissions of pushes. */
export class TransmissionRepository {
  readonly #put: (stream: string, target: string, transmission: PushTransmissionObject) => void;
  readonly #list: (stream: string, target: string | undefined) => Row[];

  constructor(connection: Connection) {
    connection.prepare('UPDATE push_transmission SET code = ? WHERE ended_at IS NULL').run(INTERRUPTED);
    const put = connection.prepare(
      `INSERT OR REPLACE INTO push_transmission
         (stream, target, url, started_at, ended_at, has_sent, bytes, tries, code, detail, explanation)
       VALUES (@stream, @target, @url, @started_at, @ended_at, @has_sent, @bytes, @tries, @code, @detail, @explanation)`,
    );
    const removeOld = connection.prepare('DELETE FROM push_transmission WHERE started_at < ?');
    const removeMany = connection.prepare(
      `DELETE FROM push_transmission WHERE stream = @stream AND target = @target AND started_at <= (
         SELECT started_at FROM push_transmission WHERE stream = @stream AND target = @target
         ORDER BY started_at DESC LIMIT 1 OFFSET ${MAX_ROWS})`,
    );
    this.#put = connection.transaction((stream: string, target: string, transmission: PushTransmissionObject): void => {
      put.run({
        ...transmission,
        stream,
        target,
        has_sent: transmission.has_sent ? 1 : 0,
        explanation: transmission.explanation ? JSON.stringify(transmission.explanation) : null,
      });
      removeMany.run({ stream, target });
      removeOld.run(transmission.started_at - MAX_AGE_MS);
    });
    const columns = 'url, started_at, ended_at, has_sent, bytes, tries, code, detail, explanation';
    const list = connection.prepare<[string, number], Row>(
      `SELECT ${columns} FROM push_transmission WHERE stream = ? ORDER BY started_at DESC, target LIMIT ?`,
    );
    const listTarget = connection.prepare<[string, string], Row>(
      `SELECT ${columns} FROM push_transmission WHERE stream = ? AND target = ? ORDER BY started_at DESC`,
    );
    this.#list = (stream, target) =>
      target === undefined ? list.all(stream, 10 * MAX_ROWS) : listTarget.all(stream, target);
  }

  /** Adds a transmission, or replaces the one of the stream with the same target and start. */
  put(stream: string, target: string, transmission: PushTransmissionObject): void {
    this.#put(stream, target, transmission);
  }

  /** Transmissions of a stream, newest first. @param target default: all targets */
  list(stream: string, target?: string): PushTransmissionObject[] {
    return this.#list(stream, target).map(({ has_sent, explanation, ...row }) => ({
      ...row,
      has_sent: has_sent === 1,
      // Only `put` writes explanations.
      ...(explanation === null
        ? {}
        : { explanation: JSON.parse(explanation) as PushTransmissionObject['explanation'] }),
    }));
  }
}
