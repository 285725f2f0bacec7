import type { StreamUnit } from '../../stream/stream-hub.ts';
import { TsFeed, type TsFeedOptions, type TsFeedSettings } from './ts-feed.ts';

interface UsedFeed {
  readonly feed: TsFeed;
  users: number;
}

/** Transport streams of a stream: one for all targets with the same settings and tracks. */
export class TsFeeds {
  readonly #options: Omit<TsFeedOptions, 'settings'>;
  readonly #feeds = new Map<string, UsedFeed>();

  constructor(options: Omit<TsFeedOptions, 'settings'>) {
    this.#options = options;
  }

  /**
   * Uses the feed with these settings until `release`.
   * @param tracks ids of the tracks; undefined for all
   */
  acquire(
    settings: TsFeedSettings,
    tracks?: readonly string[],
  ): { readonly feed: TsFeed; readonly release: () => void } {
    const key = JSON.stringify([settings, tracks]);
    const used = this.#feeds.get(key) ?? { feed: new TsFeed({ ...this.#options, settings }), users: 0 };
    this.#feeds.set(key, used);
    used.users++;
    const release = (): void => {
      if (--used.users === 0) this.#feeds.delete(key);
    };
    return { feed: used.feed, release };
  }

  /** Takes the next unit of the stream, before the targets get it. */
  next(unit: StreamUnit): void {
    for (const { feed } of this.#feeds.values()) feed.next(unit);
  }

  /** Takes a splice information section, whose times are those of the stream. */
  splice(section: Uint8Array): void {
    for (const { feed } of this.#feeds.values()) feed.splice(section);
  }
}
