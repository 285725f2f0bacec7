import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { JobInput, JobOutput } from './job-table.ts';
import { LOOP_FILE_VERSION, readLoopFile, type TestPictureLoop } from './test-picture/loop-file.ts';
import type { TestPictureOptions } from './test-picture/test-picture-options.ts';

/** Draws and encodes a loop, such as a `CodecPool`. */
export interface TestPictureMaker {
  run(kind: 'test-picture', input: JobInput<'test-picture'>): Promise<JobOutput<'test-picture'>>;
}

export interface TestPictureCacheOptions {
  /** Folder of the files, created with the first one. */
  readonly folder: string;
  readonly maker: TestPictureMaker;
  /** Maximum number of files; the oldest are removed first. Default 24. */
  readonly maxFiles?: number;
}

const SUFFIX = '.loop';
/** Maximum size of loops cached in memory, so that threads that request the same loop share its bytes. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;

/**
 * Cache of test picture loops, each encoded once and then read from its file. A damaged or outdated file is made again.
 */
export class TestPictureCache {
  readonly #options: TestPictureCacheOptions;
  readonly #loading = new Map<string, Promise<TestPictureLoop>>();
  /** Cached loops, most recently used last. */
  readonly #cached = new Map<string, TestPictureLoop>();

  constructor(options: TestPictureCacheOptions) {
    this.#options = options;
  }

  /** Rejects with `codec_process_failed`, `codec_process_timeout` or `bad_request` if the loop cannot be made. */
  load(options: TestPictureOptions): Promise<TestPictureLoop> {
    const key = testPictureKey(options);
    const cached = this.#cached.get(key);
    if (cached) {
      this.#cache(key, cached);
      return Promise.resolve(cached);
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
    this.#cache(key, loop);
    return loop;
  }

  /** Caches a loop, and drops the oldest loops above the size limit. A loop that is playing stays in memory. */
  #cache(key: string, loop: TestPictureLoop): void {
    this.#cached.delete(key);
    this.#cached.set(key, loop);
    let bytes = [...this.#cached.values()].reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    for (const [oldKey, old] of this.#cached) {
      if (bytes <= MAX_CACHED_BYTES || old === loop) return;
      this.#cached.delete(oldKey);
      bytes -= old.bytes.byteLength;
    }
  }

  /** Removes the oldest files beyond the limit, including partial files left by a crash. */
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
    await Promise.all(files.slice(this.#options.maxFiles ?? 24).map(({ path }) => rm(path, { force: true })));
  }
}

/** Name of the cache file for some options, without its suffix. */
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
