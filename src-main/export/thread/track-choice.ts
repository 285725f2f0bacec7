import type { ArchiveRow, RowChunks } from './archive-rows.ts';

/** Selects the tracks of an archive to export: the named ones, or the first video track and all audio. */
export class TrackChoice {
  readonly #ids: ReadonlySet<string> | undefined;
  #videoId: string | undefined;

  constructor(ids: readonly string[] | undefined) {
    this.#ids = ids && new Set(ids);
  }

  /** Chosen tracks of a row. Rows must come in order. */
  of({ chunks }: ArchiveRow): readonly RowChunks[] {
    const ids = this.#ids;
    if (ids) return chunks.filter(({ track }) => ids.has(track.id));
    this.#videoId ??= chunks.find(({ track }) => track.content === 'video')?.track.id;
    return chunks.filter(({ track }) => track.content === 'audio' || track.id === this.#videoId);
  }
}
