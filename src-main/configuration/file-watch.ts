import type { ConfigFile } from '../config/config-file.ts';
import type { Clock } from '../lib/clock.ts';
import { every } from '../lib/timers.ts';

/** Interval between two checks of the file, in milliseconds. */
export const FILE_CHECK_MS = 2000;

/** Checks at intervals whether others changed the configuration file. Reads the file only if its mark changed. */
export class ConfigFileWatch {
  readonly #file: ConfigFile;
  readonly #stop: () => void;
  /** Mark of the file at the last comparison. */
  #mark: string | null | undefined;
  #isNewer = false;

  constructor(file: ConfigFile, clock: Clock) {
    this.#file = file;
    // Only one check runs at a time, so that a hanging file system gets no second request.
    this.#stop = every(clock, FILE_CHECK_MS, () => this.#check());
  }

  /** Whether the file differed at the last check from the text that was last read or saved. */
  get isNewer(): boolean {
    return this.#isNewer;
  }

  close(): void {
    this.#stop();
  }

  /** Records that this server has just read or written the file. */
  settle(): void {
    this.#isNewer = false;
    this.#mark = undefined;
  }

  async #check(): Promise<void> {
    const mark = await this.#file.mark();
    if (mark === this.#mark) return;
    // An unreadable file counts as changed.
    this.#isNewer = await this.#file.isChangedOnDisk().catch(() => true);
    this.#mark = mark;
  }
}
