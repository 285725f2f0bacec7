import type { ArchiveRow, RowChunks } from './archive-rows.ts';

/** Which tracks of an archive are exported: those that were named, or the first picture that there is and all sound. */
export class TrackChoice {
  readonly #ids: ReadonlySet<string> | undefined;
  #videoId: string | undefined;

  constructor(ids: readonly string[] | undefined) {
    this.#ids = ids && new Set(ids);
  }

  /** The chosen tracks of a row. Rows come in order. */
  of({ chunks }: ArchiveRow): readonly RowChunks[] {
    const ids = this.#ids;
    if (ids) return chunks.filter(({ track }) => ids.has(track.id));
    this.#videoId ??= chunks.find(({ track }) => track.content === 'video')?.track.id;
    return chunks.filter(({ track }) => track.content === 'audio' || track.id === this.#videoId);
  }
}
