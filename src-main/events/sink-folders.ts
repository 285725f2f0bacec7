import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DiskFolder, type QueueFolder } from './queue-folder.ts';

/** Retention of the queue of a sink that was removed from the configuration, in milliseconds. */
export const KEEP_REMOVED_MS = 7 * 86_400_000;

const REMOVED = 'removed';

/** Queue folders: one per sink. */
export class SinkFolders {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Opens the folder of a configured sink. */
  async open(name: string): Promise<QueueFolder> {
    const folder = await DiskFolder.open(this.#path(name));
    await rm(join(this.#path(name), REMOVED), { force: true });
    return folder;
  }

  /** Marks folders of sinks that are no longer configured, and deletes folders marked more than 7 days ago. */
  async sweep(configured: ReadonlySet<string>, nowMs: number): Promise<void> {
    await mkdir(this.#root, { recursive: true });
    const folders = (await readdir(this.#root, { withFileTypes: true })).filter((entry) => entry.isDirectory());
    const configuredFolders = new Set([...configured].map((name) => this.#folderName(name)));
    for (const { name } of folders) {
      const markPath = join(this.#root, name, REMOVED);
      if (configuredFolders.has(name)) {
        await rm(markPath, { force: true });
        continue;
      }
      const sinceMs = Number(await readFile(markPath, 'utf8').catch(() => ''));
      if (!(sinceMs > 0) || sinceMs > nowMs) await writeFile(markPath, String(nowMs));
      else if (nowMs - sinceMs > KEEP_REMOVED_MS) await rm(join(this.#root, name), { recursive: true, force: true });
    }
  }

  #folderName(name: string): string {
    return encodeURIComponent(name);
  }

  #path(name: string): string {
    return join(this.#root, this.#folderName(name));
  }
}
