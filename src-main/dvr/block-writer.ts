import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Clock } from '../lib/clock.ts';
import { writeBlockHead, type BlockHead } from './block/block-head.ts';
import { packIndex, writeIndexBox, type BlockIndex, type BlockNumbers } from './block/block-index.ts';
import { writeBlockRun } from './block/block-run.ts';
import { readSpliceBox } from './block/block-splice.ts';
import { IndexBuilder } from './block/index-builder.ts';
import { blockPath, MAX_NAME_SUFFIX } from './block-path.ts';
import { codeOf, type DiskFile, type DiskFiles } from './disk-files.ts';
import { releaseRuns, PendingRuns, type PendingRun } from './pending-runs.ts';
import { because, type Explained } from '../../src-preload/contract/explanations/explanations.ts';
import { explained } from '../lib/error-message.ts';
import { isFullDisk } from '../lib/full-disk.ts';

/** Block that is complete on disk. */
export interface RecordedBlock {
  readonly head: BlockHead;
  /** Folder of its disk, and path of the file below it. */
  readonly disk: string;
  readonly path: string;
  readonly index: BlockIndex;
  readonly packedIndex: Buffer;
  readonly sizeBytes: number;
}

/** Reason for ending a block early. */
export interface BlockFailure extends Explained {
  /** System error code such as `ENOSPC`, or `disk_slow`. */
  readonly code: string;
}

export type BlockFiles = Pick<DiskFiles, 'create' | 'remove'>;

/** Callbacks of a block. */
export interface BlockOutcome {
  /** Called when the first media of the block is on disk. */
  started(): void;
  /**
   * Called when the block is on disk with its index. After a failure, the block has all media that was written
   * completely.
   */
  finished(block: RecordedBlock): void;
  /**
   * Called when the block ends early.
   * @param mediaFromMs earliest lost media in epoch milliseconds; Infinity if none was pending
   */
  failed(failure: BlockFailure, mediaFromMs: number): void;
  /** Called when the disk has no more work for a block that failed, or that ended without media. */
  abandoned(): void;
}

/** Time for which parts are collected before a write, in milliseconds. */
const GATHER_MS = 850;
/** Interval of checks that the file still exists, in milliseconds. */
const CHECK_MS = 5000;
/** Number of pending bytes that are written at once. */
const ENOUGH_BYTES = 2 << 20;

/**
 * Writes one block to disk. Events add to the pending data without waiting; the disk writes all pending data in one
 * turn. Each turn ends with a sync, so that a power loss costs at most the pending data. Never throws: a block that
 * fails ends, and reports the failure.
 */
export class BlockWriter {
  readonly #start: Omit<BlockHead, 'numbers'>;
  readonly #numbers: () => BlockNumbers | undefined;
  #readNumbers: BlockNumbers | undefined;
  readonly #disk: string;
  readonly #files: BlockFiles;
  readonly #clock: Clock;
  readonly #outcome: BlockOutcome;
  readonly #pending = new PendingRuns();
  readonly #builder = new IndexBuilder();
  #file: DiskFile | undefined;
  #path = '';
  /** Bytes written completely. */
  #sizeBytes = 0;
  #hasStarted = false;
  #isDeferred: boolean;
  #isFinishing = false;
  #isOver = false;
  #checkAtMs = Infinity;
  #inFlightSinceMs: number | undefined;
  #inFlightBytes = 0;
  #inFlightFromMs = Infinity;

  constructor(options: {
    readonly head: Omit<BlockHead, 'numbers'>;
    /** Numbers of the block in the archive; known after its release. */
    readonly numbers: () => BlockNumbers | undefined;
    readonly disk: string;
    readonly files: BlockFiles;
    readonly clock: Clock;
    readonly outcome: BlockOutcome;
    /** Whether the block waits in memory until released; default false. */
    readonly isDeferred?: boolean;
  }) {
    this.#start = options.head;
    this.#numbers = options.numbers;
    this.#isDeferred = options.isDeferred ?? false;
    this.#disk = options.disk;
    this.#files = options.files;
    this.#clock = options.clock;
    this.#outcome = options.outcome;
  }

  get head(): BlockHead {
    const numbers = (this.#readNumbers ??= this.#numbers());
    return { ...this.#start, ...(numbers ? { numbers } : {}) };
  }

  get disk(): string {
    return this.#disk;
  }

  /** Path below its disk; empty before the file exists. */
  get path(): string {
    return this.#path;
  }

  /** Bytes of the file written completely. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Index of all segments on disk. */
  get index(): BlockIndex {
    return this.#builder.indexOf(this.head);
  }

  /** Data to write; nothing is added after the end of the block. */
  get pending(): PendingRuns {
    return this.#pending;
  }

  /** Whether the block has ended, complete or not. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the disk still has work for the block. */
  get isBusy(): boolean {
    return this.#inFlightSinceMs !== undefined;
  }

  /** Bytes pending or being written. */
  get unwrittenBytes(): number {
    return this.#pending.sizeBytes + this.#inFlightBytes;
  }

  /**
   * Start of the write in progress, or else arrival of the oldest pending byte, in epoch milliseconds; undefined
   * without both.
   */
  get unwrittenSinceMs(): number | undefined {
    return this.#inFlightSinceMs ?? this.#pending.sinceMs;
  }

  /** Time of the next turn, in epoch milliseconds. */
  get dueMs(): number {
    if (this.#isOver || this.#isDeferred) return Infinity;
    if (this.#isFinishing || this.#pending.sizeBytes >= ENOUGH_BYTES) return 0;
    return (this.#pending.sinceMs ?? Infinity) + GATHER_MS;
  }

  /** Allows the disk to write the block. */
  release(): void {
    this.#isDeferred = false;
  }

  /** Drops a block that is not needed and not yet on disk, with its pending data. */
  drop(): void {
    this.#isOver = true;
    releaseRuns(this.#pending.take());
  }

  /** Ends the block: pending data is written, then the index. */
  finish(): void {
    this.#isFinishing = true;
  }

  /**
   * Abandons the block. Memory of a write in progress is released when the write returns.
   *
   * @param mediaFromMs earliest lost media besides the pending data
   */
  fail(failure: BlockFailure, mediaFromMs = Infinity): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const fromMs = Math.min(this.#inFlightFromMs, this.#pending.mediaFromMs, mediaFromMs);
    releaseRuns(this.#pending.take());
    this.#outcome.failed(failure, fromMs);
  }

  /** One turn on the disk. */
  async turn(): Promise<void> {
    this.#inFlightSinceMs = this.#clock.now();
    this.#inFlightBytes = this.#pending.sizeBytes;
    this.#inFlightFromMs = this.#pending.mediaFromMs;
    const runs = this.#pending.take();
    try {
      if (!this.#isOver) await this.#write(runs);
    } catch (error) {
      const code = codeOf(error);
      this.fail({ code: code === '' ? 'disk_error' : code, ...explained(error) });
    }
    releaseRuns(runs);
    this.#inFlightSinceMs = undefined;
    this.#inFlightBytes = 0;
    this.#inFlightFromMs = Infinity;
    if (this.#isOver && this.#file) await this.#abandon(this.#file);
  }

  async #write(runs: readonly PendingRun[]): Promise<void> {
    if (runs.length === 0 && !this.#file) {
      // No media was written, so no file exists.
      if (!this.#isFinishing) return;
      this.#isOver = true;
      this.#outcome.abandoned();
      return;
    }
    const file = (this.#file ??= await this.#create());
    const bytes: Uint8Array[] = this.#sizeBytes === 0 ? [writeBlockHead(this.head)] : [];
    const starts: number[] = [];
    let end = this.#sizeBytes + (bytes[0]?.length ?? 0);
    for (const run of runs) {
      for (const chunk of run.chunks) chunk.checksum = crc32(chunk.bytes);
      const box = writeBlockRun(run);
      end += box.length;
      starts.push(end);
      bytes.push(box);
      for (const chunk of run.chunks) {
        bytes.push(chunk.bytes);
        end += chunk.sizeBytes;
      }
    }
    if (bytes.length > 0) await file.write(bytes, this.#sizeBytes);
    this.#sizeBytes = end;
    for (const [index, run] of runs.entries()) this.#indexRun(run, starts[index] ?? 0);
    if (this.#isOver) return;
    const isEnd = this.#isFinishing && this.#pending.isEmpty;
    if ((isEnd ? this.#checkAtMs < Infinity : this.#clock.now() >= this.#checkAtMs) && (await this.#isGone(file)))
      return;
    if (!isEnd && bytes.length > 0) await file.sync();
    if (starts.length > 0 && !this.#hasStarted) {
      this.#hasStarted = true;
      this.#outcome.started();
    }
    if (isEnd) await this.#end(file);
  }

  #indexRun(run: PendingRun, start: number): void {
    if (run.trackNumber === 0) {
      for (const { bytes } of run.chunks) {
        const splice = readSpliceBox(bytes);
        if (splice) this.#builder.splice(splice);
      }
      return;
    }
    this.#builder.run(run);
    let at = start;
    for (const chunk of run.chunks) {
      this.#builder.chunk(run.trackNumber, chunk, at);
      at += chunk.sizeBytes;
    }
    this.#builder.runEnd(run);
  }

  /** Whether another program removed the file. Writes to a removed file succeed, but their data is lost. */
  async #isGone(file: DiskFile): Promise<boolean> {
    this.#checkAtMs = this.#clock.now() + CHECK_MS;
    if (await file.isLinked()) return false;
    this.#sizeBytes = 0;
    this.fail({ code: 'ENOENT', ...because('block_gone', { path: this.#path }) }, this.head.startMs);
    return true;
  }

  async #end(file: DiskFile): Promise<void> {
    const { index } = this;
    await this.#writeIndex(file, index);
    await file.sync();
    this.#isOver = true;
    this.#file = undefined;
    await file.close();
    this.#outcome.finished(this.#recorded(index));
  }

  /** Finishes the written part of a block that failed, if the disk allows it. */
  async #abandon(file: DiskFile): Promise<void> {
    this.#file = undefined;
    const { index } = this;
    try {
      if (this.#sizeBytes === 0) await this.#files.remove(join(this.#disk, this.#path));
      else {
        await file.truncate(this.#sizeBytes);
        await this.#writeIndex(file, index);
        this.#outcome.finished(this.#recorded(index));
      }
    } catch (error) {
      // The next recovery truncates the block and appends the index. The catalog has a copy of the index until then.
      if (isFullDisk(error)) this.#outcome.finished(this.#recorded(index));
    }
    this.#outcome.abandoned();
    await file.close().catch(() => undefined);
  }

  async #writeIndex(file: DiskFile, index: BlockIndex): Promise<void> {
    const box = writeIndexBox(index);
    await file.write([box], this.#sizeBytes);
    this.#sizeBytes += box.length;
  }

  #recorded(index: BlockIndex): RecordedBlock {
    const { head } = this;
    const packedIndex = packIndex(index);
    return { head, disk: this.#disk, path: this.#path, index, packedIndex, sizeBytes: this.#sizeBytes };
  }

  async #create(): Promise<DiskFile> {
    for (let suffix = 0; ; suffix++) {
      this.#path = blockPath(this.head.stream, this.head.startMs, suffix);
      try {
        const file = await this.#files.create(join(this.#disk, this.#path));
        // Stops the checks on file systems that do not count links.
        if (await file.isLinked()) this.#checkAtMs = this.#clock.now() + CHECK_MS;
        return file;
      } catch (error) {
        if (codeOf(error) !== 'EEXIST' || suffix >= MAX_NAME_SUFFIX) throw error;
      }
    }
  }
}
