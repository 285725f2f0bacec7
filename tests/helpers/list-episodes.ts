import type { ArchiveEpisode, EpisodeStore } from '../../src-main/dvr/keep/archive-episodes.ts';

/** Episodes in a list. */
export class ListEpisodes implements EpisodeStore {
  episodes: ArchiveEpisode[] = [];
  /** Error that changes throw. */
  fault: Error | undefined;

  all(): Iterable<ArchiveEpisode> {
    return this.episodes;
  }

  put(episode: ArchiveEpisode): void {
    if (this.fault) throw this.fault;
    this.remove([episode.id]);
    this.episodes.push(episode);
  }

  remove(ids: readonly string[]): void {
    if (this.fault) throw this.fault;
    this.episodes = this.episodes.filter(({ id }) => !ids.includes(id));
  }
}
