import type { ConnectionSession } from './connection-session.ts';

/** A complete reply with its body in memory. Buffers may be shared memory: they are sent without a copy. */
export interface Reply {
  readonly status: number;
  /** Header lines, each ended by CR LF, without Date and Content-Length. */
  readonly headers: string;
  readonly body: readonly Uint8Array[];
  readonly bodyBytes: number;
  /** Called once when the body was sent, or cannot be sent any more: its memory may be reused. */
  readonly sent?: () => void;
  /** Entity tag of a text that is sent many times (`ETag`); also in the header lines. */
  readonly etag?: string;
  /** Head and body of a 200 reply in one piece, for a reply that is sent many times. */
  readonly withHead?: Uint8Array;
}

/** Body of a reply that is written piece by piece. */
export interface BodyStream {
  /** Number of bytes queued on this connection. */
  readonly queuedBytes: number;
  /** Sends bytes; `sent` is called once when they were sent, or cannot be sent any more. */
  write(bytes: Uint8Array, sent?: () => void): void;
  end(): void;
  /** Closes the connection, so that the client notices the missing bytes. */
  abort(): void;
}

/** Finds the client's address from the connection and its headers (by lower-case name, all lines of a name joined). */
export type ClientAddress = (peer: string, header: (name: string) => string | undefined) => string;

/** One request and the functions to answer it, independent of the HTTP implementation. */
export interface Exchange {
  readonly method: string;
  /** Path as received, percent-encoded, without the query. */
  readonly path: string;
  /** Query string without `?`; empty if there is none. */
  readonly query: string;
  /** Client address without the port, as given by trusted proxies. */
  readonly peer: string;
  /** True if the connection uses TLS; absent otherwise. */
  readonly isEncrypted?: boolean;
  /** Cached session of the connection. */
  readonly connectionSession: ConnectionSession;
  /** True if the answer may be compressed (`Accept-Encoding`, RFC 9110 section 12.5.3). */
  readonly acceptsGzip: boolean;
  /** Value of a header by its lower-case name. */
  header(name: string): string | undefined;
  reply(reply: Reply): void;
  /**
   * Starts a reply with an incremental body.
   * @param bodyBytes length of the body, if known: exactly this number is written
   */
  stream(status: number, headers: string, bodyBytes?: number): BodyStream;
  /** Adds a callback, called once if the client disconnects before the reply is complete. */
  onClose(callback: () => void): void;
}
