import { write } from 'node:fs';

/** Most text that waits for its reader, in characters. */
const MOST_WAITING = 1024 * 1024;
/** Pause before a descriptor is tried again that takes nothing now. */
const RETRY_MS = 50;

/** How bytes are written to a descriptor: as `write` of `node:fs`. */
export type WriteBytes = (
  descriptor: number,
  bytes: Buffer,
  offset: number,
  done: (error: NodeJS.ErrnoException | null, written: number) => void,
) => void;

/**
 * Lines to an open file descriptor without ever waiting for it. Node writes to a pipe or a terminal while the thread stands still, so a terminal that
 * was stopped would stop the server; and a reader that is gone makes every line an error. Here lines wait, up to 1 MiB; more are dropped and counted, and
 * after an error nothing is written any more.
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

  /** Writes a line, with its end, as soon as the descriptor takes it. */
  line(text: string): void {
    if (this.#isClosed) return;
    if (this.#waitingLength > MOST_WAITING) {
      this.#dropped++;
      return;
    }
    this.#waiting.push(`${text}\n`);
    this.#waitingLength += text.length + 1;
    this.#next();
  }

  /** Resolves when all lines are written or cannot be, at the latest after a time in milliseconds. */
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

/** Lets a reader of standard output or standard error go, which is no fault of the server. What others print there goes on without an effect. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
