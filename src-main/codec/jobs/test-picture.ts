import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeLoopFile } from '../test-picture/loop-file.ts';
import { makeTestPictureLoop } from '../test-picture/test-picture-loop.ts';
import type { TestPictureOptions } from '../test-picture/test-picture-options.ts';

/** Test picture to make, and its file. */
export interface TestPictureInput {
  readonly options: TestPictureOptions;
  /** Cache file, written atomically. */
  readonly path: string;
}

/** Draws and encodes a loop of the test picture into its cache file. */
export function testPicture(input: TestPictureInput): void {
  const file = writeLoopFile(makeTestPictureLoop(input.options));
  mkdirSync(dirname(input.path), { recursive: true });
  const halfDone = `${input.path}.${String(process.pid)}.tmp`;
  try {
    writeFileSync(halfDone, file);
    renameSync(halfDone, input.path);
  } catch (error) {
    rmSync(halfDone, { force: true });
    throw error;
  }
}
