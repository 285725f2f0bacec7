import { join, resolve } from 'node:path';
import type { MediaInfo } from '../../src-preload/contract/api/media-info.ts';
import type { OpenFileView } from '../api/endpoints/api-context.ts';
import type { Config } from '../config/schema/config.ts';
import type { PlayedFiles } from '../control/sessions/playback-sessions.ts';
import type { FileSource } from '../delivery/recorded.ts';
import { StreamOutput } from '../delivery/stream-output.ts';
import { longestPrefix, type ReadableFolders } from '../lib/allowed-paths.ts';
import { addressGroup } from '../lib/network-address.ts';
import { every } from '../lib/timers.ts';
import type { Streams } from '../streams/streams.ts';
import { leftOutTracks } from '../streams/left-out-tracks.ts';
import { mediaInfo } from '../streams/media-info.ts';
import { OpenFiles, type OpenFile } from '../vod/thread/open-files.ts';
import { type VodLocation } from '../vod/vod-location.ts';
import type { ServerOptions } from './server-options.ts';

/** Dependencies of `openVod`. */
export interface VodDeps {
  readonly options: Pick<ServerOptions, 'clock' | 'dataFolder' | 'indexThreadEntry'>;
  readonly config: Config;
  /** Streams, which take precedence over files of the same name. */
  readonly streams: Pick<Streams, 'get'>;
}

/** Open file and its output. */
interface ServedFile {
  readonly file: OpenFile;
  readonly output: StreamOutput;
}

/** Files of VOD locations. */
export interface VodUnit {
  readonly source: FileSource;
  readonly played: PlayedFiles;
  /** Finds an open file. */
  get(name: string): ServedFile | undefined;
  /** All open files, as the APIs show them. */
  views(): Iterable<OpenFileView>;
  /** Body of `media_info.json` or `info.json` of an open file. */
  describe(name: string, kind: 'media-info' | 'info'): string | undefined;
  apply(config: Config): void;
  close(): Promise<void>;
}

/** Default minimum length of a segment, in milliseconds. */
const SEGMENT_MS = 6000;
/** Interval between two checks for unused files, in milliseconds. */
const SWEEP_MS = 10_000;

/** Size below which a file is read completely, so that the description of its segments is exact. */
const OUTLINE_FROM_BYTES = 16 << 20;

/** Opens the unit that plays files. */
export function openVod({
  options: { clock, dataFolder, indexThreadEntry: threadEntry },
  config: first,
  streams,
}: VodDeps): VodUnit {
  const outputs = new Map<string, ServedFile>();
  const files = new OpenFiles({
    clock,
    outlineFromBytes: OUTLINE_FROM_BYTES,
    threadEntry,
    storeFolder: join(dataFolder, 'cache', 'files'),
    closed: ({ name }) => {
      outputs.get(name)?.output.close();
      outputs.delete(name);
    },
  });
  /** Number of viewers by file name. The first viewer is counted before the file is open. */
  const viewerCounts = new Map<string, number>();
  let config = first;
  const apply = (changed: Config): void => {
    config = changed;
    files.apply(locationsOf(changed, dataFolder));
  };
  apply(first);
  const served = (file: OpenFile): ServedFile => {
    const cached = outputs.get(file.name);
    if (cached?.file === file) return cached;
    const entry = { file, output: new StreamOutput(file.name, file.window) };
    entry.output.viewerCount = viewerCounts.get(file.name) ?? 0;
    outputs.set(file.name, entry);
    return entry;
  };
  const get = (name: string): ServedFile | undefined => {
    const file = files.get(name);
    return file && served(file);
  };
  const stopSweeping = every(clock, SWEEP_MS, () => {
    files.sweep(clock.now());
  });
  return {
    source: {
      covers: (name) => files.covers(name) && !streams.get(name),
      mayDownload: (name) => config.vods.get(longestPrefix(config.vods, name) ?? '')?.isDownloadAllowed === true,
      stored(name) {
        const open = files.get(name);
        const [file] = open?.files ?? [];
        // A SMIL file refers to other files.
        if (!open || file?.path !== open.path) return undefined;
        const { sizeBytes } = open;
        return { media: { sizeBytes, pieces: [{ file, offset: 0, sizeBytes }] }, version: file.version };
      },
      async open(name, signal, peer) {
        const found = await files.open(name, signal, addressGroup(peer));
        return 'code' in found ? found : served(found).output;
      },
    },
    played: {
      settingsOf: (name) => config.vods.get(longestPrefix(config.vods, name) ?? ''),
      counted: (name, viewers) => {
        if (viewers > 0) viewerCounts.set(name, viewers);
        else viewerCounts.delete(name);
        const found = get(name);
        if (found) found.output.viewerCount = viewers;
      },
    },
    get,
    *views() {
      for (const open of files.list()) {
        const { name, location, path, files: parts, sizeBytes, isFolder } = open;
        const { viewerCount, bytesOut } = served(open).output;
        const bytesIn = parts.reduce((sum, part) => sum + part.bytesIn, 0);
        const counters = { viewers: viewerCount, bytesIn, bytesOut };
        yield {
          name,
          prefix: location.prefix,
          path,
          ...counters,
          sizeBytes,
          isFolder,
          mediaInfo: () => fileInfo(open),
        };
      }
    },
    describe(name, kind) {
      const found = get(name);
      if (!found) return undefined;
      const info = fileInfo(found.file);
      return JSON.stringify(kind === 'media-info' ? info : { name, stats: { status: 'running', media_info: info } });
    },
    apply,
    async close() {
      stopSweeping();
      await files.close();
    },
  };
}

function fileInfo({ window, leftOut }: OpenFile): MediaInfo | null {
  const info = mediaInfo(window.tracks.map(({ track, rate }) => ({ track, bitrate: rate.average ?? rate.peak })));
  const tracks = leftOutTracks(leftOut);
  return info && { ...info, duration: window.durationMs, ...(tracks.length > 0 ? { left_out: tracks } : {}) };
}

/** Locations of a configuration in folders of the machine. */
export function locationsOf({ vods }: Config, dataFolder: string): VodLocation[] {
  return [...vods.values()]
    .filter(({ isDisabled }) => !isDisabled)
    .map(({ name, storages, segmentDurationMs, isFolderMultibitrate }) => ({
      prefix: name,
      roots: storages.filter((place) => !isAddress(place)).map((place) => resolve(dataFolder, place)),
      segmentMs: segmentDurationMs ?? SEGMENT_MS,
      areFoldersLadders: isFolderMultibitrate,
    }));
}

/** Folders from which inputs may read files: `allowed_paths`, and the VOD locations by their prefixes. */
export function readableFolders(config: Config, dataFolder: string): ReadableFolders {
  const named = new Map(locationsOf(config, dataFolder).map(({ prefix, roots }) => [prefix, roots]));
  return { folders: config.allowedPaths, named };
}

/** Reports whether a storage is an address, such as `s3://…`, and not a folder of the machine. */
function isAddress(place: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(place);
}
