import { constants } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';

/** Error for a path that is a pipe, a device, a folder or a socket. */
export class NotAFileError extends Error {
  constructor(path: string) {
    super(`${path} is not a file.`);
  }
}

/** Opens a regular file for reading. Refuses everything else at once: opening a pipe would wait for its writer. */
export async function openRegularFile(path: string): Promise<FileHandle> {
  if (!(await stat(path)).isFile()) throw new NotAFileError(path);
  // The file may have been replaced by a pipe after `stat`, so it is opened without blocking. Windows has no such flag.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK || 0));
  try {
    if ((await handle.stat()).isFile()) return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  throw new NotAFileError(path);
}

/** Reads a regular file; throws `NotAFileError`, or another error if the file is longer than `maxBytes`. */
export async function readRegularFile(path: string, maxBytes: number): Promise<Buffer> {
  const handle = await openRegularFile(path);
  try {
    if ((await handle.stat()).size > maxBytes) throw new Error(`${path} is longer than ${maxBytes} bytes`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
