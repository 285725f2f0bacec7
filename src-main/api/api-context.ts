import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../lib/clock.ts';
import type { FileTurns } from '../lib/file-turns.ts';
import type { ServerStats } from '../streams/server-stats.ts';
import type { SessionSource } from '../control/playback-sessions.ts';
import type { ArchiveFigures } from '../control/archive/archive-figures.ts';
import type { EpisodeService } from '../control/archive/episode-service.ts';
import type { StreamEntry } from '../streams/stream-entry.ts';
import type { StreamStateContext } from '../streams/stream-state.ts';
import type { Streams } from '../streams/streams.ts';
import type { RecordedArchive } from './archive-port.ts';

/** What of the server a caller may see: all of it, or what belongs to some streams. */
export interface ShownServer {
  readonly streams: Pick<Streams, 'get' | 'list'>;
  readonly stats: Pick<ServerStats, 'figures' | 'rates'>;
  readonly sessions: Pick<SessionSource, 'get' | 'list'>;
}

/** A file of a VOD location that is open. */
export interface OpenFileView {
  /** Prefix and path, as in its addresses. */
  readonly name: string;
  readonly prefix: string;
  /** Where it lies. */
  readonly path: string;
  readonly viewers: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Length of all that is read for it. */
  readonly sizeBytes: number;
  /** Whether it is a folder whose files are played as one. */
  readonly isFolder: boolean;
  /** Its `media_info`. */
  readonly mediaInfo: () => object | null;
}

/** What the legacy and the native API show. */
export interface ShownContext extends ShownServer {
  readonly clock: Clock;
  /** The configuration that is in force. */
  readonly config: () => Config;
  /** What is wrong with the file on disk; null when the server runs what it says. */
  readonly configError: () => string | null;
  /** Folder that relative paths of the configuration begin at. */
  readonly fileRoot: string;
  /** Files that are being played; without it there are none. */
  readonly openFiles?: () => Iterable<OpenFileView>;
  /** Turns at folders that are listed. */
  readonly files: FileTurns;
  /** Facts of the server that only its root knows. */
  readonly describe: () => ServerFacts;
}

/** What the legacy and the native API show, and what they act on. */
export interface ApiContext extends ShownContext {
  readonly streams: Streams;
  readonly stats: ServerStats;
  readonly sessions: SessionSource;
  /** Switches the recording of a stream on or off until it is restarted. */
  readonly switchRecording: (entry: StreamEntry, isOn: boolean) => void;
  /** What is recorded; undefined where it cannot be listed. */
  readonly archive?: RecordedArchive | undefined;
  /** Parts of archives with a title that are kept past all limits; undefined where they cannot be kept. */
  readonly episodes?: Pick<EpisodeService, 'list' | 'find' | 'newId' | 'put' | 'remove'>;
  /** Lost key files, and the confirmation of new ones; without it none is lost. */
  readonly keys?: { readonly lost: readonly string[]; renew(by: { who: string; fromWhere: string }): void };
  /** How storages and disks do; without it nothing is said of them. */
  readonly archiveFigures?: Pick<ArchiveFigures, 'refresh' | 'state'>;
}

/** Facts of the server. */
export interface ServerFacts {
  readonly version: string;
  readonly hostname: string;
  /** Epoch milliseconds. */
  readonly started_at: number;
  readonly base_url: string;
  readonly rtmp_url: string | null;
  /** Where it really listens. */
  readonly listeners: readonly ListenerFacts[];
}

/** An address that the server listens on. */
export interface ListenerFacts {
  readonly protocol: 'http' | 'https' | 'rtmp' | 'rtmps';
  /** null: all addresses of the machine. */
  readonly host: string | null;
  readonly port: number;
}

/** A stream by its name; raises `stream_not_found`. */
export function requireStream({ streams }: Pick<ShownServer, 'streams'>, name: string): StreamEntry {
  const entry = streams.get(name);
  if (!entry) throw new AirdeskError('stream_not_found', `There is no stream ${name}`);
  return entry;
}

/** What the state of streams depends on besides them. */
export function stateContext({ clock, describe }: Pick<ShownContext, 'clock' | 'describe'>): StreamStateContext {
  const { base_url: baseUrl, rtmp_url: rtmpUrl } = describe();
  return { nowMs: clock.now(), baseUrl, rtmpUrl };
}
