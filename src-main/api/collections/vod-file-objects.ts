import { VOD_FILES_MAX, type VodFileObject } from '../../../src-preload/contract/api/vod-file-object.ts';
import type { MediaInfo } from '../../../src-preload/contract/api/media-info.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { FolderEntry } from '../../host/list-folder.ts';
import { pathBelow } from '../../lib/allowed-paths.ts';
import type { ApiContext, OpenFileView } from '../endpoints/api-context.ts';
import type { CollectionContext } from './collection-context.ts';
import type { ByteStream } from '../endpoints/endpoint.ts';
import type { JsonObject } from '../objects/object-source.ts';
import { listVodFolder, storageRoot } from '../../control/clips/vod-folders.ts';

/** Recently played files in the collection API. */
export function openFileObjects({ openFiles }: Pick<ApiContext, 'openFiles'>): JsonObject[] {
  return [...openFiles()].map(openFileObject);
}

/** Folder of a VOD location. */
interface RequestedFolder {
  readonly prefix: string;
  /** Index of the storage, from 0. */
  readonly index: string;
  /** Path of the folder below the storage; empty for the storage itself. */
  readonly subpath: string;
  /** Name after which the list starts, as the collection shows it; empty for the complete list. */
  readonly after: string;
}

/** First entries of a folder, by name. Raises the errors of `vodFolder` and `listVodFolder`. */
export async function folderObjects(
  context: Pick<ApiContext, 'config' | 'fileRoot' | 'files' | 'openFiles'>,
  { prefix, index, subpath, after }: RequestedFolder,
): Promise<JsonObject[]> {
  const root = storageRoot(context, prefix, index);
  const steps = pathBelow(subpath) ?? [];
  const before = [prefix, ...steps, ''].join('/');
  const from = after.startsWith(before) ? after.slice(before.length) : '';
  const entries = await listVodFolder(context, root, subpath, { from, limit: VOD_FILES_MAX, withSizes: true });
  const open = new Map([...context.openFiles()].map((view) => [view.name, view]));
  const path = [root, ...steps].join('/');
  return entries.map((entry) => {
    const view = open.get(`${before}${entry.name}`);
    return view ? openFileObject(view) : closedObject(entry, { prefix, steps, path });
  });
}

/** File of a storage, from the address in the collection API. */
export interface NamedFile {
  readonly prefix: string;
  /** Index of the storage, from 0. */
  readonly index: string;
  readonly subpath: string;
}

/** Stores an uploaded file. Raises the reason if it is refused. */
export async function putFile(
  context: Pick<CollectionContext, 'config' | 'fileRoot' | 'uploads'>,
  { prefix, index, subpath }: NamedFile,
  { sizeBytes, mayReplace }: { readonly sizeBytes: number | undefined; readonly mayReplace: boolean },
  body: ByteStream,
): Promise<{ readonly object: JsonObject; readonly hasReplaced: boolean }> {
  const root = storageRoot(context, prefix, index);
  const steps = subpath.split('/');
  const name = steps.pop() ?? '';
  const upload = { location: prefix, root, folder: steps.join('/'), name, sizeBytes, mayReplace };
  const taken = await context.uploads.put(upload, body).catch((error: unknown) => {
    if (error instanceof AirdeskError && error.code === 'bad_value')
      throw new AirdeskError('bad_value', error.message, { parameter: 'subpath' });
    throw error;
  });
  const entry = { name, type: 'file', sizeBytes: taken.sizeBytes } as const;
  const folders = pathBelow(steps.join('/')) ?? [];
  const object = closedObject(entry, { prefix, steps: folders, path: [root, ...folders].join('/') });
  return { object, hasReplaced: taken.hasReplaced };
}

function closedObject(
  { name, type, sizeBytes = 0 }: FolderEntry,
  { prefix, steps, path }: { readonly prefix: string; readonly steps: readonly string[]; readonly path: string },
): JsonObject {
  const subpath = [...steps, name].join('/');
  return jsonOf({
    name: `${prefix}/${subpath}`,
    prefix,
    url: `${path}/${name}`,
    folder: steps.join('/'),
    subpath,
    bytes: sizeBytes,
    is_directory: type === 'directory',
    is_multibitrate_directory: false,
    opened: false,
    stats: null,
  });
}

function openFileObject(view: OpenFileView): JsonObject {
  const { name, prefix, path, sizeBytes, isFolder, viewers, bytesIn, bytesOut, mediaInfo } = view;
  const subpath = name.slice(prefix.length + 1);
  const folder = subpath.slice(0, Math.max(0, subpath.lastIndexOf('/')));
  return jsonOf({
    name,
    prefix,
    url: path,
    folder,
    subpath,
    bytes: sizeBytes,
    is_directory: isFolder,
    is_multibitrate_directory: isFolder,
    opened: true,
    stats: {
      // There are no separate workers: the server itself reads the files.
      worker_count: 1,
      client_count: viewers,
      bytes_in: bytesIn,
      bytes_out: bytesOut,
      // The media information has the same origin as that of streams.
      media_info: mediaInfo() as MediaInfo | null,
    },
  });
}

/** Converts an object to the common type of objects of the API. */
function jsonOf(object: VodFileObject): JsonObject {
  // Optional fields of the schema are absent, never undefined.
  return object as unknown as JsonObject;
}
