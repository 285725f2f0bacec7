import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isoTime } from '../lib/clock.ts';
import { PathNotAllowedError, type LocateFile } from '../lib/allowed-paths.ts';
import type { Delivery, DeliveryResult } from './delivery.ts';
import type { QueueRecord } from './queue-record.ts';
import { messageOf } from '../lib/error-message.ts';

export interface LogDeliveryOptions {
  readonly path: string;
  /**
   * Resolves links in the path each time the file is opened; throws for a path that may not be written. Default: the
   * path unchanged.
   */
  readonly locate?: LocateFile;
  /** `log`: readable lines; `jsonlog`: one JSON object per line. */
  readonly form: 'log' | 'jsonlog';
  /** Size at which the next file is started, in bytes. */
  readonly maxBytes: number;
  /** Number of old files to keep: `path.1` is the newest of them. */
  readonly maxFiles: number;
}

/** Writes events into a rotated log file. */
export class LogDelivery implements Delivery {
  readonly #options: LogDeliveryOptions;
  #handle: FileHandle | undefined;
  #bytes = 0;
  #working: Promise<unknown> = Promise.resolve();

  constructor(options: LogDeliveryOptions) {
    this.#options = options;
  }

  deliver(records: readonly QueueRecord[]): Promise<DeliveryResult> {
    const work = this.#write(records).then(
      (): DeliveryResult => ({ kind: 'delivered' }),
      async (error: unknown): Promise<DeliveryResult> => {
        await this.#closeFile();
        return {
          kind: 'failed',
          code: error instanceof PathNotAllowedError ? error.code : 'event_sink_not_written',
          message: messageOf(error),
        };
      },
    );
    this.#working = work;
    return work;
  }

  async close(): Promise<void> {
    await this.#working;
    await this.#closeFile();
  }

  async #write(records: readonly QueueRecord[]): Promise<void> {
    const { form, maxBytes } = this.#options;
    const bytes = Buffer.from(records.map(({ text }) => `${form === 'log' ? eventLine(text) : text}\n`).join(''));
    if (this.#bytes > 0 && this.#bytes + bytes.length > maxBytes) await this.#rotate();
    const handle = (this.#handle ??= await this.#open());
    await handle.appendFile(bytes);
    this.#bytes += bytes.length;
  }

  async #open(): Promise<FileHandle> {
    const { maxBytes } = this.#options;
    const path = await this.#locate();
    await mkdir(dirname(path), { recursive: true });
    const handle = await open(path, 'a+', 0o640);
    try {
      this.#bytes = (await handle.stat()).size;
      if (this.#bytes >= maxBytes) {
        await handle.close();
        await this.#rotate();
        return await this.#open();
      }
      if (this.#bytes > 0) {
        const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, this.#bytes - 1);
        // A crash may have truncated the last line. New text must not become a part of it.
        if (buffer[0] !== 10) await handle.appendFile('\n');
      }
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Resolves the path again: links may have been created since the file was opened or the sink was configured. */
  async #locate(): Promise<string> {
    const { path, locate } = this.#options;
    return locate ? await locate(path) : path;
  }

  async #rotate(): Promise<void> {
    const { maxFiles } = this.#options;
    await this.#closeFile();
    const path = await this.#locate();
    if (maxFiles === 0) await rm(path, { force: true });
    for (let index = maxFiles; index >= 1; index--) {
      const from = index === 1 ? path : `${path}.${index - 1}`;
      await rename(from, `${path}.${index}`).catch((error: unknown) => {
        // The file does not exist, because there are fewer old files so far.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
      });
    }
    this.#bytes = 0;
  }

  async #closeFile(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close().catch(() => undefined);
  }
}

/**
 * Formats an event as a readable line: time, kind, and its fields as `key=value`.
 * @param json the event as queued
 */
export function eventLine(json: string): string {
  // Events are flat objects, and the checksum of the record proves that the text is an event.
  const { utc_ms: utcMs, event, ...facts } = JSON.parse(json) as Record<string, unknown>;
  const fields = Object.entries(facts).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [`${key}=${printValue(value)}`],
  );
  return [isoTime(Number(utcMs)), String(event), ...fields].join(' ');
}

function printValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[^\s"=\p{Cc}]+$/u.test(text) ? text : JSON.stringify(text);
}
