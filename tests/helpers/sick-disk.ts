import { existsSync } from 'node:fs';
import { open, readlink, type FileHandle } from 'node:fs/promises';
import { isMainThread } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';

// Makes disks of a server sick, loaded before anything else: `node --import`. They are the folders in a folder `sick`; files beside one say how it is:
// `<folder>.slow` is a pipe, and what is to be on disk waits, with its thread of the pool, until that is opened for writing; `<folder>.readonly`
// makes writes fail as on a file system that became read-only.
if (isMainThread) {
  const handle = await open(fileURLToPath(import.meta.url));
  // The class of handles is not exported.
  const handles = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const { datasync, writev } = handles;
  const folders = new WeakMap<FileHandle, string>();
  const folderOf = async (file: FileHandle): Promise<string> => {
    let folder = folders.get(file);
    folder ??= /^.*\/sick\/[^/]+/.exec(await readlink(`/proc/self/fd/${file.fd}`))?.[0] ?? '/nowhere';
    folders.set(file, folder);
    return folder;
  };
  const waitFor = async (file: FileHandle): Promise<void> => {
    const pipe = `${await folderOf(file)}.slow`;
    if (existsSync(pipe)) await (await open(pipe)).close();
  };
  handles.datasync = async function (this: FileHandle) {
    await waitFor(this);
    await datasync.call(this);
  };
  handles.writev = async function (this: FileHandle, ...args: Parameters<typeof writev>) {
    if (existsSync(`${await folderOf(this)}.readonly`))
      throw Object.assign(new Error('EROFS: read-only file system, write'), { code: 'EROFS' });
    // Blocks are written through to the disk.
    await waitFor(this);
    return writev.apply(this, args);
  } as typeof writev;
}
