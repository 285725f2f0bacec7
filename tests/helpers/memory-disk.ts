import type { ConfigFileSystem } from '../../src-main/config/config-file.ts';

/** Disk in memory of a process that is killed at a given step. Later steps are not executed. */
export class MemoryDisk {
  readonly files = new Map<string, Uint8Array>();
  /** Number of steps until the process is killed. */
  stepsLeft = Number.POSITIVE_INFINITY;

  /** Whether the process was killed. */
  get isDead(): boolean {
    return this.stepsLeft < 0;
  }

  /** Executes a step of the process; throws if the process is killed before the step. */
  step(): void {
    if (--this.stepsLeft < 0) throw new Error('killed');
  }

  /** Text of a file; undefined if there is none. */
  text(path: string): string | undefined {
    const bytes = this.files.get(path);
    return bytes && new TextDecoder().decode(bytes);
  }

  /** Writes a text to a file, like another program. */
  put(path: string, text: string): void {
    this.files.set(path, new TextEncoder().encode(text));
  }

  /** File system view of the disk. */
  get fileSystem(): ConfigFileSystem {
    const { files } = this;
    const read = (path: string): Uint8Array => {
      const bytes = files.get(path);
      if (!bytes) throw Object.assign(new Error(`${path} is not there`), { code: 'ENOENT' });
      return bytes;
    };
    return {
      open: async (path, flags) => {
        if (flags === 'r') throw new Error('folders cannot be opened here');
        this.step();
        files.set(path, new Uint8Array());
        return Promise.resolve({
          writeFile: async (data) => {
            const bytes = data instanceof Uint8Array ? data : new Uint8Array();
            // An interrupted write leaves the start of its data.
            if (this.stepsLeft === 0) files.set(path, bytes.slice(0, bytes.length >> 1));
            this.step();
            files.set(path, bytes.slice());
            return Promise.resolve();
          },
          sync: async () => {
            this.step();
            return Promise.resolve();
          },
          close: () => Promise.resolve(),
          chown: () => Promise.resolve(),
          chmod: () => Promise.resolve(),
        });
      },
      readFile: async (path) => Promise.resolve(read(path)),
      realpath: (path) => Promise.resolve(path),
      rename: async (from, to) => {
        this.step();
        files.set(to, read(from));
        files.delete(from);
        return Promise.resolve();
      },
      stat: async (path) =>
        Promise.resolve({ mode: 0o600, uid: 0, gid: 0, size: read(path).length, ino: 0, mtimeMs: 0 }),
      unlink: async (path) => {
        this.step();
        files.delete(path);
        return Promise.resolve();
      },
      readdir: () => Promise.resolve([]),
    };
  }
}
