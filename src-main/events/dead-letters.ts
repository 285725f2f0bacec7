import type { QueueFolder } from './queue-folder.ts';

/** Size at which a file of dead letters is put aside, in bytes; one previous file is kept. */
const FILE_BYTES = 8 * 1024 * 1024;
const FILE = 'dead-letters.jsonl';
const PREVIOUS_FILE = 'dead-letters.1.jsonl';

/** Events that a sink never took, one a line, to be sent by hand. The oldest are dropped when the files are full. */
export class DeadLetters {
  readonly #folder: QueueFolder;
  readonly #fileBytes: number;
  #bytes: number;

  private constructor(folder: QueueFolder, fileBytes: number, bytes: number) {
    this.#folder = folder;
    this.#fileBytes = fileBytes;
    this.#bytes = bytes;
  }

  /** Opens the file of a folder. */
  static async open(folder: QueueFolder, fileBytes: number = FILE_BYTES): Promise<DeadLetters> {
    const file = (await folder.list()).find(({ name }) => name === FILE);
    return new DeadLetters(folder, fileBytes, file?.bytes ?? 0);
  }

  /** Adds events as JSON. */
  async add(texts: readonly string[]): Promise<void> {
    const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
    if (this.#bytes > 0 && this.#bytes + bytes.length > this.#fileBytes) {
      await this.#folder.rename(FILE, PREVIOUS_FILE);
      this.#bytes = 0;
    }
    await this.#folder.append(FILE, bytes);
    this.#bytes += bytes.length;
  }
}
