import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { Config } from '../../config/schema/config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { FileTurns } from '../../lib/file-turns.ts';
import type { ServerStats } from '../../streams/server-stats.ts';
import type { SessionSource } from '../../control/sessions/playback-sessions.ts';
import type { ArchiveFigures } from '../../control/archive/archive-figures.ts';
import type { RecordedArchive } from '../../control/archive/archive-operations.ts';
import type { EpisodeService } from '../../control/archive/episode-service.ts';
import type { StreamEntry } from '../../streams/stream-entry.ts';
import type { StreamStateContext } from '../../streams/stream-state.ts';
import type { Streams } from '../../streams/streams.ts';

/** Part of the server that a caller may see: the complete server, or the data of some streams. */
export interface ShownServer {
  readonly streams: Pick<Streams, 'get' | 'list'>;
  readonly stats: Pick<ServerStats, 'figures' | 'rates'>;
  readonly sessions: Pick<SessionSource, 'get' | 'list'>;
}

export interface OpenFileView {
  /** Name of the file: the prefix and the path, as in its addresses. */
  readonly name: string;
  readonly prefix: string;
  /** Path on the disk. */
  readonly path: string;
  readonly viewers: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Total size of all data read for the file, in bytes. */
  readonly sizeBytes: number;
  /** Whether it is a folder whose files are played as one file. */
  readonly isFolder: boolean;
  readonly mediaInfo: () => object | null;
}

/** Data that the legacy and the native API show. */
export interface ShownContext extends ShownServer {
  readonly clock: Clock;
  /** Configuration in force. */
  readonly config: () => Config;
  /** Base folder of relative paths in the configuration. */
  readonly fileRoot: string;
  /** Files being played. */
  readonly openFiles: () => Iterable<OpenFileView>;
  /** Limits parallel listings of folders. */
  readonly files: FileTurns;
  /** Information about the server that only the composition root has. */
  readonly describe: () => ServerFacts;
}

/** Data that the legacy and the native API show, and services that they call. */
export interface ApiContext extends ShownContext {
  readonly streams: Streams;
  readonly stats: ServerStats;
  readonly sessions: SessionSource;
  /** Switches the recording of a stream on or off until the next restart of the stream. */
  readonly switchRecording: (entry: StreamEntry, isOn: boolean) => void;
  /** Recordings; undefined if they cannot be listed. */
  readonly archive?: RecordedArchive | undefined;
  /** Named ranges of archives that no limit deletes. */
  readonly episodes: Pick<EpisodeService, 'list' | 'find' | 'newId' | 'put' | 'remove'>;
  /** Lost key files, and the confirmation of new ones. */
  readonly keys: { readonly lost: readonly string[]; renew(by: { who: string; fromWhere: string }): void };
  /** State of storages and disks; absent if it is not measured. */
  readonly archiveFigures?: Pick<ArchiveFigures, 'refresh' | 'state'>;
}

export interface ServerFacts {
  readonly version: string;
  readonly hostname: string;
  /** Epoch milliseconds. */
  readonly started_at: number;
  readonly base_url: string;
  readonly rtmp_url: string | null;
  /** Addresses on which the server actually listens. */
  readonly listeners: readonly ListenerFacts[];
}

/** Address on which the server listens. */
export interface ListenerFacts {
  readonly protocol: 'http' | 'https' | 'rtmp' | 'rtmps';
  /** Host; null for all addresses of the machine. */
  readonly host: string | null;
  readonly port: number;
}

export function requireStream({ streams }: Pick<ShownServer, 'streams'>, name: string): StreamEntry {
  const entry = streams.get(name);
  if (!entry) throw new AirdeskError('stream_not_found', `There is no stream ${name}`);
  return entry;
}

/** Data that the state of a stream needs besides the stream itself. */
export function stateContext({ clock, describe }: Pick<ShownContext, 'clock' | 'describe'>): StreamStateContext {
  const { base_url: baseUrl, rtmp_url: rtmpUrl } = describe();
  return { nowMs: clock.now(), baseUrl, rtmpUrl };
}
