import { randomBytes } from 'node:crypto';
import { link, lstat, open, opendir, rename, stat, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { because, type Explained } from '../../src-preload/contract/explanations/explanations.ts';
import type { Clock } from '../lib/clock.ts';
import { longestPrefix, pathBelow } from '../lib/allowed-paths.ts';
import { fileNameFault } from '../lib/file-name.ts';
import { isFullDisk } from '../lib/full-disk.ts';
import type { FileTurns } from '../lib/file-turns.ts';
import { messageOf } from '../lib/error-message.ts';
import { findBelow, type VodLocation } from '../vod/vod-location.ts';

export interface VodUploadsDeps {
  readonly clock: Clock;
  /** VOD locations by prefix. */
  readonly locations: () => ReadonlyMap<string, VodLocation>;
  readonly files: FileTurns;
  /** Whether a running job is creating a file, by its location and the path in it. */
  readonly isBeingMade?: (path: string) => boolean;
}

/** An announced file. */
export interface UploadRequest {
  /** Prefix of the location. The folder in it is `folder`; empty for the location itself. */
  readonly location: string;
  readonly folder: string;
  readonly name: string;
  /** Undefined if the sender does not know the size. The file then ends with the body. */
  readonly sizeBytes: number | undefined;
  /** True if it may replace a file of the same name. */
  readonly mayReplace: boolean;
  /**
   * Folder of the location to write to. By default the first that contains the file, otherwise the first that contains
   * its folder.
   */
  readonly root?: string;
}

/** A checked upload with its target folder. */
interface CheckedUpload extends UploadRequest {
  readonly root: string;
  readonly steps: readonly string[];
  /** True if a file of this name existed. */
  readonly replacesFile: boolean;
}

interface Ticket extends CheckedUpload {
  readonly cancelExpiry: () => void;
}

type Body = AsyncIterable<Uint8Array> & { destroy(): unknown };

/** A completed upload. */
interface CompletedUpload {
  readonly sizeBytes: number;
  /** True if it replaced another file. */
  readonly hasReplaced: boolean;
}

/** Maximum size of a file, in bytes. */
const MAX_BYTES = 100e9;
/**
 * Maximum length of a name, in bytes of UTF-8. Most file systems allow 255; the name of the unfinished file is longer.
 */
const MAX_NAME_BYTES = 200;
/** Maximum number of announced and running uploads. */
const MAX_UPLOADS = 16;
/** Maximum time from the announcement to the body, and between two pieces of it, in milliseconds. */
const PATIENCE_MS = 30_000;
/** Minimum free space of a disk, in bytes. */
const RESERVE_BYTES = 64 << 20;
/** Interval of free-space checks for a file of unknown length, in bytes received. */
const STEP_BYTES = 4 << 20;
/** Prefix of the names of unfinished files; names that start with a dot are neither listed nor played. */
const UNFINISHED = '.airdesk-upload-';
/** Minimum age at which unfinished files of a killed server are removed, in milliseconds. */
const REMAINS_MS = 86_400_000;

/**
 * Uploads into VOD locations. Senders that have no rights themselves announce a file and get a ticket for one body. A
 * file gets its name only when it is complete.
 */
export class VodUploads {
  readonly #deps: VodUploadsDeps;
  readonly #tickets = new Map<string, Ticket>();
  #running = 0;

  constructor(deps: VodUploadsDeps) {
    this.#deps = deps;
  }

  /**
   * Announces a file. Throws `bad_value`, `vod_not_found`, `vod_path_not_found`, `vod_file_exists`, `vod_no_room`,
   * `vod_uploads_full`.
   * @returns the ticket
   */
  async announce(request: UploadRequest): Promise<string> {
    this.#requireTurn();
    const placed = await this.#check(request);
    const ticket = randomBytes(18).toString('base64url');
    const cancelExpiry = this.#deps.clock.after(PATIENCE_MS, () => {
      this.#tickets.delete(ticket);
    });
    this.#tickets.set(ticket, { ...placed, cancelExpiry });
    return ticket;
  }

  /**
   * Receives an announced file. Throws `vod_upload_not_found`, `vod_upload_broken` if the body has the wrong length,
   * `vod_file_exists`, `vod_no_room`; then no file is left.
   */
  async receive(ticket: string, body: Body): Promise<void> {
    const upload = this.#tickets.get(ticket);
    if (!upload) throw new AirdeskError('vod_upload_not_found', because('upload_not_announced'));
    upload.cancelExpiry();
    this.#tickets.delete(ticket);
    this.#running++;
    try {
      await this.#store(upload, body);
    } finally {
      this.#running--;
    }
  }

  /** Receives a file from a sender who has the right to write it. Throws the errors of `announce` and `receive`. */
  async put(request: UploadRequest, body: Body): Promise<CompletedUpload> {
    this.#requireTurn();
    this.#running++;
    try {
      return await this.#store(await this.#check(request), body);
    } finally {
      this.#running--;
    }
  }

  /**
   * Removes a file by its location and the path in it. Throws `bad_value` for a folder, `job_running` for the unfinished file of a
   * job, `vod_file_not_found`, `vod_file_unreadable`.
   *
   * @param from folder of the location that contains it; default: the first folder that contains it
   */
  async remove(path: string, from?: Required<Pick<UploadRequest, 'location' | 'root'>>): Promise<void> {
    const locations = this.#deps.locations();
    const prefix = from?.location ?? longestPrefix(locations, path) ?? '';
    const steps = pathBelow(path.slice(prefix.length + 1)) ?? [];
    const name = steps.at(-1);
    const missing = new AirdeskError('vod_file_not_found', because('file_unknown', { path: path.slice(0, 200) }));
    if (name === undefined || steps.some((step) => step.startsWith('.'))) throw missing;
    if (this.#deps.isBeingMade?.([prefix, ...steps].join('/')))
      throw new AirdeskError('job_running', because('clip_being_made'));
    for (const root of from ? [from.root] : (locations.get(prefix)?.roots ?? [])) {
      const folder = await this.#deps.files.run(root, () => findBelow(root, steps.slice(0, -1)));
      const file = folder && join(folder.path, name);
      const found = file === undefined ? undefined : await lstat(file).catch(() => undefined);
      if (file === undefined || !found) continue;
      if (found.isDirectory()) throw new AirdeskError('bad_value', because('folder_not_removable'));
      await unlink(file).catch((error: unknown) => {
        throw new AirdeskError('vod_file_unreadable', because('file_not_removed', { explanation: messageOf(error) }));
      });
      return;
    }
    throw missing;
  }

  #requireTurn(): void {
    if (this.#tickets.size + this.#running >= MAX_UPLOADS)
      throw new AirdeskError('vod_uploads_full', because('uploads_running', { count: MAX_UPLOADS }));
  }

  /** Finds the target folder of a file and checks that the file may be written. */
  async #check(request: UploadRequest): Promise<CheckedUpload> {
    const { name, sizeBytes, mayReplace } = request;
    checkName(name);
    if (sizeBytes !== undefined && sizeBytes > MAX_BYTES)
      throw new AirdeskError('bad_value', because('file_too_large', { bytes: MAX_BYTES }));
    const { root, steps } = await this.#targetOf(request);
    const folder = await this.#folder(root, steps);
    const before = await lstat(join(folder, name)).catch(() => undefined);
    if (before && (!mayReplace || before.isDirectory())) throw exists(name);
    await requireRoom(folder, sizeBytes ?? 0);
    await this.#removeRemains(folder);
    return { ...request, root, steps, replacesFile: before !== undefined };
  }

  /** Writes a file to its target folder. The file gets its name when it is complete. */
  async #store(upload: CheckedUpload, body: Body): Promise<CompletedUpload> {
    let unfinished: string | undefined;
    try {
      const folder = await this.#folder(upload.root, upload.steps);
      unfinished = join(folder, `${UNFINISHED}${randomBytes(18).toString('base64url')}`);
      const sizeBytes = await this.#write(unfinished, folder, upload.sizeBytes, body);
      await settle(unfinished, join(folder, upload.name), upload);
      return { sizeBytes, hasReplaced: upload.replacesFile };
    } catch (error) {
      if (unfinished !== undefined) await unlink(unfinished).catch(() => undefined);
      throw refusalOf(error);
    }
  }

  /**
   * Requested folder of the location, or the first that contains the file, otherwise the first that contains its
   * folder.
   */
  async #targetOf({
    location,
    folder,
    name,
    root: requestedRoot,
  }: UploadRequest): Promise<{ readonly root: string; readonly steps: string[] }> {
    const all = this.#deps.locations().get(location)?.roots ?? [];
    const roots = requestedRoot === undefined ? all : all.filter((root) => root === requestedRoot);
    if (roots.length === 0)
      throw new AirdeskError('vod_not_found', because('location_unknown', { path: location.slice(0, 200) }));
    const steps = pathBelow(folder);
    if (!steps || steps.some((step) => step.startsWith('.'))) throw noFolder(folder);
    const { files } = this.#deps;
    const withFolder: string[] = [];
    for (const root of roots) {
      const found = await files.run(root, () => findBelow(root, steps));
      if (found?.isFolder !== true) continue;
      if (await lstat(join(found.path, name)).catch(() => undefined)) return { root, steps };
      withFolder.push(root);
    }
    const [root] = withFolder;
    if (root === undefined) throw noFolder(folder);
    return { root, steps };
  }

  async #folder(root: string, steps: readonly string[]): Promise<string> {
    const found = await this.#deps.files.run(root, () => findBelow(root, steps));
    if (found?.isFolder !== true) throw noFolder(steps.join('/'));
    return found.path;
  }

  /** @returns number of bytes received */
  async #write(path: string, folder: string, sizeBytes: number | undefined, body: Body): Promise<number> {
    const { clock } = this.#deps;
    const late = (): (() => void) =>
      clock.after(PATIENCE_MS, () => {
        body.destroy();
      });
    let cancelLate = late();
    const file = await open(path, 'wx');
    try {
      const maxBytes = sizeBytes ?? MAX_BYTES;
      let [written, allowed] = [0, sizeBytes ?? 0];
      for await (const piece of body) {
        cancelLate();
        written += piece.length;
        if (written > maxBytes) throw broken(because('upload_too_many_bytes', { bytes: maxBytes }));
        if (written > allowed) {
          await requireRoom(folder, STEP_BYTES);
          allowed = written + STEP_BYTES;
        }
        await file.writeFile(piece);
        cancelLate = late();
      }
      if (sizeBytes !== undefined && written < sizeBytes)
        throw broken(because('upload_too_few_bytes', { received: written, bytes: sizeBytes }));
      await file.sync();
      return written;
    } finally {
      cancelLate();
      await file.close();
    }
  }

  async #removeRemains(folder: string): Promise<void> {
    const now = this.#deps.clock.now();
    for await (const { name } of await opendir(folder)) {
      if (!name.startsWith(UNFINISHED)) continue;
      const path = join(folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found && now - found.mtimeMs > REMAINS_MS) await unlink(path).catch(() => undefined);
    }
  }
}

async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bsize, bavail } = await statfs(folder);
  if (bsize * bavail < bytes + RESERVE_BYTES)
    throw new AirdeskError('vod_no_room', because('free_space_low', { bytes: bytes + RESERVE_BYTES }));
}

function checkName(name: string): void {
  const isHidden = name.startsWith('.') || name.endsWith('.tmp');
  const fault = isHidden ? because('name_hidden') : fileNameFault(name, MAX_NAME_BYTES);
  if (fault !== undefined) throw new AirdeskError('bad_value', fault, { pointer: '/name' });
}

/** Gives a finished file its name. */
async function settle(unfinished: string, path: string, { name, mayReplace }: UploadRequest): Promise<void> {
  if (!mayReplace) {
    try {
      // Unlike a rename, a link never replaces a file that was created meanwhile.
      await link(unfinished, path);
      await unlink(unfinished);
      return;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw exists(name);
    }
    // Not every file system supports links.
    if (await lstat(path).catch(() => undefined)) throw exists(name);
  }
  await rename(unfinished, path);
}

function refusalOf(error: unknown): AirdeskError {
  if (error instanceof AirdeskError) return error;
  if (isFullDisk(error)) return new AirdeskError('vod_no_room', because('disk_became_full'));
  const code = codeOf(error);
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') return broken(because('upload_connection_ended'));
  return new AirdeskError('vod_file_unreadable', because('file_not_written', { explanation: messageOf(error) }));
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function broken(detail: Explained): AirdeskError {
  return new AirdeskError('vod_upload_broken', detail);
}

function exists(name: string): AirdeskError {
  return new AirdeskError('vod_file_exists', because('name_in_use', { name }));
}

function noFolder(folder: string): AirdeskError {
  return new AirdeskError('vod_path_not_found', because('folder_unknown', { folder: folder.slice(0, 200) }));
}
