import type { ConnectionLimits } from '../../lib/connection-limits.ts';
import type { ExternalKind, ExternalOptions } from './external-address.ts';

/** Request to an external reader. */
export interface ExternalSpec {
  /** Name of the stream, for reports about refused callers of an SRT listener. */
  readonly stream?: string;
  /** Address, with user name and password if present. */
  readonly url: string;
  readonly kind: ExternalKind;
  readonly options: ExternalOptions;
  /** Whether a file restarts at its end. */
  readonly loop: boolean;
  /** Time limit for opening, in milliseconds; 0 for no limit. */
  readonly openTimeoutMs: number;
  /** Allowed connections; absent if none are made to other hosts. */
  readonly limits?: ConnectionLimits;
  /** Socket that the reader connects to, and the token it sends first. */
  readonly feed: { readonly path: string; readonly token: string };
}

/** Reading in progress. */
export interface ExternalReading {
  /** Resolves when the process has ended, with the error; `undefined` after a normal end. */
  readonly ended: Promise<string | undefined>;
  close(): void;
}

/** Port for formats that Airdesk cannot read itself, connected by the composition root. */
export interface ExternalReaderPort {
  /** Starts reading. Packets go to the feed; this call reports only the end. */
  open(spec: ExternalSpec): ExternalReading;
}
