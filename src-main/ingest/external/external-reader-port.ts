import type { ConnectionLimits } from '../../lib/connection-limits.ts';
import type { ExternalKind, ExternalOptions } from './external-address.ts';

/** What a reader of another process is asked for. */
export interface ExternalSpec {
  /** The address, with user name and password where it has them. */
  readonly url: string;
  readonly kind: ExternalKind;
  readonly options: ExternalOptions;
  /** Whether a file begins again at its end. */
  readonly loop: boolean;
  /** Time for opening in milliseconds; 0 for as long as it takes. */
  readonly openTimeoutMs: number;
  /** What its connections may lead to; absent where none are made to others. */
  readonly limits?: ConnectionLimits;
  /** Where the reader connects to, and what it shows first. */
  readonly feed: { readonly path: string; readonly token: string };
}

/** An address that another process reads. */
export interface ExternalReading {
  /** Resolves when the process is gone, with the reason of its end; `undefined` for an end in order. */
  readonly ended: Promise<string | undefined>;
  /** Ends the reading. */
  close(): void;
}

/** Reads what Airdesk has no reader of its own for; declared here, connected by the composition root. */
export interface ExternalReaderPort {
  /** Starts to read. The packets come to the feed; nothing else comes back but the end. */
  open(spec: ExternalSpec): ExternalReading;
}
