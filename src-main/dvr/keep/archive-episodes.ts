import type { TimeRange } from '../catalog/catalog-store.ts';
import type { LockedTimes } from './archive-locks.ts';
import { isAllLocked, locksIn } from './lock-set.ts';

/** A part of an archive with a title, such as a programme, that no limit deletes until it expires. Times are epoch milliseconds. */
export interface ArchiveEpisode extends TimeRange {
  readonly id: string;
  readonly stream: string;
  /** May be empty, as `note`. */
  readonly title: string;
  readonly note: string;
  /** Until when it is kept; null for ever. */
  readonly expiresMs: number | null;
  /** Login of who changed it last, and when. */
  readonly by: string;
  readonly atMs: number;
}

/** Where episodes outlast a restart. Raises what keeps it from that. */
export interface EpisodeStore {
  /** All of them. */
  all(): Iterable<ArchiveEpisode>;
  put(episode: ArchiveEpisode): void;
  remove(ids: readonly string[]): void;
}

/** Most episodes of one stream, and of all: they are held in memory. */
export const MAX_EPISODES = 20_000;
const MAX_EPISODES_IN_ALL = 200_000;

interface StreamEpisodes {
  readonly byId: Map<string, ArchiveEpisode>;
  /** What they keep, joined and in order; undefined after a change. */
  kept: readonly TimeRange[] | undefined;
}

/** The episodes of all archives: in memory for who asks, and in a store. They may overlap. A change that cannot be stored does not take place. */
export class ArchiveEpisodes implements LockedTimes {
  readonly #store: EpisodeStore;
  readonly #all = new Map<string, ArchiveEpisode>();
  readonly #streams = new Map<string, StreamEpisodes>();
  /** When the first of them expires, in epoch milliseconds. */
  #firstExpiryMs = Infinity;

  /** Reads all that there are. Raises what the store does. */
  constructor(store: EpisodeStore) {
    this.#store = store;
    for (const episode of store.all()) this.#take(episode);
  }

  /** All of them, in the order of their coming. */
  list(): Iterable<ArchiveEpisode> {
    return this.#all.values();
  }

  find(id: string): ArchiveEpisode | undefined {
    return this.#all.get(id);
  }

  hasLocked(stream: string, time: TimeRange): boolean {
    return locksIn(this.#kept(stream), time).length > 0;
  }

  isAllLocked(stream: string, time: TimeRange): boolean {
    return isAllLocked(this.#kept(stream), time);
  }

  /** Makes an episode, or replaces the one of its id. @returns whether there was room for it */
  put(episode: ArchiveEpisode): boolean {
    const known = this.#all.get(episode.id);
    const ofStream = this.#streams.get(episode.stream)?.byId.size ?? 0;
    const isMore = known?.stream !== episode.stream;
    if ((isMore && ofStream >= MAX_EPISODES) || (!known && this.#all.size >= MAX_EPISODES_IN_ALL)) return false;
    this.#store.put(episode);
    if (known) this.#drop(known);
    this.#take(episode);
    return true;
  }

  /** @returns the episode as it was; undefined where there was none */
  remove(id: string): ArchiveEpisode | undefined {
    const known = this.#all.get(id);
    if (!known) return undefined;
    this.#store.remove([id]);
    this.#drop(known);
    return known;
  }

  /** Removes those that are past their time. @returns them @param nowMs epoch milliseconds */
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
    const known = this.#streams.get(stream) ?? { byId: new Map<string, ArchiveEpisode>(), kept: undefined };
    this.#streams.set(stream, known);
    known.byId.set(id, episode);
    known.kept = undefined;
    this.#all.set(id, episode);
    this.#firstExpiryMs = Math.min(this.#firstExpiryMs, expiresMs ?? Infinity);
  }

  #drop({ id, stream }: ArchiveEpisode): void {
    this.#all.delete(id);
    const known = this.#streams.get(stream);
    known?.byId.delete(id);
    if (known) known.kept = undefined;
    if (known?.byId.size === 0) this.#streams.delete(stream);
  }

  #kept(stream: string): readonly TimeRange[] {
    const known = this.#streams.get(stream);
    return known ? (known.kept ??= joined(known.byId.values())) : [];
  }
}

/** What some times have together, in order. */
function joined(times: Iterable<TimeRange>): readonly TimeRange[] {
  const all: { startMs: number; endMs: number }[] = [];
  for (const { startMs, endMs } of [...times].sort((a, b) => a.startMs - b.startMs)) {
    const last = all.at(-1);
    if (last && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
    else all.push({ startMs, endMs });
  }
  return all;
}

/** What several keep together. */
export function keptByAll(all: readonly LockedTimes[]): LockedTimes {
  return {
    hasLocked: (stream, time) => all.some((one) => one.hasLocked(stream, time)),
    // A time that only all of them together keep is looked at once more.
    isAllLocked: (stream, time) => all.some((one) => one.isAllLocked(stream, time)),
  };
}
