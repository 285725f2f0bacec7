import { resolve } from 'node:path';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { listFolder, type FolderEntry, type FolderPart } from '../../host/list-folder.ts';
import { messageOf } from '../../lib/error-message.ts';
import type { Config } from '../../config/schema/config.ts';
import type { FileTurns } from '../../lib/file-turns.ts';

export interface FolderContext {
  readonly config: () => Config;
  /** Base folder of relative paths in the configuration. */
  readonly fileRoot: string;
  readonly files: FileTurns;
}

/**
 * Folder of a VOD location. Raises `vod_not_found` and `vod_storage_not_supported`.
 *
 * @param storage its index, or its path as configured or in full
 */
export function vodFolder(
  { config, fileRoot }: Pick<FolderContext, 'config' | 'fileRoot'>,
  prefix: string,
  storage: number | string,
): string {
  const vod = config().vods.get(prefix);
  if (!vod)
    throw new AirdeskError('vod_not_found', because('location_unknown', { path: prefix.slice(0, 200) }), {
      parameter: 'prefix',
    });
  const isRequested = (storageName: string, index: number): boolean =>
    typeof storage === 'number'
      ? index === storage
      : storageName === storage ||
        (!isAddress(storageName) &&
          !isAddress(storage) &&
          resolve(fileRoot, storageName) === resolve(fileRoot, storage));
  const found = vod.storages.find(isRequested);
  const parameter = typeof storage === 'number' ? 'index' : 'path';
  if (found === undefined)
    throw new AirdeskError('vod_not_found', `The vod ${prefix} has no storage ${storage}`, { parameter });
  if (isAddress(found))
    throw new AirdeskError('vod_storage_not_supported', 'Only folders of the machine can be listed', { parameter });
  return resolve(fileRoot, found);
}

/** Folder of a VOD location, by the index of its storage in an address. Raises the errors of `vodFolder`. */
export function storageRoot(context: Parameters<typeof vodFolder>[0], prefix: string, index: string): string {
  if (!/^\d{1,4}$/.test(index))
    throw new AirdeskError('vod_not_found', 'A storage is identified by its index, from 0', { parameter: 'index' });
  return vodFolder(context, prefix, Number(index));
}

/** Folders of the machine in a VOD location; empty if there is no such location. */
export function localFolders({ config, fileRoot }: FolderContext, prefix: string): string[] {
  const storages = config().vods.get(prefix)?.storages ?? [];
  return storages.filter((storage) => !isAddress(storage)).map((storage) => resolve(fileRoot, storage));
}

/** Entries of a folder below a root. Raises `vod_path_not_found`, and `unavailable` if its disk does not answer. */
export async function listVodFolder(
  { files }: Pick<FolderContext, 'files'>,
  root: string,
  subpath: string,
  part: FolderPart,
): Promise<FolderEntry[]> {
  return files
    .run(root, () => listFolder(root, subpath, part))
    .catch((error: unknown) => {
      if (error instanceof AirdeskError) throw error;
      throw new AirdeskError('unavailable', messageOf(error));
    });
}

/** Whether a storage is not a folder of this machine, such as `s3://…` or `swift://…`. */
function isAddress(storage: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(storage);
}
