import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { AirdeskError } from '../../../src-preload/contract/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { CLOSED_POLICY, originForm } from '../../lib/http-semantics.ts';
import { createServer, STATUS_CODES } from '../../lib/node-http.ts';
import type { TransportPolicy } from '../../lib/transport-policy.ts';
import type { Tally } from '../../lib/tally.ts';
import { requestFacts } from './caller.ts';
import { errorBody } from './error-reply.ts';
import { isUpload } from './prefixes.ts';
import { RequestDeadlines, type TimeoutPhase } from './request-deadlines.ts';

export interface ApiServerOptions {
  /** Answers media addresses and publishers. Returns false for any other request. */
  readonly media: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Answers all other requests. */
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void;
  readonly clock: Clock;
  /** Policy for redirects to https and for headers of answers over https; absent for neither. */
  readonly transport?: TransportPolicy;
  /** Counter of connections that exceeded a deadline. */
  readonly cut?: Tally<TimeoutPhase>;
}

/** Headers of an answer to a request that reached no route. */
const CLOSED = { 'x-content-type-options': 'nosniff', 'content-security-policy': CLOSED_POLICY } as const;

/** Statuses of requests that the parser of Node refuses, by the code of its error; the default is 400. */
const PARSER_STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

/**
 * Server of `node:http` that gets connections from the media edge. It refuses requests that RFC 9112 forbids but Node accepts,
 * and ignores upgrades to other protocols than WebSocket (RFC 9110 section 7.8). A request that is refused before it reaches a
 * route also gets an error body.
 */
export function createApiServer({ media, serve, clock, transport, cut }: ApiServerOptions): Server {
  const checked = (request: IncomingMessage, response: ServerResponse): void => {
    deadlines.start(request, response);
    LAST_REQUESTS.set(request.socket, { request, response, isFollowed: false });
    const fault = faultOf(request);
    if (fault !== undefined) refuse(response, new AirdeskError('bad_request', fault));
    else if (transport?.isInUse && redirectToHttps(transport, request, response)) return;
    else if (media(request, response)) deadlines.release(request);
    else {
      // Uploads may take long, and have deadlines of their own.
      if (isUpload(request)) deadlines.release(request);
      serve(request, response);
    }
  };
  const server = createServer(
    {
      noDelay: true,
      keepAliveTimeout: 75_000,
      requestTimeout: 0,
      requireHostHeader: false,
      shouldUpgradeCallback: ({ headers, method }) =>
        method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket',
    },
    checked,
  );
  const deadlines = new RequestDeadlines(server, { clock, answerLate, ...(cut ? { cut } : {}) });
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    refuse(response, new AirdeskError('bad_request', 'The only supported expectation is 100-continue'));
  });
  server.on('connect', (_request, socket) => {
    afterAnswers(socket, () => {
      refuseSocket(socket, new AirdeskError('method_not_allowed', 'This server opens no tunnels'));
    });
  });
  return server;
}

/** Newest request of a connection whose head is complete, and its answer. */
interface LastRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Whether a refusal waits for the end of the answer. */
  isFollowed: boolean;
}

const LAST_REQUESTS = new WeakMap<Duplex, LastRequest>();

/** Answers a request whose body took too long (RFC 9110 section 15.5.9). Returns false if its answer has started. */
function answerLate(socket: Duplex): boolean {
  if (!socket.writable || LAST_REQUESTS.get(socket)?.response.headersSent !== false) return false;
  refuseSocket(socket, new AirdeskError('request_timeout'));
  return true;
}

/**
 * Answers a request that the parser of Node refused, after the answers to the earlier requests.
 * @param refused counts the refusal by status
 */
export function refuseUnread(
  cause: Error & { readonly code?: string },
  socket: Duplex,
  refused?: Pick<Tally, 'add'>,
): void {
  afterAnswers(socket, () => {
    answerUnread(cause, socket, refused);
  });
}

/** Writes the last answer of a connection after the answers to earlier requests. Later requests get no answer. */
function afterAnswers(socket: Duplex, write: () => void): void {
  const last = LAST_REQUESTS.get(socket);
  if (last?.isFollowed === true) return;
  // If the body is the reason for the refusal, the request never completes, so its answer is not awaited.
  if (socket.writable && last?.request.complete === true && !last.response.writableFinished) {
    last.isFollowed = true;
    last.response.once('close', write);
  } else write();
}

function answerUnread(
  cause: Error & { readonly code?: string },
  socket: Duplex,
  refused: Pick<Tally, 'add'> | undefined,
): void {
  // A client that disconnected in the middle of its request reads no answer.
  if (cause.code === 'ECONNRESET' || cause.code === 'HPE_INVALID_EOF_STATE' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = PARSER_STATUS[cause.code ?? ''] ?? 400;
  refused?.add(String(status));
  refuseSocket(socket, new AirdeskError(status === 400 ? 'bad_request' : 'request_too_large', cause.message), status);
}

/** Answers on a connection without a reply object, and closes the connection. @param headers additional header lines */
export function refuseSocket(
  socket: Duplex,
  error: AirdeskError,
  status = error.status,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = bodyOf(error, status);
  const lines = Object.entries({
    'content-type': 'application/json; charset=utf-8',
    ...CLOSED,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
}

/** Fault of a request that the parser of Node accepts. Also converts its address into origin form (RFC 9112 section 3.2). */
function faultOf(request: IncomingMessage): string | undefined {
  const { rawHeaders, headers, httpVersion } = request;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts++;
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) return 'A request must have exactly one Host';
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0'))
    return 'The only supported transfer coding of a request is chunked';
  const path = originForm(request.url ?? '');
  if (path === undefined) return 'The address cannot be parsed';
  request.url = path;
  return undefined;
}

/** Redirects a request over http to https, or adds the header for answers over https, as the policy requires. */
function redirectToHttps(transport: TransportPolicy, request: IncomingMessage, response: ServerResponse): boolean {
  const { socket, method = '', url: target = '' } = request;
  const facts = { method, target, isEncrypted: socket instanceof TLSSocket, ...requestFacts(request) };
  const strict = transport.strictTransport(facts);
  if (strict !== undefined) response.setHeader('strict-transport-security', strict);
  const location = transport.redirect(facts);
  if (location === undefined) return false;
  response.writeHead(308, { ...CLOSED, location, 'content-length': 0 }).end();
  return true;
}

function refuse(response: ServerResponse, error: AirdeskError): void {
  const body = bodyOf(error, error.status);
  response
    .writeHead(error.status, {
      'content-type': 'application/json; charset=utf-8',
      ...CLOSED,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    })
    .end(body);
}

function bodyOf(error: AirdeskError, status: number): string {
  const { errors, error: code } = errorBody(error);
  return JSON.stringify({ errors: errors.map((one) => ({ ...one, status: String(status) })), error: code });
}
