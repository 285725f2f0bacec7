import type { ProcessHost } from '../codec/process-host.ts';
import type { Desk } from '../control/desk.ts';
import type { Clock } from '../lib/clock.ts';
import type { MachineTime } from '../lib/machine-time.ts';
import type { Log } from '../lib/log.ts';

/** How a server is started. */
export interface ServerOptions {
  /** Folder of configuration, database and caches; made where it is not there. */
  readonly dataFolder: string;
  /** Configuration file; `airdesk.conf` in the data folder without it. */
  readonly configFile?: string;
  readonly version: string;
  /** Folder of the files that are shipped with the application. */
  readonly resources: string;
  /** Folder of `hls.min.js`, which embed pages load. */
  readonly playerLibraryFolder: string;
  /** Folder of the built desk; absent where there is none. */
  readonly deskFolder?: string;
  /** Entries of threads and processes. */
  readonly mediaThreadEntry: URL;
  readonly databaseThreadEntry: URL;
  readonly codecProcessEntry: URL;
  readonly exportThreadEntry: URL;
  readonly indexThreadEntry: URL;
  /** False where a window runs without the sandbox of Chromium; desk and alerts say so. */
  readonly hasSandbox?: boolean;
  /** Starts codec processes where this process may not fork them itself. */
  readonly codecHost?: ProcessHost;
  /** Media threads; without it one for each core but one. 0 runs everything in this thread, for tests. */
  readonly mediaThreads?: number;
  readonly clock: Clock;
  /** Time that does not follow the wall clock; without it that of `clock`, which never jumps then. */
  readonly machine?: MachineTime;
  readonly log: Log;
}

/** A server that serves. */
export interface RunningServer {
  /** Base address of the desk and the media, as seen from this machine. */
  readonly url: string;
  /** The use cases of the desk, for a window in the same process. */
  readonly desk: Desk;
  /** Reads the configuration file again and puts it into force. Raises what is wrong with it, which is in the log then; what ran goes on. */
  reload(): Promise<void>;
}
