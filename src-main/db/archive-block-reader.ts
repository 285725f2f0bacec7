import type { Statement } from 'better-sqlite3';
import type { ArchiveBlock } from './archive-block.ts';
import type { Connection } from './database.ts';

/** Position after which the next ranges of a stream are read. */
interface RangeCursor {
  /** Start of the last range that was read, epoch milliseconds. */
  readonly startMs: number;
  readonly blockId: number;
}

/**
 * Factor for packing a range into one number: (start - base) * factor + length, for lengths of at most two minutes.
 * Reading one number per row takes a third of the time of reading three.
 */
const TIME_FACTOR = 2 ** 17;
/** Maximum distance of the start from the base, in milliseconds. Larger numbers would not be exact. */
const MAX_OFFSET_MS = 2 ** 36;

/** Page of time ranges. */
interface Times {
  /** Alternating starts and ends, ordered by start. */
  readonly times: Float64Array<ArrayBuffer>;
  /** Start of the next page if there may be one. Ranges with this start may already be in this page. */
  readonly nextMs?: number;
}

/** Queries of the catalog. Each call reads a bounded number of rows. */
export class ArchiveBlockReader {
  readonly #storedRanges: Statement<[string, number, number, number, number], [number, number, number]>;
  readonly #first: Statement<[string, number], number>;
  readonly #times: Statement<[TimesQuery], number>;
  readonly #block: Statement<[number], Row>;
  readonly #paths: Statement<[string, string, string, string, number], string>;
  readonly #find: Statement<[string, string], BlockExtent>;
  readonly #usage: Statement<[{ readonly stream: string; readonly disk: string; readonly limit: number }], Usage>;
  readonly #sum: Statement<[string], { readonly blocks: number | null; readonly bytes: number | null }>;
  readonly #ends: Statement<[string], Ends>;

  constructor(connection: Connection) {
    this.#storedRanges = connection
      .prepare<[string, number, number, number, number], [number, number, number]>(
        `SELECT start_ms, end_ms, block_id FROM archive_range
         WHERE stream_id = (SELECT id FROM archive_stream WHERE name = ?) AND (start_ms, block_id) > (?, ?) AND start_ms < ?
         ORDER BY start_ms, block_id LIMIT ?`,
      )
      .raw();
    this.#first = connection
      .prepare<[string, number], number>(
        `SELECT start_ms FROM archive_range
         WHERE stream_id = (SELECT id FROM archive_stream WHERE name = ?) AND start_ms >= ? ORDER BY start_ms LIMIT 1`,
      )
      .pluck();
    this.#times = connection
      .prepare<[TimesQuery], number>(
        `SELECT (start_ms - @fromMs) * ${TIME_FACTOR} + (end_ms - start_ms) FROM archive_range
         WHERE stream_id = (SELECT id FROM archive_stream WHERE name = @stream) AND start_ms >= @fromMs AND start_ms < @toMs
         ORDER BY start_ms, block_id LIMIT @limit`,
      )
      .pluck();
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
    this.#find = connection.prepare(
      `SELECT start_ms AS startMs, end_ms AS endMs, size_bytes AS sizeBytes FROM archive_block
       WHERE disk_id = (SELECT id FROM archive_disk WHERE folder = ?) AND path = ?`,
    );
    this.#usage = connection.prepare(
      `SELECT s.name AS stream, d.folder AS disk, u.blocks, u.bytes
       FROM archive_stream s CROSS JOIN archive_usage u ON u.stream_id = s.id JOIN archive_disk d ON d.id = u.disk_id
       WHERE s.name >= @stream AND (s.name, d.folder) > (@stream, @disk) ORDER BY s.name, d.folder LIMIT @limit`,
    );
    this.#sum = connection.prepare(
      `SELECT sum(blocks) AS blocks, sum(bytes) AS bytes FROM archive_usage
       WHERE stream_id = (SELECT id FROM archive_stream WHERE name = ?)`,
    );
    // No range is longer than two minutes, so the newest end belongs to one of the last starts.
    this.#ends = connection.prepare(
      `SELECT
         (SELECT start_ms FROM archive_range WHERE stream_id = s.id ORDER BY start_ms, block_id LIMIT 1) AS startMs,
         (SELECT max(end_ms) FROM
           (SELECT end_ms FROM archive_range WHERE stream_id = s.id ORDER BY start_ms DESC, block_id DESC LIMIT 16)
         ) AS endMs
       FROM archive_stream s WHERE s.name = ?`,
    );
  }

  /**
   * Ranges that start before `toMs`, ordered by start, after the cursor: start, end and number of each block in sequence.
   */
  storedRanges(stream: string, after: RangeCursor, toMs: number, limit: number): Float64Array<ArrayBuffer> {
    const rows = this.#storedRanges.all(stream, after.startMs, after.blockId, toMs, limit);
    const packed = new Float64Array(rows.length * 3);
    for (let row = 0; row < rows.length; row++) packed.set(rows[row] as [number, number, number], row * 3);
    return packed;
  }

  /** Time ranges with media that start in a range. @param limit maximum number, two or more */
  times(stream: string, fromMs: number, toMs: number, limit: number): Times {
    const firstMs = this.#first.get(stream, fromMs);
    if (firstMs === undefined || firstMs >= toMs) return { times: new Float64Array() };
    const endMs = Math.min(toMs, firstMs + MAX_OFFSET_MS);
    const rows = this.#times.all({ stream, fromMs: firstMs, toMs: endMs, limit });
    const times = new Float64Array(rows.length * 2);
    let startMs = firstMs;
    for (let row = 0; row < rows.length; row++) {
      const packed = rows[row] ?? 0;
      const offsetMs = Math.floor(packed / TIME_FACTOR);
      startMs = firstMs + offsetMs;
      times[row * 2] = startMs;
      times[row * 2 + 1] = startMs + (packed - offsetMs * TIME_FACTOR);
    }
    if (rows.length < limit) return endMs < toMs ? { times, nextMs: endMs } : { times };
    return { times, nextMs: startMs > firstMs ? startMs : startMs + 1 };
  }

  /** Block by its number; undefined if it was removed. */
  block(id: number): ArchiveBlock | undefined {
    const row = this.#block.get(id);
    return row && { ...row, isDiscontinuity: row.isDiscontinuity === 1 };
  }

  /** Paths of a stream's blocks on a disk between two paths, both excluded, in order. */
  paths(stream: string, disk: string, after: string, before: string, limit: number): readonly string[] {
    return this.#paths.all(disk, after, before, stream, limit);
  }

  /** Time range and size of a block by its path; undefined if there is none. */
  find(disk: string, path: string): BlockExtent | undefined {
    return this.#find.get(disk, path);
  }

  /** Disk use by streams, ordered by stream name, after the cursor. */
  usage({ stream, disk }: Pick<Usage, 'stream' | 'disk'>, limit: number): readonly Usage[] {
    return this.#usage.all({ stream, disk, limit });
  }

  /** Totals of a stream's archive, with its first and last time; undefined if it has none. */
  extent(stream: string): (Omit<Usage, 'stream' | 'disk'> & Omit<BlockExtent, 'sizeBytes'>) | undefined {
    const { blocks, bytes } = this.#sum.get(stream) ?? {};
    const { startMs, endMs } = this.#ends.get(stream) ?? {};
    if (typeof blocks !== 'number' || typeof bytes !== 'number') return undefined;
    return { blocks, bytes, startMs: startMs ?? 0, endMs: endMs ?? 0 };
  }
}

interface TimesQuery {
  readonly stream: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly limit: number;
}

interface BlockExtent {
  readonly startMs: number;
  readonly endMs: number;
  readonly sizeBytes: number;
}

interface Usage {
  readonly stream: string;
  readonly disk: string;
  readonly blocks: number;
  readonly bytes: number;
}

interface Ends {
  readonly startMs: number | null;
  readonly endMs: number | null;
}

type Row = Omit<ArchiveBlock, 'isDiscontinuity'> & { readonly isDiscontinuity: number };
