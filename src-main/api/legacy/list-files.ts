import {
  LEGACY_LIST_FILES_MAX,
  type LegacyListFiles,
  type LegacyListFilesQuery,
} from '../../../src-preload/contract/api/legacy.ts';
import { badParameter } from '../../../src-preload/contract/errors.ts';
import type { ApiContext } from '../endpoints/api-context.ts';
import { listVodFolder, vodFolder } from '../../control/clips/vod-folders.ts';

/**
 * Lists a folder of a VOD location. The `vod` block with the prefix must contain the path, so that no other folder of the
 * machine can be listed. Raises `vod_not_found`, `vod_storage_not_supported`, `vod_path_not_found` and `bad_query`.
 */
export async function legacyListFiles(
  context: Pick<ApiContext, 'config' | 'fileRoot' | 'files'>,
  { prefix, path, subpath, from = '', limit = LEGACY_LIST_FILES_MAX }: LegacyListFilesQuery,
): Promise<LegacyListFiles> {
  if (limit > LEGACY_LIST_FILES_MAX) throw badParameter('limit', `limit must be at most ${LEGACY_LIST_FILES_MAX}`);
  const entries = await listVodFolder(context, vodFolder(context, prefix, path), subpath, { from, limit });
  return { files: entries.map(({ name, type }) => ({ name, type, prefix })) };
}
