import type { QueueFolder } from './queue-folder.ts';

/** Size at which a file of dead letters is rotated, in bytes; one previous file is kept. */
const FILE_BYTES = 8 * 1024 * 1024;
const FILE = 'dead-letters.jsonl';
const PREVIOUS_FILE = 'dead-letters.1.jsonl';

/** Remaining lines of a file during a replay, until it replaces that file. */
const REST_FILE = 'dead-letters.rest.jsonl';

/**
 * Events that a sink never accepted, one per line, until they are sent again. When the files are full, the oldest events are
 * dropped.
 */
export class DeadLetters {
  readonly #folder: QueueFolder;
  readonly #fileBytes: number;
  #bytes: number;
  /** Serializes all work on the files. */
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(folder: QueueFolder, fileBytes: number, bytes: number) {
    this.#folder = folder;
    this.#fileBytes = fileBytes;
    this.#bytes = bytes;
  }

  static async open(folder: QueueFolder, fileBytes: number = FILE_BYTES): Promise<DeadLetters> {
    const file = (await folder.list()).find(({ name }) => name === FILE);
    return new DeadLetters(folder, fileBytes, file?.bytes ?? 0);
  }

  /** Adds events as JSON. */
  add(texts: readonly string[]): Promise<void> {
    return this.#inTurn(() => this.#add(texts));
  }

  /**
   * Passes the oldest events to `accept`, and removes them when it has resolved.
   * @param limit maximum number of events
   * @param accept receives the events; if it rejects, the events stay
   * @returns number of events passed on, and whether there are more
   */
  replay(
    limit: number,
    accept: (texts: readonly string[]) => Promise<void>,
  ): Promise<{ readonly count: number; readonly isMore: boolean }> {
    return this.#inTurn(async () => {
      const files = new Map((await this.#folder.list()).map(({ name, bytes }) => [name, bytes]));
      const [oldest, ...others] = [PREVIOUS_FILE, FILE].filter((name) => (files.get(name) ?? 0) > 0);
      if (oldest === undefined) return { count: 0, isMore: false };
      const lines = (await this.#folder.read(oldest, 0, files.get(oldest) ?? 0)).toString().split('\n');
      const texts = lines.filter((line) => line !== '');
      const taken = texts.slice(0, limit);
      await accept(taken);
      const rest = texts.slice(limit);
      if (rest.length === 0) await this.#folder.remove(oldest);
      else {
        await this.#folder.replace(REST_FILE, rest.map((text) => `${text}\n`).join(''));
        await this.#folder.rename(REST_FILE, oldest);
      }
      if (oldest === FILE) this.#bytes = rest.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
      return { count: taken.length, isMore: rest.length + others.length > 0 };
    });
  }

  async #add(texts: readonly string[]): Promise<void> {
    const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
    if (this.#bytes > 0 && this.#bytes + bytes.length > this.#fileBytes) {
      await this.#folder.rename(FILE, PREVIOUS_FILE);
      this.#bytes = 0;
    }
    await this.#folder.append(FILE, bytes);
    this.#bytes += bytes.length;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}
