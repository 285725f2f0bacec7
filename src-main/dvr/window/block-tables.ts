import { join } from 'node:path';
import { unpackIndex } from '../block/block-index.ts';
import { parseTracks, type BlockTrack } from '../block/block-head.ts';
import type { BlockWriter } from '../block-writer.ts';
import type { ArchiveCatalog } from '../catalog/archive-catalog.ts';
import type { StoredBlock, TimeRange } from '../catalog/catalog-store.ts';
import { contentKey } from '../catalog/block-ranges.ts';
import type { ArchiveFiles } from './archive-files.ts';
import { CopiedFile } from './copied-file.ts';
import { recordedOnce } from './recorded-once.ts';
import { tableOf, type BlockContent, type BlockTable } from './block-table.ts';

/** Where blocks are found. */
export interface BlockTablesOptions {
  readonly files: ArchiveFiles;
  /** Blocks that are finished. */
  readonly catalog: Pick<ArchiveCatalog, 'map' | 'places'>;
  /** Blocks of a stream that are being written, oldest first. */
  readonly unfinished: (stream: string) => readonly Pick<BlockWriter, 'disk' | 'path' | 'head' | 'index'>[];
}

/** Numbers of init segments are seconds in this ring, and count on by one. */
const INIT_IDS = 1_000_000_000;
/** A block may begin so much earlier than its init segment was made, in milliseconds. */
const AHEAD_MS = 120_000;
/** Rows that are kept in all: some 60 bytes each. */
const MAX_ROWS = 500_000;
/** Formats that are kept: blocks of a stream have the same for a long time. */
const MAX_FORMATS = 1000;
/** Blocks that are looked at to find a copy of one: they have media in the same minute. */
const MAX_PLACES = 100;

/** Tables of the blocks of all archives: each is read from the catalog once, as long as there is room. */
export class BlockTables {
  readonly #options: BlockTablesOptions;
  /** By what the catalog calls them, the longest unused first. */
  readonly #kept = new Map<string, BlockTable>();
  readonly #formats = new Map<string, readonly BlockTrack[] | undefined>();
  /** Of the blocks that are being written, by their files. */
  readonly #open = new Map<string, BlockTable>();
  /** What the tables hold, to find copies of a block. */
  readonly #contents = new WeakMap<BlockTable, string>();
  #rows = 0;
  /** How often a block was forgotten: what was read before is not kept then. */
  #forgotten = 0;

  constructor(options: BlockTablesOptions) {
    this.#options = options;
  }

  /** Rows that are kept. */
  get rowCount(): number {
    return this.#rows;
  }

  /** The blocks of a stream that have media in a time, in order, each time once. */
  async of(stream: string, time: TimeRange): Promise<readonly BlockTable[]> {
    const forgotten = this.#forgotten;
    // Before the catalog is asked: what is finished meanwhile is in one of the two.
    const unfinished = this.#unfinished(stream);
    const tables = await this.#options.catalog.map(
      stream,
      time,
      (name) => this.#known(name),
      (name, block) => this.#known(name) ?? this.#stored(name, block, forgotten === this.#forgotten),
    );
    const known = new Set(tables.map(fileOf));
    const contents = new Set<string>();
    // A copy on another disk is the same block; its file is read where the first one cannot be.
    const own = tables.filter((table) => {
      const content = this.#contents.get(table) ?? fileOf(table);
      return !contents.has(content) && contents.add(content);
    });
    for (const table of unfinished)
      if (!known.has(fileOf(table)) && table.startMs < time.endMs && table.endMs > time.startMs) own.push(table);
    return recordedOnce(own.sort((a, b) => a.startMs - b.startMs));
  }

  /**
   * When the first block begins that has an init segment, in epoch milliseconds; undefined where there is none. Numbers of init segments grow with
   * time, and begin with the second in which their stream began.
   */
  async beginOf(stream: string, trackId: string, initId: number, nowMs: number): Promise<number | undefined> {
    const now = Math.floor(nowMs / 1000);
    let low = (initId + Math.floor((now - initId) / INIT_IDS) * INIT_IDS) * 1000 - AHEAD_MS;
    let high = nowMs;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const table = await this.#firstFrom(stream, middle, high);
      if (!table) high = middle;
      else if (highestInit(table) >= initId) {
        if (table.tracks.get(trackId)?.initId === initId) return table.startMs;
        high = middle;
      } else low = Math.max(middle, table.endMs) + 1;
    }
    return undefined;
  }

  async #firstFrom(stream: string, fromMs: number, toMs: number): Promise<BlockTable | undefined> {
    // Most often there is one within a minute or two; holes may be long.
    for (let span = 2 * 60_000; ; span *= 8) {
      const endMs = Math.min(toMs, fromMs + span);
      const [first] = await this.of(stream, { startMs: fromMs, endMs });
      if (first || endMs >= toMs) return first;
    }
  }

  /** A block is no more. */
  forget(disk: string, path: string): void {
    this.#forgotten++;
    for (const [name, table] of this.#kept)
      if (table.path === path && table.disk === disk) {
        this.#kept.delete(name);
        this.#rows -= rowsOf(table);
      }
  }

  #known(name: string): BlockTable | undefined {
    const known = this.#kept.get(name);
    if (known) {
      this.#kept.delete(name);
      this.#kept.set(name, known);
    }
    return known;
  }

  #stored(name: string, block: StoredBlock, isKept: boolean): BlockTable | undefined {
    const tracks = this.#tracks(block.tracks);
    const index = unpackIndex(block.packedIndex);
    if (!tracks || !index) return undefined;
    const { disk, path } = block;
    const { stream, startMs, endMs, sizeBytes } = block;
    const file = new CopiedFile(this.#options.files, { stream, disk, path, startMs, endMs, sizeBytes }, async (one) =>
      this.#options.catalog.places(stream, one, MAX_PLACES),
    );
    const table = tableOf({ disk, path, tracks, index, isFinished: true }, file);
    if (!table) return undefined;
    this.#contents.set(table, contentKey(block));
    if (!isKept) return table;
    this.#kept.set(name, table);
    this.#rows += rowsOf(table);
    for (const [oldest, one] of this.#kept) {
      if (this.#rows <= MAX_ROWS) break;
      this.#kept.delete(oldest);
      this.#rows -= rowsOf(one);
    }
    return table;
  }

  #unfinished(stream: string): BlockTable[] {
    const found: BlockTable[] = [];
    const names = new Set<string>();
    for (const { disk, path, head, index } of this.#options.unfinished(stream)) {
      const made = this.#table({ disk, path, tracks: head.tracks, index, isFinished: false });
      if (!made) continue;
      const name = `${stream}\n${fileOf(made)}`;
      names.add(name);
      const before = this.#open.get(name);
      // The same value as long as it has the same segments.
      const table = before?.count === made.count && before.tracks.size === made.tracks.size ? before : made;
      this.#open.set(name, table);
      found.push(table);
    }
    for (const name of this.#open.keys())
      if (name.startsWith(`${stream}\n`) && !names.has(name)) this.#open.delete(name);
    return found;
  }

  #table(content: BlockContent): BlockTable | undefined {
    const { disk, path } = content;
    return tableOf(content, this.#options.files.file(disk, join(disk, path)));
  }

  #tracks(text: string): readonly BlockTrack[] | undefined {
    if (this.#formats.has(text)) return this.#formats.get(text);
    if (this.#formats.size >= MAX_FORMATS) this.#formats.clear();
    const tracks = parseTracks(text);
    this.#formats.set(text, tracks);
    return tracks;
  }
}

function highestInit({ tracks }: BlockTable): number {
  return Math.max(...[...tracks.values()].map(({ initId }) => initId));
}

function fileOf({ disk, path }: Pick<BlockTable, 'disk' | 'path'>): string {
  return `${disk}\n${path}`;
}

function rowsOf({ tracks }: BlockTable): number {
  let rows = 0;
  for (const { count } of tracks.values()) rows += count;
  return rows;
}
