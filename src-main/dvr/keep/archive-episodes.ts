import type { TimeRange } from '../catalog/catalog-store.ts';
import type { LockedTimes } from './archive-locks.ts';
import { isAllLocked, locksIn } from './lock-set.ts';

/** Titled part of an archive, such as a programme, that no limit deletes until it expires. Times are epoch milliseconds. */
export interface ArchiveEpisode extends TimeRange {
  readonly id: string;
  readonly stream: string;
  /** Title; may be empty, like `note`. */
  readonly title: string;
  readonly note: string;
  /** Expiry; null for never. */
  readonly expiresMs: number | null;
  /** Login of the last editor, and time of the change. */
  readonly by: string;
  readonly atMs: number;
}

/** Storage port of episodes across restarts. Throws its errors. */
export interface EpisodeStore {
  all(): Iterable<ArchiveEpisode>;
  put(episode: ArchiveEpisode): void;
  remove(ids: readonly string[]): void;
}

/** Maximum number of episodes of one stream, and of all streams. Episodes are in memory. */
export const MAX_EPISODES = 20_000;
const MAX_EPISODES_IN_ALL = 200_000;

interface StreamEpisodes {
  readonly byId: Map<string, ArchiveEpisode>;
  /** Protected ranges, joined and in order; undefined after a change. */
  retained: readonly TimeRange[] | undefined;
}

/**
 * Episodes of all archives, in memory for queries and in a store. They may overlap. A change that cannot be stored has no effect.
 */
export class ArchiveEpisodes implements LockedTimes {
  readonly #store: EpisodeStore;
  readonly #all = new Map<string, ArchiveEpisode>();
  readonly #streams = new Map<string, StreamEpisodes>();
  /** Earliest expiry in epoch milliseconds. */
  #firstExpiryMs = Infinity;

  /** Loads all episodes. Throws errors of the store. */
  constructor(store: EpisodeStore) {
    this.#store = store;
    for (const episode of store.all()) this.#take(episode);
  }

  /** All episodes in order of creation. */
  list(): Iterable<ArchiveEpisode> {
    return this.#all.values();
  }

  find(id: string): ArchiveEpisode | undefined {
    return this.#all.get(id);
  }

  hasLocked(stream: string, time: TimeRange): boolean {
    return locksIn(this.#retained(stream), time).length > 0;
  }

  isAllLocked(stream: string, time: TimeRange): boolean {
    return isAllLocked(this.#retained(stream), time);
  }

  /** Adds an episode, or replaces the episode with its id. @returns whether there was room for it */
  put(episode: ArchiveEpisode): boolean {
    const existing = this.#all.get(episode.id);
    const ofStream = this.#streams.get(episode.stream)?.byId.size ?? 0;
    const isMore = existing?.stream !== episode.stream;
    if ((isMore && ofStream >= MAX_EPISODES) || (!existing && this.#all.size >= MAX_EPISODES_IN_ALL)) return false;
    this.#store.put(episode);
    if (existing) this.#drop(existing);
    this.#take(episode);
    return true;
  }

  /** @returns the removed episode; undefined if there was none */
  remove(id: string): ArchiveEpisode | undefined {
    const existing = this.#all.get(id);
    if (!existing) return undefined;
    this.#store.remove([id]);
    this.#drop(existing);
    return existing;
  }

  /** Removes and returns expired episodes. @param nowMs epoch milliseconds */
  expire(nowMs: number): readonly ArchiveEpisode[] {
    if (nowMs < this.#firstExpiryMs) return [];
    const past = [...this.#all.values()].filter(({ expiresMs }) => expiresMs !== null && expiresMs <= nowMs);
    if (past.length > 0) this.#store.remove(past.map(({ id }) => id));
    for (const episode of past) this.#drop(episode);
    this.#firstExpiryMs = Infinity;
    for (const { expiresMs } of this.#all.values())
      this.#firstExpiryMs = Math.min(this.#firstExpiryMs, expiresMs ?? Infinity);
    return past;
  }

  #take(episode: ArchiveEpisode): void {
    const { id, stream, expiresMs } = episode;
    const episodes = this.#streams.get(stream) ?? { byId: new Map<string, ArchiveEpisode>(), retained: undefined };
    this.#streams.set(stream, episodes);
    episodes.byId.set(id, episode);
    episodes.retained = undefined;
    this.#all.set(id, episode);
    this.#firstExpiryMs = Math.min(this.#firstExpiryMs, expiresMs ?? Infinity);
  }

  #drop({ id, stream }: ArchiveEpisode): void {
    this.#all.delete(id);
    const episodes = this.#streams.get(stream);
    episodes?.byId.delete(id);
    if (episodes) episodes.retained = undefined;
    if (episodes?.byId.size === 0) this.#streams.delete(stream);
  }

  #retained(stream: string): readonly TimeRange[] {
    const episodes = this.#streams.get(stream);
    return episodes ? (episodes.retained ??= joined(episodes.byId.values())) : [];
  }
}

/** Union of some time ranges, in order. */
function joined(times: Iterable<TimeRange>): readonly TimeRange[] {
  const all: { startMs: number; endMs: number }[] = [];
  for (const { startMs, endMs } of [...times].sort((a, b) => a.startMs - b.startMs)) {
    const last = all.at(-1);
    if (last && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
    else all.push({ startMs, endMs });
  }
  return all;
}

/** Combines several sources of protected times. */
export function lockedByAny(all: readonly LockedTimes[]): LockedTimes {
  return {
    hasLocked: (stream, time) => all.some((one) => one.hasLocked(stream, time)),
    // A range that several sources cover only together counts as not completely locked, which costs another check.
    isAllLocked: (stream, time) => all.some((one) => one.isAllLocked(stream, time)),
  };
}
