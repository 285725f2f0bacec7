import type { ConfigFile } from '../config/config-file.ts';
import type { Clock } from '../lib/clock.ts';
import { every } from '../lib/timers.ts';

/** How often the file is looked at, in milliseconds. */
export const FILE_LOOK_MS = 2000;

/** Looks from time to time whether others changed the configuration file. The file is read only when its mark has changed. */
export class ConfigFileWatch {
  readonly #file: ConfigFile;
  readonly #stop: () => void;
  /** Mark of the file when it was last compared. */
  #mark: string | null | undefined;
  #isNewer = false;

  constructor(file: ConfigFile, clock: Clock) {
    this.#file = file;
    // One look at a time: a file system that hangs gets no second question.
    this.#stop = every(clock, FILE_LOOK_MS, () => this.#look());
  }

  /** Whether the file differed from what was last read or saved when it was last looked at. */
  get isNewer(): boolean {
    return this.#isNewer;
  }

  close(): void {
    this.#stop();
  }

  /** What is on disk is what is known: it was read or written by this server. */
  settle(): void {
    this.#isNewer = false;
    this.#mark = undefined;
  }

  async #look(): Promise<void> {
    const mark = await this.#file.mark();
    if (mark === this.#mark) return;
    // A file that cannot be read is not what is known, either.
    this.#isNewer = await this.#file.isChangedOnDisk().catch(() => true);
    this.#mark = mark;
  }
}
