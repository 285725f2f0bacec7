import { readlinkSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { DiskOwners, printOwner, type OwnerFiles, type ProcessPort } from '../../dvr/guard/disk-owner.ts';
import { DISK_STATE_FOLDER } from '../../dvr/guard/lock-copies.ts';
import { codeOf } from '../../dvr/disk-files.ts';
import { isoTime, type Clock } from '../../lib/clock.ts';
import type { MachineTime } from '../../lib/machine-time.ts';

/** Claims the disks of the archives for this server. */
export interface DiskOwnersUnit {
  /**
   * Claims a disk, or verifies that it is still claimed.
   * @returns description of the other server that has claimed the disk; undefined if this server has it
   */
  claim(this: void, folder: string): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Folders of the configuration. */
export interface OwnedFolders {
  /** Disks that this server only reads, which several servers may use. */
  readonly readOnly: ReadonlySet<string>;
  /** Root of the storage of a disk, if the disk is below it. */
  readonly roots: ReadonlyMap<string, string>;
}

/** Clock, machine and data folder of a server that owns disks. */
export interface DiskOwnerOptions {
  readonly clock: Clock;
  readonly dataFolder: string;
  readonly machine?: MachineTime;
}

/** Opens the owner files of the disks. */
export function openDiskOwners({
  options: { clock, dataFolder, machine },
  server,
  folders,
}: {
  readonly options: DiskOwnerOptions;
  /** Name of this server, which stays the same after a restart. */
  readonly server: string;
  readonly folders: () => OwnedFolders;
}): DiskOwnersUnit {
  const time = machine ?? { uptimeMs: () => clock.now(), bootId: null };
  const owners = new DiskOwners({
    files: systemOwnerFiles,
    processes: processesOf(time.bootId),
    machine: time,
    server,
    dataFolder,
    since: isoTime(clock.now()),
  });
  return {
    async claim(folder) {
      const { readOnly, roots } = folders();
      if (readOnly.has(folder)) return undefined;
      const root = roots.get(folder);
      // The root of a storage may contain mount points and belong to the system, so that it cannot be claimed.
      const above = root === undefined ? undefined : await owners.claim(root).catch(() => undefined);
      const owner = above ?? (await owners.claim(folder));
      return owner && printOwner(owner);
    },
    close: async () => owners.close(),
  };
}

const FILE = join(DISK_STATE_FOLDER, 'owner.json');

const systemOwnerFiles: OwnerFiles = {
  async read(folder) {
    try {
      return await readFile(join(folder, FILE), 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  },
  async create(folder, text) {
    const path = join(folder, FILE);
    await mkdir(dirname(path), { recursive: true });
    try {
      await write(path, 'wx', text);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    }
  },
  async replace(folder, text) {
    const path = join(folder, FILE);
    const unfinished = `${path}.${process.pid}`;
    await write(unfinished, 'w', text);
    await rename(unfinished, path);
  },
  remove: async (folder) => rm(join(folder, FILE), { force: true }),
};

async function write(path: string, flags: string, text: string): Promise<void> {
  const file = await open(path, flags, 0o644);
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Processes of this machine. Only Linux reports the start of a process. */
function processesOf(bootId: string | null): ProcessPort {
  return {
    pid: process.pid,
    host: hostname(),
    space: bootId === null ? null : `${bootId} ${processNamespace()}`,
    async startOf(pid) {
      if (process.platform !== 'linux') return undefined;
      try {
        const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
        // proc_pid_stat(5): the name of the program, in brackets, may contain spaces; the 22nd field is the start.
        return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
      } catch (error) {
        return codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH' ? null : undefined;
      }
    },
  };
}

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
