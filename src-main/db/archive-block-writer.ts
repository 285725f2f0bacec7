import type { NewArchiveBlock } from './archive-block.ts';
import type { Connection } from './database.ts';

/** Removed or added block. */
export type ArchiveChange =
  | { readonly type: 'add'; readonly block: NewArchiveBlock }
  | { readonly type: 'remove'; readonly disk: string; readonly path: string };

/** Writes the catalog of archives. */
export class ArchiveBlockWriter {
  readonly #write: (changes: readonly ArchiveChange[]) => void;

  constructor(connection: Connection) {
    const addStream = connection.prepare('INSERT INTO archive_stream (name) VALUES (?) ON CONFLICT DO NOTHING');
    const addDisk = connection.prepare('INSERT INTO archive_disk (folder) VALUES (?) ON CONFLICT DO NOTHING');
    const addFormat = connection.prepare('INSERT INTO archive_format (tracks) VALUES (?) ON CONFLICT DO NOTHING');
    const addBlock = connection.prepare(
      `INSERT INTO archive_block (stream_id, disk_id, path, format_id, start_ms, end_ms, size_bytes, is_discontinuity)
       SELECT s.id, d.id, @path, f.id, @startMs, @endMs, @sizeBytes, @isDiscontinuity
       FROM archive_stream s, archive_disk d, archive_format f
       WHERE s.name = @stream AND d.folder = @disk AND f.tracks = @tracks`,
    );
    const addIndex = connection.prepare('INSERT INTO archive_index (block_id, packed) VALUES (?, ?)');
    const addRange = connection.prepare(
      `INSERT INTO archive_range (stream_id, start_ms, block_id, end_ms)
       SELECT stream_id, ?, id, ? FROM archive_block WHERE id = ?
       ON CONFLICT DO UPDATE SET end_ms = max(end_ms, excluded.end_ms)`,
    );
    const find = connection
      .prepare(
        'SELECT id FROM archive_block WHERE disk_id = (SELECT id FROM archive_disk WHERE folder = ?) AND path = ?',
      )
      .pluck();
    const removeRanges = connection.prepare(
      `DELETE FROM archive_range
       WHERE (stream_id, start_ms, block_id) IN (
         SELECT s.stream_id, s.start_ms, s.block_id FROM archive_block b
         JOIN archive_range s ON s.stream_id = b.stream_id AND s.start_ms >= b.start_ms AND s.start_ms <= b.end_ms
         WHERE b.id = ? AND s.block_id = b.id)`,
    );
    const removeIndex = connection.prepare('DELETE FROM archive_index WHERE block_id = ?');
    const removeBlock = connection.prepare('DELETE FROM archive_block WHERE id = ?');
    const remove = (disk: string, path: string): void => {
      const id = find.get(disk, path);
      if (id === undefined) return;
      removeRanges.run(id);
      removeIndex.run(id);
      removeBlock.run(id);
    };
    const add = ({ storedRanges, packedIndex, ...block }: NewArchiveBlock): void => {
      addStream.run(block.stream);
      addDisk.run(block.disk);
      addFormat.run(block.tracks);
      const { lastInsertRowid: id } = addBlock.run({ ...block, isDiscontinuity: block.isDiscontinuity ? 1 : 0 });
      addIndex.run(id, packedIndex);
      for (const { startMs, endMs } of storedRanges) addRange.run(startMs, endMs, id);
    };
    this.#write = connection.transaction((changes: readonly ArchiveChange[]): void => {
      for (const change of changes) {
        const { disk, path } = change.type === 'add' ? change.block : change;
        remove(disk, path);
        if (change.type === 'add') add(change.block);
      }
    });
  }

  /** Applies changes in order, all or none. An existing block is replaced. */
  write(changes: readonly ArchiveChange[]): void {
    this.#write(changes);
  }
}
