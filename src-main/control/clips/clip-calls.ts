import { CLIP_FILES_MAX, CLIP_JOBS_MAX } from '../../../src-preload/contract/operations/clip-calls.ts';
import type {
  CLIP_CALLS,
  CLIP_OPERATIONS,
  ClipFileRow,
  ClipFit,
  VOD_FILE_OPERATIONS,
} from '../../../src-preload/contract/operations/clip-calls.ts';
import type { ClipFilter } from '../../../src-preload/contract/api/file-processor-object.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { pathBelow } from '../../lib/allowed-paths.ts';
import type { Handlers } from '../../operators/handlers.ts';
import { mediaInfo } from '../../streams/media-info.ts';
import type { Streams } from '../../streams/streams.ts';
import { clipJobObject } from './clip-job-object.ts';
import type { ShownBackends, ShownClips, VodFiles } from './clip-port.ts';
import { listVodFolder, localFolders, storageRoot, type FolderContext } from './vod-folders.ts';

export interface ClipCallsDeps {
  readonly clips: ShownClips;
  readonly files: VodFiles;
  readonly backends: ShownBackends;
  readonly uploadPath: (ticket: string) => string;
  readonly folders: FolderContext;
  readonly streams: Pick<Streams, 'get'>;
  /** Describes a file, and compares it with a stream in the same way as an insertion does. Raises `stream_not_running`. */
  readonly compare: (path: string, stream: string | undefined) => Promise<ClipFit>;
}

/** Time after every possible end of a clip, in milliseconds. */
const END_MS = 3_600_000;

/** Files of VOD locations, and their conversion to clips. */
export function clipCalls({
  clips,
  files,
  backends,
  uploadPath,
  folders,
  streams,
  compare,
}: ClipCallsDeps): Handlers<typeof CLIP_CALLS> {
  return {
    'clips.locations': () => {
      const config = folders.config();
      const locations = [...config.vods.keys()].filter((prefix) => localFolders(folders, prefix).length > 0);
      return { locations, target: config.fileProcessor?.path ?? null };
    },
    'clips.files': async ({ location, folder, after }) => {
      const found = await filesOf(folders, location, folder, after);
      return { files: found.slice(0, CLIP_FILES_MAX), isMore: found.length > CLIP_FILES_MAX };
    },
    'clips.compare': ({ path, name }) => compare(path, name),
    'clips.preview': async ({ path }) => {
      const { durationMs, pictures, peaks } = await clips.survey(path);
      return {
        durationMs,
        pictures: pictures.map((jpeg) => Buffer.from(jpeg).toString('base64')),
        peaks: peaks.map((peak) => Math.round(peak * 1000) / 1000),
      };
    },
    'clips.jobs': () => {
      const jobs = clips.list().slice(-CLIP_JOBS_MAX).reverse();
      return { jobs: jobs.map((job) => clipJobObject(job, clips)) };
    },
    'clips.conform': async ({ path, name, startMs = 0, stopMs, isLevelled, leadInMs, multipleMs }, { by }) => {
      const transcoder = mediaInfo(streams.get(name)?.status?.tracks ?? []);
      if (!transcoder) throw new AirdeskError('stream_not_running', `${name} has no picture at the moment`);
      if (stopMs !== undefined && stopMs <= startMs)
        throw new AirdeskError('bad_value', 'The out point must be after the in point');
      const filters: ClipFilter[] = [
        { group: 'transcoder', transcoder },
        ...(startMs > 0 ? [{ group: 'crop' as const, crop: { start: 0, stop: startMs } }] : []),
        ...(stopMs === undefined ? [] : [{ group: 'crop' as const, crop: { start: stopMs, stop: END_MS } }]),
      ];
      const finish = {
        ...(isLevelled && transcoder.tracks.some(({ content }) => content === 'audio')
          ? { loudness: { stream: name } }
          : {}),
        ...(leadInMs === undefined ? {} : { lead_in: leadInMs }),
        ...(multipleMs === undefined ? {} : { slate: { multiple: multipleMs } }),
      };
      const job = await clips.create({ input_files: [path], output_file: stemOf(path), filters, ...finish }, by.who);
      return clipJobObject(job, clips);
    },
    'clips.upload': async (request) => ({ path: uploadPath(await files.announce(request)) }),
    'clips.delete': ({ path }) => files.remove(path),
    'clips.backends': async () => ({ backends: await backends.list() }),
    'clips.save_backend': async ({ name, text }) => ({ path: await backends.save(name, text) }),
    'clips.delete_backend': ({ name }) => backends.remove(name),
    'clips.cancel': clipOperations({ clips })['clips.cancel'],
  };
}

/** Clip jobs over HTTP. */
export function clipOperations({ clips }: { readonly clips: ShownClips }): Handlers<typeof CLIP_OPERATIONS> {
  return {
    'clips.cancel': ({ id }) => clips.remove(id),
    'clips.create': async (body, { by }) => clipJobObject(await clips.create(body, by.who), clips),
  };
}

/** Stored files whose address names a storage. */
export function vodFileOperations(
  context: Parameters<typeof storageRoot>[0] & { readonly uploads: Pick<VodFiles, 'remove'> },
): Handlers<typeof VOD_FILE_OPERATIONS> {
  return {
    'clips.delete_stored': ({ prefix, index, subpath }) => {
      const root = storageRoot(context, prefix, index);
      return context.uploads.remove(`${prefix}/${subpath}`, { location: prefix, root });
    },
  };
}

/** First entries of a folder by name, one more than a page. Merges all storages of the location; each name appears once. */
async function filesOf(
  context: FolderContext,
  location: string,
  folder: string,
  after: string,
): Promise<ClipFileRow[]> {
  const steps = pathBelow(folder) ?? [];
  const roots = localFolders(context, location);
  if (roots.length === 0) throw new AirdeskError('vod_not_found', because('location_unknown', { path: location }));
  const part = { from: after, limit: CLIP_FILES_MAX + 1, withSizes: true };
  const results = await Promise.allSettled(roots.map((root) => listVodFolder(context, root, folder, part)));
  const lists = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = results.find((result) => result.status === 'rejected');
  // Not every storage of the location needs to have the folder.
  if (lists.length === 0 && failed) throw failed.reason;
  const byName = new Map(lists.flat().map((entry) => [entry.name, entry]));
  return [...byName.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, CLIP_FILES_MAX + 1)
    .map(({ name, type, sizeBytes = 0, modifiedMs = null }) => ({
      name,
      path: [location, ...steps, name].join('/'),
      isFolder: type === 'directory',
      sizeBytes,
      modifiedAt: modifiedMs,
    }));
}

/** File name without folders and extension, as the name of a clip. */
function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.replace(/(\.[A-Za-z0-9]{1,5})+$/, '').slice(0, 100) || 'clip';
}
