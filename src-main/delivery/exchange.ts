import type { ConnectionSession } from './connection-session.ts';

/** A whole reply whose body lies in memory. Buffers may be shared memory: they are sent without a copy. */
export interface Reply {
  readonly status: number;
  /** Header lines, each ended by CR LF, without Date and Content-Length. */
  readonly headers: string;
  readonly body: readonly Uint8Array[];
  readonly bodyBytes: number;
  /** Called once when the body has left, or never will: its memory may be used again. */
  readonly sent?: () => void;
  /** Names a text that is sent many times (`ETag`); stands in the header lines, too. */
  readonly etag?: string;
  /** Head and body of a 200 reply in one piece, where the same reply is sent many times. */
  readonly whole?: Uint8Array;
}

/** The body of a reply whose length is not known when it starts. */
export interface BodyStream {
  /** Bytes that wait in the queue of this connection. */
  readonly queuedBytes: number;
  /** Sends bytes; `sent` is called once when they have left, or never will. */
  write(bytes: Uint8Array, sent?: () => void): void;
  end(): void;
  /** Breaks the connection off, so that the other side sees that something is missing. */
  abort(): void;
}

/** The client's address, from the connection and its headers (by their lower-case names, all lines of a name joined). */
export type ClientAddress = (peer: string, header: (name: string) => string | undefined) => string;

/** One request and the way to answer it, whatever HTTP implementation carries it. */
export interface Exchange {
  readonly method: string;
  /** Path as it came, percent-encoded, without the query. */
  readonly path: string;
  /** Query string without `?`; empty where there is none. */
  readonly query: string;
  /** Address of the client, without the port, as given by trusted proxies. */
  readonly peer: string;
  /** Whether the connection is one of TLS; absent where it is not. */
  readonly isEncrypted?: boolean;
  /** What the connection remembers of its viewer. */
  readonly connectionSession: ConnectionSession;
  /** Whether an answer may be packed (`Accept-Encoding`, RFC 9110 section 12.5.3). */
  readonly takesGzip: boolean;
  /** Value of a header by its lower-case name. */
  header(name: string): string | undefined;
  reply(reply: Reply): void;
  /** Starts a reply whose body comes little by little. @param bodyBytes its length, where that is known: just so many are written */
  stream(status: number, headers: string, bodyBytes?: number): BodyStream;
  /** Calls back once if the other side goes away before the reply is complete. */
  onClose(callback: () => void): void;
}
