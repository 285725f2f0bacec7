import type { QueueFolder } from '../../src-main/events/queue-folder.ts';

/** Error of operations on a folder that has crashed. */
class Crash extends Error {}

/** Folder in memory that can crash during an operation, like a killed process or a failing disk. */
export class CrashingFolder implements QueueFolder {
  readonly files = new Map<string, Buffer>();
  /** Number of changes of files until the crash. */
  changesLeft = Number.POSITIVE_INFINITY;
  /** Fraction of the bytes of a crashing append that reach the file. */
  tornShare = 0;
  /** Whether appends and truncations fail halfway while the process continues. */
  isFull = false;

  list(): Promise<{ name: string; bytes: number }[]> {
    return Promise.resolve([...this.files].map(([name, bytes]) => ({ name, bytes: bytes.length })));
  }

  read(name: string, from: number, bytes: number): Promise<Buffer> {
    const file = this.files.get(name);
    return file
      ? Promise.resolve(file.subarray(from, from + bytes))
      : Promise.reject(new Error(`there is no file ${name}`));
  }

  append(name: string, bytes: Buffer): Promise<void> {
    const before = this.files.get(name) ?? Buffer.alloc(0);
    const write = (share: number): void => {
      this.files.set(name, Buffer.concat([before, bytes.subarray(0, Math.floor(bytes.length * share))]));
    };
    if (this.isFull) {
      write(this.tornShare);
      return Promise.reject(new Error('no space left on device'));
    }
    return this.#change(
      () => {
        write(1);
      },
      () => {
        write(this.tornShare);
      },
    );
  }

  truncate(name: string, bytes: number): Promise<void> {
    if (this.isFull) return Promise.reject(new Error('the disk does not answer'));
    return this.#change(() => this.files.set(name, (this.files.get(name) ?? Buffer.alloc(0)).subarray(0, bytes)));
  }

  replace(name: string, text: string): Promise<void> {
    return this.#change(() => this.files.set(name, Buffer.from(text)));
  }

  rename(from: string, to: string): Promise<void> {
    return this.#change(() => {
      this.files.set(to, this.files.get(from) ?? Buffer.alloc(0));
      this.files.delete(from);
    });
  }

  remove(name: string): Promise<void> {
    return this.#change(() => this.files.delete(name));
  }

  sync(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #change(complete: () => unknown, half: () => unknown = () => undefined): Promise<void> {
    if (this.changesLeft-- > 0) {
      complete();
      return Promise.resolve();
    }
    if (this.changesLeft === -1) half();
    return Promise.reject(new Crash('the process was killed'));
  }
}
