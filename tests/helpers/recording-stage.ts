import { scanBlock, type ScannedBlock } from '../../src-main/dvr/block/block-scan.ts';
import type { RecordedBlock } from '../../src-main/dvr/block-writer.ts';
import type { PoolShare } from '../../src-main/dvr/pool-share.ts';
import { Recordings, type RecordingSettings } from '../../src-main/dvr/recordings.ts';
import type { RecordingGap } from '../../src-main/dvr/stream-recorder.ts';
import type { MediaFile } from '../../src-main/segment/media-bytes.ts';
import type { SegmenterOptions } from '../../src-main/segment/segmenter-options.ts';
import type { StreamStep } from './any-stream.ts';
import { MemoryBlocks } from './memory-blocks.ts';
import type { MadeInput } from './made-input.ts';
import { settled } from './settled.ts';
import { StreamRun } from './stream-run.ts';

/** File in memory. */
export function fileOf(bytes: Uint8Array): MediaFile {
  return {
    read: async (offset, sizeBytes) => {
      if (offset + sizeBytes > bytes.length) throw new RangeError('the file is shorter');
      return Promise.resolve(bytes.subarray(offset, offset + sizeBytes));
    },
  };
}

/** Generated stream that is recorded to disks in memory, with a controlled clock. */
export class RecordingStage {
  readonly disks = new MemoryBlocks();
  stream: StreamRun;
  readonly blocks: RecordedBlock[] = [];
  /** Finished blocks that a server found at its start. */
  readonly found: RecordedBlock[] = [];
  readonly gaps: RecordingGap[] = [];
  readonly faults: string[] = [];
  /** Disks that returned. */
  readonly returned: string[] = [];
  late = 0;
  recordings: Recordings;
  readonly settings: RecordingSettings;

  constructor(options: Partial<SegmenterOptions> = {}, settings: RecordingSettings = { storage: null, disks: ['/a'] }) {
    this.stream = new StreamRun({ segmentCount: 1000, ...options });
    this.settings = settings;
    this.recordings = this.open();
  }

  /** Starts a server. Its recordings have no state of earlier servers. */
  open(share?: PoolShare): Recordings {
    return new Recordings({
      ...(share ? { share } : {}),
      files: this.disks,
      clock: this.stream.clock,
      reports: {
        finished: (block) => this.blocks.push(block),
        found: (block) => this.found.push(block),
        gap: (_, __, gap) => this.gaps.push(gap),
        late: () => this.late++,
        unread: (_, { detail }) => this.faults.push(detail),
        returned: (folder) => this.returned.push(folder),
      },
    });
  }

  /** Records the current run. */
  async record(): Promise<void> {
    this.recordings.record('c/03', this.stream.run, this.settings);
    await settled();
  }

  /** Plays an input, and yields to the event loop so that the disks keep up. */
  async play(input: MadeInput): Promise<void> {
    const { clock } = this.stream;
    const start = clock.now();
    const playUntil = this.stream.playing(input);
    for (let ms = 200; ms <= input.seconds * 1000 + 3000; ms += 200) {
      playUntil(ms);
      // The clock continues during silence, so that silence does not look like a hanging disk.
      if (ms <= input.seconds * 1000) clock.advance(Math.max(0, start + ms - clock.now()));
      await settled();
    }
  }

  /** Interrupts the input for a time. */
  async idle(ms: number): Promise<void> {
    this.stream.idle(0);
    await settled();
    this.stream.clock.advance(ms);
    await settled();
  }

  /** Records a stream from its start, step by step. */
  async recordSteps(steps: readonly StreamStep[]): Promise<void> {
    await this.record();
    for (const step of steps) {
      if ('play' in step) await this.play(step.play);
      else if ('idleMs' in step) await this.idle(step.idleMs);
      else {
        this.stream.restart();
        await this.record();
      }
    }
  }

  /** Ends the stream and the server. */
  async close(): Promise<void> {
    this.stream.close();
    await this.recordings.close();
  }

  /** Blocks on disk in path order, each read only from its bytes. */
  async scan(): Promise<(ScannedBlock & { readonly path: string; readonly bytes: Uint8Array })[]> {
    const found: (ScannedBlock & { readonly path: string; readonly bytes: Uint8Array })[] = [];
    for (const [path, bytes] of [...this.disks.files].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const block = await scanBlock(fileOf(bytes), bytes.length);
      if (block) found.push({ ...block, path, bytes });
    }
    return found;
  }
}
