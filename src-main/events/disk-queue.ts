import { MAX_RECORD_BYTES, readRecord, writeRecord, type QueueRecord } from './queue-record.ts';
import type { QueueFolder } from './queue-folder.ts';
import { numberOfSegment, scanSegment, segmentName } from './queue-segment.ts';

/** Size at which the next file is started, in bytes. */
export const SEGMENT_BYTES = 4 * 1024 * 1024;
const READ_BYTES = 2 * MAX_RECORD_BYTES;
const CHECKPOINT = 'checkpoint';

/** Counters of a queue, stored across restarts. */
export interface QueueCounters {
  delivered: number;
  deadLetters: number;
  dropped: number;
}

interface Segment {
  readonly name: string;
  readonly firstSeq: number;
  bytes: number;
}

interface Peeked extends QueueRecord {
  readonly segment: Segment;
  readonly end: number;
}

/**
 * Queue on disk: append-only files of lines, and a checkpoint of the acknowledged position. Records whose `append`
 * resolved are returned by `peek`, in order, until `ack` resolves; after a crash they may be returned again. One append
 * and one peek or ack may run at a time.
 */
export class DiskQueue {
  readonly counters: QueueCounters = { delivered: 0, deadLetters: 0, dropped: 0 };
  /** Number of unreadable lines. */
  damaged = 0;
  readonly #folder: QueueFolder;
  readonly #segmentBytes: number;
  #segments: Segment[] = [];
  #nextSeq = 1;
  #ackedSeq = 0;
  /** Offset of the first unacknowledged record in the first segment. */
  #offset = 0;
  #peeked: Peeked[] = [];
  /** True if the next append starts a new file, because the end of the last file is unknown. */
  #isTailUnsure = false;

  private constructor(folder: QueueFolder, segmentBytes: number) {
    this.#folder = folder;
    this.#segmentBytes = segmentBytes;
  }

  /** Opens the queue of a folder and truncates the torn end that a crash may have left. */
  static async open(folder: QueueFolder, segmentBytes: number = SEGMENT_BYTES): Promise<DiskQueue> {
    const queue = new DiskQueue(folder, segmentBytes);
    await queue.#load();
    return queue;
  }

  /** Number of unacknowledged records. */
  get backlog(): number {
    return this.#nextSeq - 1 - this.#ackedSeq;
  }

  /** Size of the unacknowledged records, in bytes. */
  get waitingBytes(): number {
    return this.fileBytes - Math.min(this.#offset, this.#segments[0]?.bytes ?? 0);
  }

  /** Size of all files, in bytes. */
  get fileBytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Appends texts. If it rejects, none of them counts as appended, and the next call must start with the same texts. */
  async append(texts: readonly string[]): Promise<void> {
    if (texts.length === 0) return;
    const bytes = Buffer.from(texts.map((text, index) => writeRecord({ seq: this.#nextSeq + index, text })).join(''));
    let tail = this.#segments.at(-1);
    if (!tail || this.#isTailUnsure || tail.bytes >= this.#segmentBytes) {
      tail = { name: segmentName(this.#nextSeq), firstSeq: this.#nextSeq, bytes: 0 };
      // A failed append may have left a file of the same name.
      await this.#folder.remove(tail.name);
      this.#segments = [...this.#segments.filter(({ name }) => name !== tail?.name), tail];
      this.#isTailUnsure = false;
    }
    try {
      await this.#folder.append(tail.name, bytes);
    } catch (error) {
      // Part of the bytes may be on disk. If they cannot be truncated, a reader ignores everything after the last
      // complete line.
      const length = tail.bytes;
      await this.#folder.truncate(tail.name, length).catch(() => {
        this.#isTailUnsure = true;
      });
      throw error;
    }
    tail.bytes += bytes.length;
    this.#nextSeq += texts.length;
  }

  /**
   * Oldest unacknowledged records, at most `maxCount`. The list ends with the record at which the texts reach `maxChars`
   * characters together.
   */
  async peek(maxCount: number, maxChars: number): Promise<readonly QueueRecord[]> {
    const endSeq = this.#nextSeq;
    const found: Peeked[] = [];
    let chars = 0;
    let scanned: { readonly segment: Segment; readonly bytes: number } | undefined;
    for (const segment of [...this.#segments]) {
      let at = segment === this.#segments[0] ? this.#offset : 0;
      // Appends may change the size of the segment in the meantime.
      const { bytes } = segment;
      scanned = { segment, bytes };
      while (at < bytes && found.length < maxCount && chars < maxChars) {
        const chunk = await this.#folder.read(segment.name, at, Math.min(READ_BYTES, bytes - at));
        if (chunk.length === 0) break;
        let from = 0;
        for (
          let end = chunk.indexOf(10);
          end >= 0 && found.length < maxCount && chars < maxChars;
          end = chunk.indexOf(10, from)
        ) {
          const record = readRecord(chunk.subarray(from, end));
          from = end + 1;
          const newest = found.at(-1)?.seq ?? this.#ackedSeq;
          if (!record) this.damaged++;
          else if (record.seq > newest) {
            found.push({ ...record, segment, end: at + from });
            chars += record.text.length;
          }
        }
        if (from === 0) {
          // A full chunk, or the rest of the file, without the end of a line is damaged.
          this.damaged++;
          from = chunk.length;
        }
        at += from;
      }
      if (found.length >= maxCount || chars >= maxChars) break;
    }
    this.#peeked = found;
    if (found.length === 0 && endSeq > this.#ackedSeq + 1) await this.#pass(endSeq - 1, scanned);
    return found.map(({ seq, text }) => ({ seq, text }));
  }

  /** Acknowledges the first records of the last peek, so that they are not returned again. */
  async ack(count: number): Promise<void> {
    const last = this.#peeked[count - 1];
    if (!last) throw new RangeError(`only ${this.#peeked.length} records were read`);
    this.#peeked = this.#peeked.slice(count);
    this.#ackedSeq = last.seq;
    const passed = this.#segments.slice(0, this.#segments.indexOf(last.segment));
    this.#segments = this.#segments.slice(passed.length);
    this.#offset = last.end;
    await this.save();
    for (const { name } of passed) await this.#folder.remove(name);
  }

  /** Writes the checkpoint with the counters. */
  async save(): Promise<void> {
    await this.#folder.replace(CHECKPOINT, JSON.stringify({ acked: this.#ackedSeq, ...this.counters }));
  }

  /** Skips the unreadable records up to number `seq`; the queue continues at `to`. */
  async #pass(seq: number, to: { readonly segment: Segment; readonly bytes: number } | undefined): Promise<void> {
    const passed = to ? this.#segments.slice(0, this.#segments.indexOf(to.segment)) : [];
    this.#segments = this.#segments.slice(passed.length);
    this.#offset = to?.bytes ?? 0;
    this.#ackedSeq = seq;
    await this.save();
    for (const { name } of passed) await this.#folder.remove(name);
  }

  async #load(): Promise<void> {
    const files = await this.#folder.list();
    await this.#loadCheckpoint(files.some(({ name }) => name === CHECKPOINT));
    const segments = files
      .flatMap(({ name, bytes }) => {
        const firstSeq = numberOfSegment(name);
        return firstSeq === undefined ? [] : [{ name, firstSeq, bytes }];
      })
      .sort((a, b) => a.firstSeq - b.firstSeq);
    this.#nextSeq = this.#ackedSeq + 1;
    // The end of the last file may be incomplete. The file before it may contain a part of an append that a full disk accepted
    // before the append was repeated in the last file.
    const tail = segments.at(-1);
    for (const segment of segments.slice(-2)) {
      const { nextSeq, bytes } = await scanSegment(
        this.#folder,
        segment,
        segment === tail ? undefined : tail?.firstSeq,
      );
      if (bytes < segment.bytes) await this.#folder.truncate(segment.name, bytes);
      segment.bytes = bytes;
      if (segment === tail) this.#nextSeq = Math.max(this.#nextSeq, nextSeq);
    }
    // A segment is no longer needed if the next segment starts at or before the first unacknowledged record.
    const first = segments.findLastIndex(({ firstSeq }) => firstSeq <= this.#ackedSeq + 1);
    this.#segments = segments.slice(Math.max(0, first));
    // If nothing is unacknowledged, the last file is completely acknowledged.
    if (this.backlog === 0 && this.#segments.length === 1) this.#offset = this.#segments[0]?.bytes ?? 0;
    for (const { name } of segments.slice(0, Math.max(0, first))) await this.#folder.remove(name);
  }

  async #loadCheckpoint(exists: boolean): Promise<void> {
    if (!exists) return;
    // Without a readable checkpoint, all records on the disk are returned again.
    const bytes = await this.#folder.read(CHECKPOINT, 0, 4096);
    const saved = parse(bytes.toString('utf8'));
    const count = (key: string): number =>
      Number.isSafeInteger(saved[key]) && Number(saved[key]) >= 0 ? Number(saved[key]) : 0;
    this.#ackedSeq = count('acked');
    Object.assign(this.counters, {
      delivered: count('delivered'),
      deadLetters: count('deadLetters'),
      dropped: count('dropped'),
    });
  }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    // Every reader of the checkpoint checks its fields.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
