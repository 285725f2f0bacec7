import { write } from 'node:fs';

/** Maximum number of buffered characters. */
const MAX_WAITING = 1024 * 1024;
/** Pause before a full descriptor is tried again, in milliseconds. */
const RETRY_MS = 50;

/** Writes bytes to a descriptor, as `write` of `node:fs`. */
export type WriteBytes = (
  descriptor: number,
  bytes: Buffer,
  offset: number,
  done: (error: NodeJS.ErrnoException | null, written: number) => void,
) => void;

/**
 * Writes lines to a file descriptor without blocking. Node writes to a pipe or terminal synchronously: a stopped terminal
 * would stop the server, and without a reader every line would be an error. This class buffers up to 1 MiB. Further lines
 * are dropped and counted; after an error it writes nothing.
 */
export class LineOutput {
  readonly #descriptor: number;
  readonly #write: WriteBytes;
  #waiting: string[] = [];
  #waitingLength = 0;
  #dropped = 0;
  #isWriting = false;
  #isClosed = false;
  #drained: (() => void)[] = [];

  constructor(
    descriptor: number,
    writeBytes: WriteBytes = (fd, bytes, offset, done) => {
      write(fd, bytes, offset, done);
    },
  ) {
    this.#descriptor = descriptor;
    this.#write = writeBytes;
  }

  /** Writes a line and its line feed when the descriptor accepts it. */
  line(text: string): void {
    if (this.#isClosed) return;
    if (this.#waitingLength > MAX_WAITING) {
      this.#dropped++;
      return;
    }
    this.#waiting.push(`${text}\n`);
    this.#waitingLength += text.length + 1;
    this.#next();
  }

  /** Resolves when all lines are written or writing has failed, at the latest after `timeoutMs`. */
  async drained(timeoutMs: number): Promise<void> {
    if (!this.#isWriting) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#drained.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #next(): void {
    if (this.#isWriting) return;
    if (this.#waiting.length === 0) {
      for (const drained of this.#drained.splice(0)) drained();
      return;
    }
    if (this.#dropped > 0) this.#waiting.push(`${this.#dropped} lines of the log were dropped: nothing read them\n`);
    this.#dropped = 0;
    const bytes = Buffer.from(this.#waiting.join(''));
    this.#waiting = [];
    this.#waitingLength = 0;
    this.#isWriting = true;
    this.#send(bytes, 0);
  }

  #send(bytes: Buffer, offset: number): void {
    this.#write(this.#descriptor, bytes, offset, (error, written) => {
      if (error?.code === 'EAGAIN' || error?.code === 'EINTR') {
        setTimeout(() => {
          this.#send(bytes, offset);
        }, RETRY_MS).unref();
        return;
      }
      if (error) {
        this.#isClosed = true;
        this.#waiting = [];
      } else if (offset + written < bytes.length) {
        this.#send(bytes, offset + written);
        return;
      }
      this.#isWriting = false;
      this.#next();
    });
  }
}

/** Standard error of this process. */
export const standardError = new LineOutput(2);

/**
 * Ignores errors of standard output and standard error, so that the server continues when their reader has exited. Later
 * output is lost.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
