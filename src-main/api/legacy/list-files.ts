import { resolve } from 'node:path';
import {
  LEGACY_LIST_FILES_MAX,
  type LegacyListFiles,
  type LegacyListFilesQuery,
} from '../../../src-preload/contract/api/legacy.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { ApiContext } from '../api-context.ts';
import { listFolder } from '../../host/list-folder.ts';
import { messageOf } from '../../lib/error-message.ts';

/**
 * A folder of a VOD location. The path must be one that the `vod` block of the prefix names, so that no other folder of the machine can be listed.
 * Raises `vod_not_found`, `vod_storage_not_supported`, `vod_path_not_found` and `bad_query`.
 */
export async function legacyListFiles(
  context: Pick<ApiContext, 'config' | 'fileRoot' | 'files'>,
  { prefix, path, subpath, from = '', limit = LEGACY_LIST_FILES_MAX }: LegacyListFilesQuery,
): Promise<LegacyListFiles> {
  if (limit > LEGACY_LIST_FILES_MAX)
    throw new AirdeskError('bad_query', `limit is at most ${LEGACY_LIST_FILES_MAX}`, { parameter: 'limit' });
  const vod = context.config().vods.get(prefix);
  if (!vod) throw new AirdeskError('vod_not_found', `There is no vod ${prefix}`, { parameter: 'prefix' });
  const storage = vod.storages.find(
    (place) =>
      place === path ||
      (!isAddress(place) && !isAddress(path) && resolve(context.fileRoot, place) === resolve(context.fileRoot, path)),
  );
  if (storage === undefined)
    throw new AirdeskError('vod_not_found', `The vod ${prefix} has no storage ${path}`, { parameter: 'path' });
  if (isAddress(storage))
    throw new AirdeskError('vod_storage_not_supported', 'Only folders of the machine can be listed', {
      parameter: 'path',
    });
  const root = resolve(context.fileRoot, storage);
  const entries = await context.files
    .run(root, () => listFolder(root, subpath, { from, limit }))
    .catch((error: unknown) => {
      if (error instanceof AirdeskError) throw error;
      throw new AirdeskError('unavailable', messageOf(error));
    });
  return { files: entries.map(({ name, type }) => ({ name, type, prefix })) };
}

/** Whether a place is no folder of the machine, such as `s3://…` or `swift://…`. */
function isAddress(place: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(place);
}
