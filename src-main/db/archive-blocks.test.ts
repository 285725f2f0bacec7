import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { NewArchiveBlock } from './archive-block.ts';
import { ArchiveBlockReader } from './archive-block-reader.ts';
import { ArchiveBlockWriter, type ArchiveChange } from './archive-block-writer.ts';
import { migrate } from './database.ts';
import { CATALOG_SCHEMA } from './schemas/catalog.ts';

function catalog(): { connection: Sqlite.Database; writer: ArchiveBlockWriter; reader: ArchiveBlockReader } {
  const connection = new Sqlite(':memory:');
  connection.pragma('foreign_keys = ON');
  migrate(connection, CATALOG_SCHEMA);
  return { connection, writer: new ArchiveBlockWriter(connection), reader: new ArchiveBlockReader(connection) };
}

const FIRST = { startMs: -1e9, blockId: -1 };

const change = fc
  .record({
    isAdded: fc.boolean(),
    stream: fc.constantFrom('a', 'a/b', 'ü'),
    disk: fc.constantFrom('/d', '/e'),
    minute: fc.integer({ min: 0, max: 12 }),
    lengths: fc.array(fc.integer({ min: 1, max: 20_000 }), { maxLength: 3 }),
    tracks: fc.constantFrom('[1]', '[2]'),
    packedIndex: fc.uint8Array({ maxLength: 20 }),
    isDiscontinuity: fc.boolean(),
  })
  .map(({ isAdded, stream, disk, minute, lengths, ...rest }): ArchiveChange => {
    const path = `${stream}/${minute}.mp4`;
    if (!isAdded) return { type: 'remove', disk, path };
    const startMs = minute * 60_000;
    const storedRanges = lengths.map((length, at) => ({
      startMs: startMs + at * 20_000,
      endMs: startMs + at * 20_000 + length,
    }));
    const endMs = storedRanges.at(-1)?.endMs ?? startMs;
    return { type: 'add', block: { stream, disk, path, startMs, endMs, sizeBytes: minute, storedRanges, ...rest } };
  });

it('the archive catalog returns the same blocks as a plain list, after any changes in any batches', () => {
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 8 }), { maxLength: 8 }), (batches) => {
      const { connection, writer, reader } = catalog();
      const list = new Map<string, NewArchiveBlock>();
      for (const batch of batches) {
        writer.write(batch);
        for (const one of batch)
          if (one.type === 'add') list.set(one.block.disk + one.block.path, one.block);
          else list.delete(one.disk + one.path);
      }
      for (const stream of ['a', 'a/b', 'ü', 'none']) {
        const blocks = [...list.values()].filter((block) => block.stream === stream);
        const expected = blocks.flatMap(({ storedRanges, ...block }) =>
          storedRanges.map((range) => ({ ...range, block: { ...block, packedIndex: [...block.packedIndex] } })),
        );
        const found: unknown[] = [];
        let after = FIRST;
        for (;;) {
          const rows = reader.storedRanges(stream, after, 1e12, 3);
          for (let at = 0; at < rows.length; at += 3) {
            const [startMs = 0, endMs = 0, blockId = 0] = rows.subarray(at, at + 3);
            const block = reader.block(blockId);
            found.push({ startMs, endMs, block: block && { ...block, packedIndex: [...block.packedIndex] } });
          }
          if (rows.length === 0) break;
          after = { startMs: rows.at(-3) ?? 0, blockId: rows.at(-1) ?? 0 };
        }
        const order = (one: unknown): string => JSON.stringify(one);
        expect(found.map(order).toSorted()).toEqual(
          expected.map(({ block, ...times }) => order({ ...times, block: keyed(block) })).toSorted(),
        );
        // Pages of any size from two on return the same times. Times at the end of a page may repeat.
        const times = new Set<string>();
        for (let fromMs: number | undefined = 0; fromMs !== undefined;) {
          const step: ReturnType<ArchiveBlockReader['times']> = reader.times(stream, fromMs, 1e7, 12);
          for (let at = 0; at < step.times.length; at += 2) times.add(`${step.times[at]} ${step.times[at + 1]}`);
          fromMs = step.nextMs;
        }
        expect([...times].toSorted()).toEqual(
          [...new Set(expected.map(({ startMs, endMs }) => `${startMs} ${endMs}`))].toSorted(),
        );
        for (const disk of ['/d', '/e'])
          expect(reader.paths(stream, disk, `${stream}/`, `${stream}/:`, 100)).toEqual(
            blocks
              .filter((block) => block.disk === disk)
              .map(({ path }) => path)
              .toSorted(),
          );
      }
      const all = [...list.values()];
      const sums = new Map<string, { stream: string; disk: string; blocks: number; bytes: number }>();
      for (const { stream, disk, sizeBytes, path } of all) {
        const sum = sums.get(`${stream}\n${disk}`) ?? { stream, disk, blocks: 0, bytes: 0 };
        sums.set(`${stream}\n${disk}`, { ...sum, blocks: sum.blocks + 1, bytes: sum.bytes + sizeBytes });
        expect(reader.find(disk, path)?.sizeBytes).toBe(sizeBytes);
        expect(reader.find(disk, `${path}x`)).toBeUndefined();
      }
      const usage: unknown[] = [];
      for (let after = { stream: '', disk: '' }; ;) {
        const rows = reader.usage(after, 2);
        usage.push(...rows);
        const last = rows.at(-1);
        if (!last) break;
        after = last;
      }
      const inOrder = [...sums].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(usage).toEqual(inOrder.map(([, sum]) => sum));
      for (const stream of ['a', 'a/b', 'ü', 'none']) {
        const blocks = all.filter((block) => block.stream === stream);
        const times = blocks.flatMap(({ storedRanges }) => storedRanges);
        expect(reader.extent(stream)).toEqual(
          blocks.length === 0
            ? undefined
            : {
                blocks: blocks.length,
                bytes: blocks.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
                startMs: times.length === 0 ? 0 : Math.min(...times.map(({ startMs }) => startMs)),
                endMs: Math.max(0, ...times.map(({ endMs }) => endMs)),
              },
        );
      }
      // No row of a block remains.
      const count = (table: string): unknown => connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
      expect(count('archive_block')).toBe(list.size);
      expect(count('archive_index')).toBe(list.size);
      expect(count('archive_range')).toBe([...list.values()].flatMap(({ storedRanges }) => storedRanges).length);
    }),
  );
});

/** Fields in the order in which the reader returns them. */
function keyed(block: Omit<NewArchiveBlock, 'storedRanges' | 'packedIndex'> & { packedIndex: number[] }): unknown {
  const { stream, disk, path, startMs, endMs, sizeBytes, isDiscontinuity, tracks, packedIndex } = block;
  return { stream, disk, path, startMs, endMs, sizeBytes, isDiscontinuity, tracks, packedIndex };
}

it('ArchiveBlockWriter writes a batch completely or not at all', () => {
  const { writer, reader } = catalog();
  const block = {
    stream: 'a',
    disk: '/d',
    path: 'a/1.mp4',
    startMs: 1,
    endMs: 2,
    sizeBytes: 1,
    isDiscontinuity: false,
    tracks: '[]',
    packedIndex: new Uint8Array(),
    storedRanges: [{ startMs: 1, endMs: 2 }],
  };
  expect(() =>
    writer.write([
      { type: 'add', block },
      { type: 'add', block: { ...block, path: 'a/2.mp4', startMs: 0.5 } },
    ]),
  ).toThrow();
  expect(reader.storedRanges('a', FIRST, 10, 10)).toHaveLength(0);
});

it('the archive catalog finds ranges by the keys of its tables', () => {
  const { connection, reader } = catalog();
  const plans: string[] = [];
  const explain = connection.prepare.bind(connection);
  for (const sql of [
    `SELECT start_ms, end_ms, block_id FROM archive_range WHERE stream_id = 1 AND (start_ms, block_id) > (1, 1) AND start_ms < 5 ORDER BY start_ms, block_id LIMIT 5`,
    `SELECT path FROM archive_block WHERE disk_id = 1 AND path > 'a' AND path < 'b' ORDER BY path`,
  ])
    for (const row of explain(`EXPLAIN QUERY PLAN ${sql}`).all()) plans.push((row as { detail: string }).detail);
  expect(plans.every((plan) => plan.startsWith('SEARCH'))).toBe(true);
  expect(reader.block(1)).toBeUndefined();
});

it('ArchiveBlockReader returns times that are years apart, up to the limit', () => {
  const { writer, reader } = catalog();
  const startsMs = [0, 5, 2 ** 36 - 1, 2 ** 36, 2 ** 37 + 3, 1_800_000_000_123];
  writer.write(
    startsMs.map((startMs, at): ArchiveChange => {
      const endMs = startMs + 120_000 - at;
      const times = { startMs, endMs, storedRanges: [{ startMs, endMs }] };
      const bytes = { sizeBytes: 1, packedIndex: new Uint8Array() };
      return {
        type: 'add',
        block: { stream: 'a', disk: '/d', path: `${at}`, ...times, ...bytes, isDiscontinuity: false, tracks: '[]' },
      };
    }),
  );
  for (const pageSize of [2, 3, 100]) {
    const found = new Map<number, number>();
    for (let fromMs: number | undefined = -120_000; fromMs !== undefined;) {
      const step: ReturnType<ArchiveBlockReader['times']> = reader.times('a', fromMs, 1e13, pageSize);
      expect(step.times.length).toBeLessThanOrEqual(pageSize * 2);
      for (let at = 0; at < step.times.length; at += 2) found.set(step.times[at] ?? 0, step.times[at + 1] ?? 0);
      fromMs = step.nextMs;
    }
    expect([...found]).toEqual(startsMs.map((startMs, at) => [startMs, startMs + 120_000 - at]));
  }
});

it('a migration upgrades an archive catalog of version 2 and keeps its blocks', () => {
  const { connection, writer, reader } = catalog();
  const block = { stream: 'a', disk: '/d', path: 'a/0.mp4', startMs: 0, endMs: 20, sizeBytes: 9, tracks: '[1]' };
  const storedRanges = [{ startMs: 0, endMs: 20 }];
  writer.write([
    { type: 'add', block: { ...block, storedRanges, packedIndex: new Uint8Array([7]), isDiscontinuity: false } },
  ]);
  const tables = (): unknown[] =>
    connection
      .prepare("SELECT type, name, tbl_name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name")
      .all();
  const current = [tables(), reader.storedRanges('a', FIRST, 100, 10)];
  connection.exec('ALTER TABLE archive_range RENAME TO archive_stretch');
  connection.pragma('user_version = 2');
  expect(migrate(connection, CATALOG_SCHEMA)).toBe(false);
  const upgraded = new ArchiveBlockReader(connection);
  expect([tables(), upgraded.storedRanges('a', FIRST, 100, 10)]).toEqual(current);
  expect(current[1]).toHaveLength(3);
});
