import { because, type Explained } from '../../src-preload/contract/explanations/explanations.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientAddress } from './exchange.ts';
import type { HeaderLookup } from '../lib/trusted-proxies.ts';
import { peerOf } from '../lib/network-address.ts';
import { CLOSED_POLICY } from '../lib/http-semantics.ts';
import { whenSilent } from '../lib/when-silent.ts';
import { errorText } from './media-error.ts';

/** Request of an encoder to publish MPEG-TS as the body of an HTTP request. */
export interface HttpPublishRequest {
  readonly protocol: 'mpegts';
  /** Stream name in the address. */
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
  /** Address and port of the encoder. */
  readonly peer: string;
  /** `User-Agent` of the encoder. */
  readonly agent?: string;
}

/** Answer of the server to a publisher. */
export type HttpPublishAnswer = { readonly accepted: boolean; readonly code?: string; readonly detail?: string };

/** Receiver of the bytes of an accepted publisher. */
interface HttpPublishFeed {
  /** Returns false if the caller must wait for `drained`. */
  push(bytes: Uint8Array): boolean;
  end(why: Explained): void;
}

/** Functions that the endpoint needs from the server. */
export interface HttpPublishPort<Answer extends HttpPublishAnswer> {
  /** Finds the publisher's address behind trusted proxies; default: the peer of the connection. */
  readonly clientAddress?: ClientAddress;
  /** Reports whether a page of another server caused a browser to send the request. */
  readonly isExternal?: (facts: { readonly peer: string; readonly header: HeaderLookup }) => boolean;
  /** Decides whether an encoder may publish. `accept` is called when the encoder is accepted. */
  decide(request: HttpPublishRequest, accept: (answer: Answer & { accepted: true }) => void): Promise<Answer>;
  /**
   * Opens the feed to the media thread. `closed` is called when the engine refuses further data, `drained` when more may be
   * pushed.
   */
  open(
    request: HttpPublishRequest,
    answer: Answer & { accepted: true },
    port: { closed(end: { readonly code: string; readonly detail: string }): void; drained(): void },
  ): HttpPublishFeed;
}

const SUFFIX = '/mpegts';
/** Maximum time without data from a publisher, in milliseconds. */
const IDLE_MS = 20_000;
const STATUS: Readonly<Record<string, number>> = {
  publish_busy: 409,
  publish_not_allowed: 403,
  publish_bad_password: 403,
  publish_bad_signature: 403,
  too_many_attempts: 429,
  bad_stream_name: 400,
  publish_kicked: 409,
  input_quarantined: 503,
  publish_limit: 503,
};

/** Accepts publishers that POST or PUT a transport stream to `/<stream>/mpegts`. */
export class HttpPublishEndpoint<Answer extends HttpPublishAnswer> {
  readonly #port: HttpPublishPort<Answer>;

  constructor(port: HttpPublishPort<Answer>) {
    this.#port = port;
  }

  /** Handles a request of a publisher; returns false for other requests. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'POST' && request.method !== 'PUT') return false;
    const target = request.url ?? '/';
    const question = target.indexOf('?');
    const path = question < 0 ? target : target.slice(0, question);
    if (!path.endsWith(SUFFIX) || path.length <= SUFFIX.length + 1) return false;
    const query = new URLSearchParams(question < 0 ? '' : target.slice(question));
    this.#publish(request, response, path.slice(1, -SUFFIX.length), query).catch(() => {
      reply(response, 500, 'internal', 'Internal server error');
    });
    return true;
  }

  async #publish(
    request: IncomingMessage,
    response: ServerResponse,
    encodedPath: string,
    query: URLSearchParams,
  ): Promise<void> {
    const peer = request.socket.remoteAddress ?? '';
    if (this.#port.isExternal?.({ peer, header: (name) => request.headers[name]?.toString() })) {
      reply(response, 403, 'forbidden', 'A page of another server may not publish; server_name names this one');
      request.resume();
      return;
    }
    const path = decodePath(encodedPath);
    if (path === undefined) {
      reply(response, 400, 'bad_stream_name', 'The name is not correctly percent-encoded');
      return;
    }
    const agent = request.headers['user-agent'];
    const publishRequest: HttpPublishRequest = {
      protocol: 'mpegts',
      path,
      query: new Map(query),
      peer: peerOf(this.#addressOf(request), request.socket.remotePort ?? 0),
      ...(agent === undefined ? {} : { agent }),
    };
    request.pause();
    const answer = await this.#port.decide(publishRequest, (accepted) => {
      this.#feed(request, response, publishRequest, accepted);
    });
    if (answer.accepted) return;
    reply(response, STATUS[answer.code ?? ''] ?? 403, answer.code ?? 'publish_not_allowed', answer.detail ?? '');
    // Remaining data is discarded, so that the encoder reads the answer instead of a reset.
    request.resume();
  }

  #addressOf({ socket, headers }: IncomingMessage): string {
    const peer = socket.remoteAddress ?? '';
    return this.#port.clientAddress?.(peer, (name) => headers[name]?.toString()) ?? peer;
  }

  #feed(
    request: IncomingMessage,
    response: ServerResponse,
    publishRequest: HttpPublishRequest,
    answer: Answer & { accepted: true },
  ): void {
    let isOpen = true;
    let isComplete = false;
    const closed = ({ code, detail }: { readonly code: string; readonly detail: string }): void => {
      isOpen = false;
      // The body may have been read to its end before the media thread found that it is not a transport stream.
      if (isComplete && code === 'publish_closed') response.writeHead(200, { 'Content-Length': 0 }).end();
      else reply(response, STATUS[code] ?? 400, code, detail);
      // Remaining data is discarded.
      request.resume();
    };
    const feed = this.#port.open(publishRequest, answer, { closed, drained: () => void request.resume() });
    const end = (why: Explained): void => {
      if (!isOpen) return;
      isOpen = false;
      feed.end(why);
    };
    whenSilent(request, request, IDLE_MS, () => {
      end(because('encoder_idle', { seconds: IDLE_MS / 1000 }));
      request.destroy();
    });
    request.on('data', (chunk: Buffer) => {
      if (isOpen && !feed.push(chunk)) request.pause();
    });
    request.on('end', () => {
      isComplete = true;
      end(because('encoder_finished'));
    });
    request.on('close', () => {
      end(because('encoder_disconnected'));
    });
    request.on('error', () => {
      end(because('connection_broken'));
    });
    // The encoder may have disconnected before the decision.
    if (request.destroyed) end(because('encoder_disconnected'));
    request.resume();
  }
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function reply(response: ServerResponse, status: number, code: string, title: string): void {
  if (response.headersSent || response.destroyed) return;
  const body = errorText(code, status, title);
  response
    .writeHead(status, {
      'Content-Type': 'application/json',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': CLOSED_POLICY,
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    })
    .end(body);
}
