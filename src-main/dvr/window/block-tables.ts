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
import { checkBlock } from './row-check.ts';
import { tableOf, type BlockContent, type BlockTable } from './block-table.ts';

export interface BlockTablesOptions {
  readonly files: ArchiveFiles;
  /** Finished blocks. */
  readonly catalog: Pick<ArchiveCatalog, 'map' | 'blockPositions'>;
  /** Open blocks of a stream, oldest first. */
  readonly unfinished: (stream: string) => readonly Pick<BlockWriter, 'disk' | 'path' | 'head' | 'index'>[];
}

/** Init ids of a stream start at the second in which the stream started, modulo this number, and increase by one per format. */
const INIT_IDS = 1_000_000_000;
/** Maximum time from the start of a block to the creation of its init segment, in milliseconds. */
const AHEAD_MS = 120_000;
/**
 * Maximum time after the current time in which blocks recorded before the clock was set back are found: ten years, in
 * milliseconds.
 */
const MAX_STEP_MS = 315_360_000_000;
/** Maximum number of cached rows, of about 60 bytes each. */
const MAX_ROWS = 500_000;
/** Maximum number of cached formats: consecutive blocks of a stream usually have the same. */
const MAX_FORMATS = 1000;
/** Maximum number of blocks that are searched for a copy of a block. All of them have media in the same minute. */
const MAX_CANDIDATES = 100;

/** Block with damage. */
export interface DamagedBlock {
  readonly stream: string;
  readonly disk: string;
  readonly path: string;
  /** Start of the damaged segment that was found first, in epoch milliseconds. */
  readonly startMs: number;
}

/** Tables of the blocks of all archives, from the catalog and from open blocks. Tables of finished blocks are cached. */
export class BlockTables {
  readonly #options: BlockTablesOptions;
  /** By catalog key, least recently used first. */
  readonly #cache = new Map<string, BlockTable>();
  readonly #formats = new Map<string, readonly BlockTrack[] | undefined>();
  /** Tables of open blocks, by file. */
  readonly #open = new Map<string, BlockTable>();
  /** Content keys of the tables, to find copies of a block. */
  readonly #contents = new WeakMap<BlockTable, string>();
  #rows = 0;
  readonly #damageListeners = new Set<(block: DamagedBlock) => void>();
  /** Number of removals of blocks: a table whose reading started before a removal is not cached. */
  #removals = 0;

  constructor(options: BlockTablesOptions) {
    this.#options = options;
  }

  /** Number of cached rows. */
  get rowCount(): number {
    return this.#rows;
  }

  /** Calls `listener` once for each block that is found damaged, when all its damage is known. */
  onDamage(listener: (block: DamagedBlock) => void): void {
    this.#damageListeners.add(listener);
  }

  /** Blocks of a stream with media in a time range, in order. The returned blocks do not overlap. */
  async of(stream: string, time: TimeRange): Promise<readonly BlockTable[]> {
    const removals = this.#removals;
    // Read before the catalog, so that a block finished in the meantime is in at least one of the two.
    const unfinished = this.#unfinished(stream);
    const tables = await this.#options.catalog.map(
      stream,
      time,
      (name) => this.#cachedTable(name),
      (name, block) => this.#cachedTable(name) ?? this.#stored(name, block, removals === this.#removals),
    );
    const files = new Set(tables.map(fileOf));
    const contents = new Set<string>();
    // A copy on another disk is the same block: `CopiedFile` reads it if the first copy is unreadable.
    const unique = tables.filter((table) => {
      const content = this.#contents.get(table) ?? fileOf(table);
      return !contents.has(content) && contents.add(content);
    });
    for (const table of unfinished)
      if (!files.has(fileOf(table)) && table.startMs < time.endMs && table.endMs > time.startMs) unique.push(table);
    return recordedOnce(unique.sort((a, b) => a.startMs - b.startMs));
  }

  /**
   * Start of a block with an init segment, in epoch milliseconds; undefined if there is none. Found by binary search,
   * because init ids grow with time.
   */
  async initStart(stream: string, trackId: string, initId: number, nowMs: number): Promise<number | undefined> {
    const now = Math.floor(nowMs / 1000);
    const firstMs = (initId + Math.floor((now - initId) / INIT_IDS) * INIT_IDS) * 1000 - AHEAD_MS;
    return (
      (await this.#findInit(stream, trackId, initId, { startMs: firstMs, endMs: nowMs })) ??
      (await this.#findInit(stream, trackId, initId, { startMs: nowMs, endMs: nowMs + MAX_STEP_MS }))
    );
  }

  async #findInit(stream: string, trackId: string, initId: number, time: TimeRange): Promise<number | undefined> {
    let { startMs: low, endMs: high } = time;
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
    // Usually there is a block within two minutes; gaps may be long.
    for (let span = 2 * 60_000; ; span *= 8) {
      const endMs = Math.min(toMs, fromMs + span);
      const [first] = await this.of(stream, { startMs: fromMs, endMs });
      if (first || endMs >= toMs) return first;
    }
  }

  /** Forgets the table of a removed block. */
  forget(disk: string, path: string): void {
    this.#removals++;
    for (const [name, table] of this.#cache)
      if (table.path === path && table.disk === disk) {
        this.#cache.delete(name);
        this.#rows -= rowsOf(table);
      }
  }

  #cachedTable(name: string): BlockTable | undefined {
    const cached = this.#cache.get(name);
    if (cached) {
      this.#cache.delete(name);
      this.#cache.set(name, cached);
    }
    return cached;
  }

  #stored(name: string, block: StoredBlock, isCached: boolean): BlockTable | undefined {
    const tracks = this.#tracks(block.tracks);
    const index = unpackIndex(block.packedIndex);
    if (!tracks || !index) return undefined;
    const { disk, path } = block;
    const { stream, startMs, endMs, sizeBytes } = block;
    const file = new CopiedFile(this.#options.files, { stream, disk, path, startMs, endMs, sizeBytes }, async (one) =>
      this.#options.catalog.blockPositions(stream, one, MAX_CANDIDATES),
    );
    let isKnown = false;
    const table = tableOf({ disk, path, tracks, index, isFinished: true }, file, (damagedMs) => {
      if (isKnown || !table) return;
      isKnown = true;
      void checkBlock(table).then(() => {
        for (const listener of this.#damageListeners) listener({ stream, disk, path, startMs: damagedMs });
      });
    });
    if (!table) return undefined;
    this.#contents.set(table, contentKey(block));
    if (!isCached) return table;
    this.#cache.set(name, table);
    this.#rows += rowsOf(table);
    for (const [oldest, one] of this.#cache) {
      if (this.#rows <= MAX_ROWS) break;
      this.#cache.delete(oldest);
      this.#rows -= rowsOf(one);
    }
    return table;
  }

  #unfinished(stream: string): BlockTable[] {
    const found: BlockTable[] = [];
    const names = new Set<string>();
    for (const { disk, path, head, index } of this.#options.unfinished(stream)) {
      const unfinished = this.#table({ disk, path, tracks: head.tracks, index, isFinished: false });
      if (!unfinished) continue;
      const name = `${stream}\n${fileOf(unfinished)}`;
      names.add(name);
      const before = this.#open.get(name);
      // Reuses the table while the block has the same segments.
      const table =
        before?.count === unfinished.count && before.tracks.size === unfinished.tracks.size ? before : unfinished;
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
