import type { Clock } from '../../lib/clock.ts';
import { keepNewest } from '../../lib/limits/newest.ts';
import type { Clip, ClipSource, MissingClip } from './clip.ts';
import { inStream } from './clip-in-stream.ts';
import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';

export interface ClipSupply {
  readonly clock: Clock;
  readonly files: ClipFiles;
}

/** Files of VOD locations as clips, with a segment for each second. */
interface ClipFiles {
  /** Reads a file, or checks whether it has changed. Never rejects. */
  open(path: string): Promise<Clip | MissingClip>;
}

/** Maximum time that a viewer waits for the clips of the decision, in milliseconds. */
const READ_MS = 1000;
/** Maximum number of cached clips. The clips whose last check is the oldest are dropped first. */
const MAX_CACHED = 10_000;
/** Time that a clip is left out after a failed read, in milliseconds. */
const FAULT_MS = 30_000;
/** Time after which a clip file is checked for changes, in milliseconds. */
const FRESH_MS = 2000;

/** Cached clips of all decisions, in the state of their files at the last check. */
export class CachedClips {
  readonly #clock: Clock;
  readonly #files: ClipFiles;
  readonly #cached = new Map<string, { readonly clip: Clip | MissingClip; probedMs: number }>();
  /** Clips that could not be read, each with the end of its exclusion in epoch milliseconds. */
  readonly #faults = new Map<string, { readonly why: Explained; readonly untilMs: number }>();

  constructor({ clock, files }: ClipSupply) {
    this.#clock = clock;
    this.#files = files;
  }

  readonly source: ClipSource = (path, stream) => {
    const fault = this.#faults.get(path);
    if (fault && this.#clock.now() < fault.untilMs) return { path, reason: 'clip_unusable', ...fault.why };
    if (fault) this.#faults.delete(path);
    const clip = this.#cached.get(path)?.clip;
    if (!clip) return { path, reason: 'clip_not_ready', ...because('ad_clip_not_read', { path }) };
    return stream && !('reason' in clip) ? inStream(clip, stream) : clip;
  };

  /** Excludes a clip for a while after its media could not be read. */
  readonly unreadable = ({ path }: Clip, why: Explained): void => {
    this.#faults.set(path, { why, untilMs: this.#clock.now() + FAULT_MS });
  };

  /** Reads clips; resolves after at most `READ_MS`. */
  async prepare(paths: readonly string[]): Promise<void> {
    await new Promise<void>((resolve) => {
      const stop = this.#clock.after(READ_MS, resolve);
      void Promise.all(paths.map((path) => this.#probe(path))).then(() => {
        stop();
        resolve();
      });
    });
  }

  /** Checks clip files for changes, at most every `FRESH_MS`. */
  refresh(paths: readonly string[]): void {
    const nowMs = this.#clock.now();
    for (const path of paths)
      if (nowMs - (this.#cached.get(path)?.probedMs ?? -Infinity) > FRESH_MS) void this.#probe(path);
  }

  /** Drops all clips, because the configuration of their locations has changed. */
  forget(): void {
    this.#cached.clear();
    this.#faults.clear();
  }

  async #probe(path: string): Promise<void> {
    const cached = this.#cached.get(path);
    const probedMs = this.#clock.now();
    if (cached) cached.probedMs = probedMs;
    const clip = await this.#files.open(path);
    this.#cached.delete(path);
    this.#cached.set(path, { clip, probedMs });
    keepNewest(this.#cached, MAX_CACHED);
  }
}
