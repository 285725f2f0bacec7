import type { ProcessHost } from '../codec/process-host.ts';
import type { Desk } from '../control/desk.ts';
import type { Clock } from '../lib/clock.ts';
import type { MachineTime } from '../lib/machine-time.ts';
import type { Log } from '../lib/log.ts';

/** Options of a server. */
export interface ServerOptions {
  /** Folder of configuration, databases and caches; created if it does not exist. */
  readonly dataFolder: string;
  /** Configuration file; default: `airdesk.conf` in the data folder. */
  readonly configFile?: string;
  /**
   * True if the file was opened by a double click. It may then use only files that the configuration in the data folder
   * allows. Default false.
   */
  readonly isConfigOpened?: boolean;
  readonly version: string;
  /** Folder of the files that are shipped with the application. */
  readonly resources: string;
  /** Folder of `hls.min.js`, which embed pages load. */
  readonly playerLibraryFolder: string;
  /** Folder of the built desk; absent if there is none. */
  readonly deskFolder?: string;
  /** Entry files of threads and processes. */
  readonly mediaThreadEntry: URL;
  readonly databaseThreadEntry: URL;
  readonly codecProcessEntry: URL;
  readonly exportThreadEntry: URL;
  readonly indexThreadEntry: URL;
  /** False if a window runs without the sandbox of Chromium; the desk and alerts report it. */
  readonly hasSandbox?: boolean;
  /** Starts codec processes if this process may not fork them itself. */
  readonly codecHost?: ProcessHost;
  /** Number of media threads; default: the number of cores minus one. 0 runs everything in this thread, for tests. */
  readonly mediaThreads?: number;
  /** Age at which a desk gets another viewing token, in milliseconds; default: an hour. */
  readonly deskTokenMs?: number;
  readonly clock: Clock;
  /** Source of time that is independent of the wall clock; default: `clock`, which then must never jump. */
  readonly machine?: MachineTime;
  readonly log: Log;
}

/** A started server. */
export interface RunningServer {
  /** Base address of the desk and the media, as seen from this machine. */
  readonly url: string;
  /** Use cases of the desk, for a window in the same process. */
  readonly desk: Desk;
  /**
   * Reads the configuration file again and applies it. If it has mistakes, logs them and rejects; the previous
   * configuration stays in force.
   */
  reload(): Promise<void>;
}
