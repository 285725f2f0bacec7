import { randomUUID } from 'node:crypto';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { ArchiveEpisode, ArchiveEpisodes } from '../../dvr/keep/archive-episodes.ts';
import type { EventEmitter } from '../../events/event-bus.ts';
import type { Clock } from '../../lib/clock.ts';
import { every } from '../../lib/timers.ts';
import type { ChangedBy } from '../../operators/caller.ts';

/** Writable fields of an episode. */
export type WrittenEpisode = Omit<ArchiveEpisode, 'by' | 'atMs' | 'expiresMs'> & {
  /** Expiry in epoch milliseconds; null for never; undefined for the default of the storage. */
  readonly expiresMs: number | null | undefined;
};

export interface EpisodeServiceDeps {
  /** Undefined if episodes cannot be stored. */
  readonly episodes: ArchiveEpisodes | undefined;
  readonly clock: Clock;
  readonly events: EventEmitter;
  /** Default time for which episodes of a stream are kept after their end, in milliseconds; null for no limit. */
  readonly keptMs: (stream: string) => number | null;
  /** Reports whether the clock is trusted, so that episodes may expire; if absent, it always is. */
  readonly mayExpire?: () => boolean;
  /** Called when a range is no longer protected and may be past its limits. */
  readonly released: () => void;
  /** Called when expired episodes could not be removed; they stay. */
  readonly failed: (error: unknown) => void;
}

/** Interval between two checks for expired episodes, in milliseconds. */
const EXPIRY_MS = 10_000;
const BY_TIME: ChangedBy = { who: 'retention', fromWhere: 'timer' };

/** Episodes of archives, and operators' actions on them. Every change emits an event with its author. */
export class EpisodeService {
  readonly #deps: EpisodeServiceDeps;
  readonly #stop: () => void;

  constructor(deps: EpisodeServiceDeps) {
    this.#deps = deps;
    this.#stop = every(deps.clock, EXPIRY_MS, () => {
      this.#expire();
    });
  }

  close(): void {
    this.#stop();
  }

  /** All episodes. Raises `unavailable` if they cannot be stored, as all methods do. */
  list(): Iterable<ArchiveEpisode> {
    return this.#episodes().list();
  }

  find(id: string): ArchiveEpisode | undefined {
    return this.#episodes().find(id);
  }

  /** Unused id. */
  newId(): string {
    return randomUUID();
  }

  /** Creates an episode, or replaces the episode with its id. Raises `archive_locks_full` if there are too many. */
  put(written: WrittenEpisode, by: ChangedBy): ArchiveEpisode {
    const { clock, keptMs, released } = this.#deps;
    const episodes = this.#episodes();
    const keptFor = keptMs(written.stream);
    const expiresMs = written.expiresMs === undefined ? keptFor && written.endMs + keptFor : written.expiresMs;
    const episode = { ...written, expiresMs, by: by.who, atMs: clock.now() };
    const before = episodes.find(episode.id);
    if (!episodes.put(episode))
      throw new AirdeskError('archive_locks_full', `${episode.stream} or all streams together have too many episodes`);
    this.#emit('dvr_locked', episode, by);
    if (before) released();
    return episode;
  }

  /** Removes an episode. The limits of the archive then apply to its range. @returns false if there is none */
  remove(id: string, by: ChangedBy): boolean {
    const removed = this.#episodes().remove(id);
    if (!removed) return false;
    this.#emit('dvr_unlocked', removed, by);
    this.#deps.released();
    return true;
  }

  #expire(): void {
    const { episodes, clock, released, failed, mayExpire } = this.#deps;
    if (mayExpire?.() === false) return;
    try {
      const past = episodes?.expire(clock.now()) ?? [];
      for (const episode of past) this.#emit('dvr_unlocked', episode, BY_TIME);
      if (past.length > 0) released();
    } catch (error) {
      failed(error);
    }
  }

  #emit(
    kind: 'dvr_locked' | 'dvr_unlocked',
    { id, stream, startMs, endMs, title }: ArchiveEpisode,
    by: ChangedBy,
  ): void {
    const time = { from: startMs, duration_ms: endMs - startMs };
    this.#deps.events.emit(kind, {
      media: stream,
      ...time,
      note: title,
      episode: id,
      by: by.who,
      origin: by.fromWhere,
    });
  }

  #episodes(): ArchiveEpisodes {
    const { episodes } = this.#deps;
    if (!episodes)
      throw new AirdeskError('unavailable', 'Episodes cannot be stored, because the database cannot be opened');
    return episodes;
  }
}
