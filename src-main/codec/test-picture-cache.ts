import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { JobInput, JobOutput } from './job-table.ts';
import { LOOP_FILE_VERSION, readLoopFile, type TestPictureLoop } from './loop-file.ts';
import type { TestPictureOptions } from './test-picture-options.ts';

/** Draws and encodes a loop: a `CodecPool`. */
export interface TestPictureMaker {
  run(kind: 'test-picture', input: JobInput<'test-picture'>): Promise<JobOutput<'test-picture'>>;
}

/** What the cache is made with. */
export interface TestPictureCacheOptions {
  /** Where the files lie. Made when the first one is written. */
  readonly folder: string;
  readonly maker: TestPictureMaker;
  /** Most files that are kept; the oldest go first. 24 without it. */
  readonly mostFiles?: number;
}

const SUFFIX = '.loop';
/** Loops are kept in memory up to this, so that several threads asking one after the other share the same bytes. */
const MOST_HELD_BYTES = 32 * 1024 * 1024;

/**
 * The loops of test pictures, each encoded once and then read from its file. A file that is broken or of an older
 * version is made again.
 */
export class TestPictureCache {
  readonly #options: TestPictureCacheOptions;
  readonly #loading = new Map<string, Promise<TestPictureLoop>>();
  /** The loops asked for last, newest last. */
  readonly #held = new Map<string, TestPictureLoop>();

  constructor(options: TestPictureCacheOptions) {
    this.#options = options;
  }

  /** Raises `codec_process_failed`, `codec_process_timeout` or `bad_request` where the loop cannot be made. */
  load(options: TestPictureOptions): Promise<TestPictureLoop> {
    const key = testPictureKey(options);
    const held = this.#held.get(key);
    if (held) {
      this.#hold(key, held);
      return Promise.resolve(held);
    }
    let loading = this.#loading.get(key);
    if (!loading) {
      loading = this.#readOrMake(key, options).finally(() => this.#loading.delete(key));
      this.#loading.set(key, loading);
    }
    return loading;
  }

  async #readOrMake(key: string, options: TestPictureOptions): Promise<TestPictureLoop> {
    const path = join(this.#options.folder, key + SUFFIX);
    let loop = await read(path);
    if (!loop) {
      await this.#options.maker.run('test-picture', { options, path });
      loop = await read(path);
      if (!loop)
        throw new AirdeskError('codec_process_failed', 'The test picture was made but cannot be read', { path });
      await this.#prune();
    }
    this.#hold(key, loop);
    return loop;
  }

  /** Remembers a loop, and forgets the oldest ones while all of them are too large. One that is playing stays in memory anyway. */
  #hold(key: string, loop: TestPictureLoop): void {
    this.#held.delete(key);
    this.#held.set(key, loop);
    let bytes = [...this.#held.values()].reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    for (const [oldKey, old] of this.#held) {
      if (bytes <= MOST_HELD_BYTES || old === loop) return;
      this.#held.delete(oldKey);
      bytes -= old.bytes.byteLength;
    }
  }

  /** Removes the oldest files beyond the limit, and those half done that a crash left behind. */
  async #prune(): Promise<void> {
    const names = (await readdir(this.#options.folder)).filter((name) => name.includes(SUFFIX));
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#options.folder, name);
        const changedMs = await stat(path).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        );
        return { path, changedMs };
      }),
    );
    files.sort((a, b) => b.changedMs - a.changedMs);
    await Promise.all(files.slice(this.#options.mostFiles ?? 24).map(({ path }) => rm(path, { force: true })));
  }
}

/** Name of the cache file of these options, without its suffix. */
export function testPictureKey(options: TestPictureOptions): string {
  const { width, height, fpsNumerator, fpsDenominator, gopFrames, bitrateKbps, bFrames } = options;
  const values = [LOOP_FILE_VERSION, width, height, fpsNumerator, fpsDenominator, gopFrames, bitrateKbps, bFrames];
  return `test-picture-${createHash('sha256').update(values.join(' ')).digest('hex').slice(0, 16)}`;
}

async function read(path: string): Promise<TestPictureLoop | undefined> {
  try {
    return readLoopFile(await readFile(path));
  } catch {
    return undefined;
  }
}
