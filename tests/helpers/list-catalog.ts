import type {
  CatalogStore,
  StoredBlock,
  StoredChange,
  StoredExtent,
  StoredRanges,
  StoredUsage,
  TimeRange,
} from '../../src-main/dvr/catalog/catalog-store.ts';

interface Entry {
  readonly id: number;
  readonly block: StoredBlock;
  readonly storedRanges: readonly TimeRange[];
}

/** Catalog as a plain list, searched linearly. */
export class ListCatalog implements CatalogStore {
  #entries: Entry[] = [];
  #lastId = 0;
  /** Error that writes throw. */
  fault: Error | undefined;
  changes = 0;

  /** Adds a block with one range. */
  addRange(stream: string, startMs: number, endMs: number): void {
    const block: StoredBlock = {
      stream,
      disk: '/d',
      path: `${stream}/${this.#lastId}.mp4`,
      startMs,
      endMs,
      sizeBytes: 1,
      isDiscontinuity: false,
      tracks: '[]',
      packedIndex: new Uint8Array(),
    };
    void this.write([{ type: 'add', block: { ...block, storedRanges: [{ startMs, endMs }] } }]);
  }

  /** All blocks in order of insertion. */
  get entries(): StoredBlock[] {
    return this.#entries.map(({ block }) => block);
  }

  /** Blocks in path order. */
  list(): unknown[] {
    return this.#entries
      .toSorted((a, b) => (a.block.path < b.block.path ? -1 : 1))
      .map(({ block, storedRanges }) => ({ ...block, storedRanges, packedIndex: [...block.packedIndex] }));
  }

  async write(changes: readonly StoredChange[]): Promise<void> {
    if (this.fault) throw this.fault;
    this.changes += changes.length;
    for (const change of changes) {
      const { disk, path } = change.type === 'add' ? change.block : change;
      this.#entries = this.#entries.filter(({ block }) => block.disk !== disk || block.path !== path);
      if (change.type === 'remove') continue;
      const { storedRanges, ...block } = change.block;
      this.#entries.push({ id: ++this.#lastId, block, storedRanges });
    }
  }

  async storedRanges(
    stream: string,
    after: { readonly startMs: number; readonly blockId: number },
    toMs: number,
    maxCount: number,
  ): Promise<StoredRanges> {
    const found = this.#entries
      .filter(({ block }) => block.stream === stream)
      .flatMap(({ id, storedRanges }) => storedRanges.map((range) => ({ ...range, blockId: id })))
      .filter(
        ({ startMs, blockId }) => startMs > after.startMs || (startMs === after.startMs && blockId > after.blockId),
      )
      .filter(({ startMs }) => startMs < toMs)
      .sort((a, b) => a.startMs - b.startMs || a.blockId - b.blockId)
      .slice(0, maxCount)
      .flatMap(({ startMs, endMs, blockId }) => [startMs, endMs, blockId]);
    return Float64Array.from(found);
  }

  async times(
    stream: string,
    fromMs: number,
    toMs: number,
    maxCount: number,
  ): Promise<{ readonly times: Float64Array; readonly nextMs?: number }> {
    const rows = await this.storedRanges(stream, { startMs: fromMs - 1, blockId: Infinity }, toMs, maxCount);
    const times = rows.filter((_, at) => at % 3 !== 2);
    const last = times.at(-2) ?? 0;
    return times.length < maxCount * 2 ? { times } : { times, nextMs: last > (times[0] ?? 0) ? last : last + 1 };
  }

  async blocks(ids: readonly number[]): Promise<readonly (StoredBlock | undefined)[]> {
    return ids.map((id) => this.#entries.find((entry) => entry.id === id)?.block);
  }

  async paths(
    stream: string,
    disk: string,
    after: string,
    before: string,
    maxCount: number,
  ): Promise<readonly string[]> {
    return this.#entries
      .flatMap(({ block }) => (block.stream === stream && block.disk === disk ? [block.path] : []))
      .filter((path) => path > after && path < before)
      .sort()
      .slice(0, maxCount);
  }

  async find(disk: string, path: string): Promise<StoredBlock | undefined> {
    return this.entries.find((block) => block.disk === disk && block.path === path);
  }

  async usage(
    after: { readonly stream: string; readonly disk: string },
    maxCount: number,
  ): Promise<readonly StoredUsage[]> {
    const sums = new Map<string, StoredUsage>();
    for (const { stream, disk, sizeBytes } of this.entries) {
      const key = `${stream}\n${disk}`;
      const { blocks = 0, bytes = 0 } = sums.get(key) ?? {};
      sums.set(key, { stream, disk, blocks: blocks + 1, bytes: bytes + sizeBytes });
    }
    return [...sums]
      .filter(([key]) => key > `${after.stream}\n${after.disk}`)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, maxCount)
      .map(([, usage]) => usage);
  }

  async extents(names: readonly string[]): Promise<readonly (StoredExtent | undefined)[]> {
    return names.map((name) => this.#extent(name));
  }

  #extent(name: string): StoredExtent | undefined {
    const found = this.#entries.filter(({ block }) => block.stream === name);
    if (found.length === 0) return undefined;
    const storedRanges = found.flatMap((entry) => entry.storedRanges);
    return {
      blocks: found.length,
      bytes: found.reduce((sum, { block }) => sum + block.sizeBytes, 0),
      startMs: storedRanges.length === 0 ? 0 : Math.min(...storedRanges.map(({ startMs }) => startMs)),
      endMs: Math.max(0, ...storedRanges.map(({ endMs }) => endMs)),
    };
  }
}
