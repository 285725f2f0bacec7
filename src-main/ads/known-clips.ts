import type { Clock } from '../lib/clock.ts';
import { keepNewest } from '../lib/limits/newest.ts';
import type { Clip, ClipSource, MissingClip } from './clip.ts';

/** Where clips come from. */
export interface ClipSupply {
  readonly clock: Clock;
  readonly files: ClipFiles;
}

/** Files of VOD locations as clips, with a segment for each second. */
interface ClipFiles {
  /** Reads a file, or looks whether it has changed. Never rejects. */
  open(path: string): Promise<Clip | MissingClip>;
}

/** How long a viewer waits for the clips of the decision, in milliseconds. */
const READ_MS = 1000;
/** Clips that are known, the longest unused go first. */
const MOST_KNOWN = 10_000;
/** A clip that could not be read is not shown for so long, in milliseconds. */
const FAULT_MS = 30_000;
/** After that time it is looked whether a clip is another one, in milliseconds. */
const FRESH_MS = 2000;

/** The clips of all decisions, as their files were when they were looked at last. */
export class KnownClips {
  readonly #clock: Clock;
  readonly #files: ClipFiles;
  readonly #known = new Map<string, { readonly clip: Clip | MissingClip; lookedMs: number }>();
  /** Clips that could not be read, and until when they are left out. */
  readonly #faults = new Map<string, { readonly detail: string; readonly untilMs: number }>();

  constructor({ clock, files }: ClipSupply) {
    this.#clock = clock;
    this.#files = files;
  }

  readonly source: ClipSource = (path) => {
    const fault = this.#faults.get(path);
    if (fault && this.#clock.now() < fault.untilMs) return { path, reason: 'clip_unusable', detail: fault.detail };
    if (fault) this.#faults.delete(path);
    return this.#known.get(path)?.clip ?? { path, reason: 'clip_not_ready', detail: `${path} was not read in time` };
  };

  /** Media of a clip could not be read: it is left out for a while. */
  readonly unreadable = ({ path }: Clip, detail: string): void => {
    this.#faults.set(path, { detail, untilMs: this.#clock.now() + FAULT_MS });
  };

  /** Reads clips, in bounded time. */
  async prepare(paths: readonly string[]): Promise<void> {
    await new Promise<void>((resolve) => {
      const stop = this.#clock.after(READ_MS, resolve);
      void Promise.all(paths.map((path) => this.#look(path))).then(() => {
        stop();
        resolve();
      });
    });
  }

  /** Looks whether the files of clips are others, now and then. */
  refresh(paths: readonly string[]): void {
    const nowMs = this.#clock.now();
    for (const path of paths)
      if (nowMs - (this.#known.get(path)?.lookedMs ?? -Infinity) > FRESH_MS) void this.#look(path);
  }

  /** Clips may be others: the configuration of their locations has changed. */
  forget(): void {
    this.#known.clear();
    this.#faults.clear();
  }

  async #look(path: string): Promise<void> {
    const known = this.#known.get(path);
    const lookedMs = this.#clock.now();
    if (known) known.lookedMs = lookedMs;
    const clip = await this.#files.open(path);
    this.#known.delete(path);
    this.#known.set(path, { clip, lookedMs });
    keepNewest(this.#known, MOST_KNOWN);
  }
}
