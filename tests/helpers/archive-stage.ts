import { ArchiveCatalog } from '../../src-main/dvr/catalog/archive-catalog.ts';
import { ArchiveFiles } from '../../src-main/dvr/window/archive-files.ts';
import { ArchivePlayback } from '../../src-main/dvr/window/archive-playback.ts';
import { BlockTables } from '../../src-main/dvr/window/block-tables.ts';
import type { SegmenterOptions } from '../../src-main/segment/segmenter-options.ts';
import { ListCatalog } from './list-catalog.ts';
import { RecordingStage } from './recording-stage.ts';
import { StreamRun } from './stream-run.ts';

/** Generated stream that is recorded to disks in memory and played from them. */
export class ArchiveStage extends RecordingStage {
  readonly store = new ListCatalog();
  readonly catalog: ArchiveCatalog;
  readonly files: ArchiveFiles;
  readonly tables: BlockTables;
  playback: ArchivePlayback;
  /** Whether the stream is recorded as soon as it has media. */
  isRecorded = true;
  /** Whether the encoder will not return. */
  hasEnded = false;
  #listed = 0;
  readonly #startMs: number;

  constructor(options: Partial<SegmenterOptions> = {}) {
    super(options);
    const { clock } = this.stream;
    this.catalog = new ArchiveCatalog({
      store: this.store,
      clock,
      open: (stream) => this.recordings.unfinishedTimes(stream),
      added: (block) => {
        this.playback.blockAdded(block);
      },
      failed: (error) => this.faults.push(String(error)),
    });
    this.files = new ArchiveFiles({ clock, open: async (path) => this.disks.open(path) });
    this.tables = new BlockTables({
      files: this.files,
      catalog: {
        map: async (...args) => {
          this.list();
          return this.catalog.map(...args);
        },
        blockPositions: async (...args) => this.catalog.blockPositions(...args),
      },
      unfinished: (stream) => this.recordings.unfinishedBlocks(stream),
    });
    this.#startMs = clock.now();
    this.playback = this.#player();
  }

  #player(): ArchivePlayback {
    return new ArchivePlayback({
      clock: this.stream.clock,
      tables: this.tables,
      isInUse: () => false,
      ended: () => undefined,
      live: () => (this.hasEnded ? undefined : this.stream.window),
      shiftOf: (stream) => this.recordings.shiftOf(stream),
      isOver: (stream) => !this.isRecorded && this.recordings.isOver(stream),
    });
  }

  /**
   * Ends or kills the server, and starts it again with the same disks. The windows are new, and their segments are
   * numbered by the clock.
   */
  async startAgain({ isKilled, awayMs }: { readonly isKilled: boolean; readonly awayMs: number }): Promise<void> {
    const { clock, options } = this.stream;
    const left = new Map(this.disks.files);
    const blocks = this.blocks.length;
    this.playback.close();
    this.stream.close();
    await this.recordings.close();
    if (isKilled) {
      this.disks.files.clear();
      for (const [path, bytes] of left) this.disks.files.set(path, bytes);
      this.blocks.length = blocks;
    }
    clock.advance(awayMs);
    this.stream = new StreamRun(options, clock, 100 + Math.floor((clock.now() - this.#startMs) / 500));
    this.recordings = this.open();
    this.playback = this.#player();
    await this.record();
  }

  /** Adds the newly finished blocks to the catalog. */
  list(): void {
    for (; this.#listed < this.blocks.length; this.#listed++) {
      const block = this.blocks[this.#listed];
      if (block) this.catalog.add(block);
    }
  }

  override async close(): Promise<void> {
    await super.close();
    this.list();
  }
}
