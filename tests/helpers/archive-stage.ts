import { ArchiveCatalog } from '../../src-main/dvr/catalog/archive-catalog.ts';
import { ArchiveFiles } from '../../src-main/dvr/window/archive-files.ts';
import { ArchivePlayback } from '../../src-main/dvr/window/archive-playback.ts';
import { BlockTables } from '../../src-main/dvr/window/block-tables.ts';
import type { SegmenterOptions } from '../../src-main/segment/segmenter-options.ts';
import { ListCatalog } from './list-catalog.ts';
import { RecordingStage } from './recording-stage.ts';

/** A made stream that is recorded to disks in memory, and played from them. */
export class ArchiveStage extends RecordingStage {
  readonly store = new ListCatalog();
  readonly catalog: ArchiveCatalog;
  readonly files: ArchiveFiles;
  readonly tables: BlockTables;
  readonly playback: ArchivePlayback;
  /** Whether the stream is recorded as soon as it has something. */
  isRecorded = true;
  #listed = 0;

  constructor(options: Partial<SegmenterOptions> = {}) {
    super(options);
    const { clock } = this.stream;
    this.catalog = new ArchiveCatalog({
      store: this.store,
      clock,
      open: (stream) => this.recordings.unfinished(stream),
      added: (block) => {
        this.playback.learn(block);
      },
      failed: (error) => this.faults.push(String(error)),
    });
    this.files = new ArchiveFiles({ clock, open: async (path) => this.disks.open(path) });
    this.tables = new BlockTables({
      files: this.files,
      catalog: {
        map: async (...asked) => {
          this.list();
          return this.catalog.map(...asked);
        },
        places: async (...asked) => this.catalog.places(...asked),
      },
      unfinished: (stream) => this.recordings.unfinishedBlocks(stream),
    });
    this.playback = new ArchivePlayback({
      clock,
      tables: this.tables,
      isHeld: () => false,
      ended: () => undefined,
      live: () => this.stream.window,
      isOver: (stream) => !this.isRecorded && this.recordings.isOver(stream),
    });
  }

  /** Puts what was finished meanwhile into the catalog. */
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
