import type { Statement } from 'better-sqlite3';
import type { ArchiveBlock } from './archive-block.ts';
import type { Connection } from './database.ts';

/** Where a walk over the stretches of a stream goes on. */
interface StretchCursor {
  /** Begin of the last stretch that was read, in epoch milliseconds. */
  readonly startMs: number;
  readonly blockId: number;
}

/** What is asked of the catalog. Each call reads a bounded number of rows. */
export class ArchiveBlockReader {
  readonly #stretches: Statement<[string, number, number, number, number], [number, number, number]>;
  readonly #block: Statement<[number], Row>;
  readonly #paths: Statement<[string, string, string, string, number], string>;

  constructor(connection: Connection) {
    this.#stretches = connection
      .prepare<[string, number, number, number, number], [number, number, number]>(
        `SELECT start_ms, end_ms, block_id FROM archive_stretch
         WHERE stream_id = (SELECT id FROM archive_stream WHERE name = ?) AND (start_ms, block_id) > (?, ?) AND start_ms < ?
         ORDER BY start_ms, block_id LIMIT ?`,
      )
      .raw();
    this.#block = connection.prepare(
      `SELECT s.name AS stream, d.folder AS disk, b.path, b.start_ms AS startMs, b.end_ms AS endMs, b.size_bytes AS sizeBytes,
         b.is_discontinuity AS isDiscontinuity, f.tracks, i.packed AS packedIndex
       FROM archive_block b JOIN archive_stream s ON s.id = b.stream_id JOIN archive_disk d ON d.id = b.disk_id
         JOIN archive_format f ON f.id = b.format_id JOIN archive_index i ON i.block_id = b.id
       WHERE b.id = ?`,
    );
    this.#paths = connection
      .prepare<[string, string, string, string, number], string>(
        `SELECT path FROM archive_block
         WHERE disk_id = (SELECT id FROM archive_disk WHERE folder = ?) AND path > ? AND path < ?
           AND stream_id = (SELECT id FROM archive_stream WHERE name = ?)
         ORDER BY path LIMIT ?`,
      )
      .pluck();
  }

  /** Stretches that begin before `toMs`, by their begin, from one behind the cursor on. */
  stretches(
    stream: string,
    after: StretchCursor,
    toMs: number,
    most: number,
  ): readonly (readonly [startMs: number, endMs: number, blockId: number])[] {
    return this.#stretches.all(stream, after.startMs, after.blockId, toMs, most);
  }

  /** A block; undefined for one that is no more. */
  block(id: number): ArchiveBlock | undefined {
    const row = this.#block.get(id);
    return row && { ...row, isDiscontinuity: row.isDiscontinuity === 1 };
  }

  /** Paths of the blocks of a stream on a disk between two paths, neither of them among it, in their order. */
  paths(stream: string, disk: string, after: string, before: string, most: number): readonly string[] {
    return this.#paths.all(disk, after, before, stream, most);
  }
}

type Row = Omit<ArchiveBlock, 'isDiscontinuity'> & { readonly isDiscontinuity: number };
