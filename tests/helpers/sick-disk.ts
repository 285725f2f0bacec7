import fs, { existsSync } from 'node:fs';
import { open, readlink } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

// Makes disks of a server fail, preloaded by `node --import`. They are the folders in a folder `sick`; files beside one set its
// state: `<folder>.slow` is a pipe, and writes wait, with their pool thread, until it is opened for writing; `<folder>.readonly`
// makes writes fail as on a file system that became read-only.
if (isMainThread) {
  const { writev } = fs;
  const sick = async (fd: number): Promise<NodeJS.ErrnoException | null> => {
    const folder = /^.*\/sick\/[^/]+/.exec(await readlink(`/proc/self/fd/${fd}`))?.[0];
    if (folder === undefined) return null;
    if (existsSync(`${folder}.readonly`))
      return Object.assign(new Error('EROFS: read-only file system, write'), { code: 'EROFS' });
    // Blocks are written through to the disk.
    const pipe = `${folder}.slow`;
    if (existsSync(pipe)) await (await open(pipe)).close();
    return null;
  };
  const sickWritev = (
    fd: number,
    bytes: readonly NodeJS.ArrayBufferView[],
    position: number | null,
    done: (error: NodeJS.ErrnoException | null, written: number) => void,
  ): void => {
    void sick(fd).then((error) => {
      if (error) done(error, 0);
      else writev(fd, bytes, position, done);
    });
  };
  fs.writev = sickWritev as typeof writev;
  syncBuiltinESMExports();
}
