import { explained, ExplainedError, hostFailure } from '../../lib/error-message.ts';
import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import type { Decipheriv } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions as HttpsRequestOptions } from 'node:https';
import { gunzip } from 'node:zlib';
import type { Clock } from '../../lib/clock.ts';
import { Agent, request as httpRequest } from '../../lib/node-http.ts';
import { OutgoingHosts, type OutgoingRule } from '../../lib/outgoing-hosts.ts';
import type { PlaylistByteRange } from '../../media/manifests/hls/byte-range.ts';
import type { InputEnd } from '../input.ts';
import { BodyCollector } from './body-collector.ts';
import { CookieJar } from './cookie-jar.ts';
import { MAX_REDIRECTS, SILENCE_TIMEOUT_MS } from './limits.ts';

/** Request to fetch a body. */
export interface LoadRequest {
  readonly url: URL;
  /** Maximum size of the body in bytes; a larger one is refused. */
  readonly maxBytes: number;
  readonly deadlineMs: number;
  /** Maximum silence of the server in milliseconds; default `SILENCE_TIMEOUT_MS`. */
  readonly silenceMs?: number;
  readonly range?: PlaylistByteRange;
  /** Decrypts the body as it arrives. */
  readonly decipher?: Decipheriv;
  /** Whether the server may compress; useful for text. */
  readonly isText?: boolean;
}

/** Result of a request: the body and its final address, or the reason for failure. */
export type LoadResult =
  | { readonly bytes: Buffer; readonly url: URL }
  | { readonly failure: InputEnd; /** HTTP status, if the server answered. */ readonly status?: number };

export interface HttpLoaderOptions {
  readonly clock: Clock;
  readonly userAgent: string;
  readonly headers: ReadonlyMap<string, string>;
  /** Configured host; configured headers are sent only to it. */
  readonly home: URL;
  /** Whether its certificate is accepted without verification; default false. */
  readonly isInsecure?: boolean;
  /** Allowed hosts, from the configured host on. */
  readonly hosts?: OutgoingHosts;
  /** Called with the number of bytes as they arrive. */
  readonly received: (bytes: number) => void;
  /** Called with the memory of all incomplete bodies, in bytes. */
  readonly buffered?: (bytes: number) => void;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Maximum size of a response header, in bytes. */
const MAX_HEAD_BYTES = 32 * 1024;
const MAX_SOCKETS = 4;

/**
 * Fetches playlists, keys and segments by HTTP, with persistent connections, redirects, cookies, and limits on sizes
 * and times.
 */
export class HttpLoader {
  readonly #options: HttpLoaderOptions;
  readonly #rule: OutgoingRule;
  readonly #cookies = new CookieJar();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  readonly #secureAgent = new HttpsAgent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  readonly #running = new Set<AbortController>();
  readonly #bodies = new Set<BodyCollector>();
  #isClosed = false;

  constructor(options: HttpLoaderOptions) {
    this.#options = options;
    this.#rule = (options.hosts ?? new OutgoingHosts()).from(options.home);
  }

  /** Fetches one body. Never rejects. */
  async load(request: LoadRequest): Promise<LoadResult> {
    const stop = new AbortController();
    const cancel = this.#options.clock.after(request.deadlineMs, () => {
      stop.abort(new ExplainedError(because('request_slow', { seconds: request.deadlineMs / 1000 })));
    });
    this.#running.add(stop);
    try {
      if (this.#isClosed) return { failure: { code: 'input_ended', ...because('input_closed') } };
      return await this.#follow(request, stop.signal);
    } finally {
      cancel();
      this.#running.delete(stop);
    }
  }

  /** Ends all requests and connections. */
  close(): void {
    this.#isClosed = true;
    for (const stop of this.#running) stop.abort(new ExplainedError(because('input_closed')));
    this.#agent.destroy();
    this.#secureAgent.destroy();
  }

  async #follow(request: LoadRequest, signal: AbortSignal): Promise<LoadResult> {
    let { url } = request;
    for (let step = 0; step <= MAX_REDIRECTS; step++) {
      const refusal = this.#rule.refusal(url);
      if (refusal) return refused(refusal);
      let outcome = await this.#once(request, url, signal);
      // The server may close a persistent connection just when it is used again, so the request is sent once more.
      if ('isStale' in outcome) outcome = await this.#once(request, url, signal, true);
      if ('isStale' in outcome)
        return { failure: { code: 'input_unreachable', ...because('host_closed', { host: url.host }) } };
      if (!('location' in outcome)) return outcome;
      const next = URL.parse(outcome.location, url.href);
      if (!next) return refused(because('host_redirects_nowhere', { host: url.host }));
      if (next.username === '' && next.host === url.host && this.#rule.isHome(next)) {
        next.username = url.username;
        next.password = url.password;
      }
      url = next;
    }
    return refused(because('host_redirects', { host: url.host, count: MAX_REDIRECTS }));
  }

  #once(
    request: LoadRequest,
    url: URL,
    signal: AbortSignal,
    isFresh = false,
  ): Promise<LoadResult | { location: string } | { isStale: true }> {
    const { silenceMs = SILENCE_TIMEOUT_MS } = request;
    const isSecure = url.protocol === 'https:';
    const options: HttpsRequestOptions = {
      ...(this.#options.isInsecure === true && this.#rule.isHome(url) ? { rejectUnauthorized: false } : {}),
      agent: isFresh ? false : isSecure ? this.#secureAgent : this.#agent,
      maxHeaderSize: MAX_HEAD_BYTES,
      headers: this.#headersFor(request, url),
      lookup: this.#rule.lookup(url),
      signal,
    };
    return new Promise((resolve) => {
      let isAnswered = false;
      const outgoing = (isSecure ? httpsRequest : httpRequest)(url, options);
      outgoing.setTimeout(silenceMs, () => {
        resolve({
          failure: {
            code: 'input_timed_out',
            ...because('host_silent', { host: url.host, seconds: silenceMs / 1000 }),
          },
        });
        outgoing.destroy();
      });
      outgoing.on('error', (error) => {
        if (signal.aborted) resolve({ failure: { code: 'input_timed_out', ...hostFailure(url.host, signal.reason) } });
        else if (outgoing.reusedSocket && !isAnswered) resolve({ isStale: true });
        else resolve({ failure: { code: 'input_unreachable', ...hostFailure(url.host, error) } });
      });
      outgoing.on('response', (response) => {
        isAnswered = true;
        this.#cookies.take(url, response.headers['set-cookie'], this.#options.clock.now());
        this.#answered(request, url, response, resolve);
      });
      outgoing.end();
    });
  }

  #answered(
    request: LoadRequest,
    url: URL,
    response: IncomingMessage,
    resolve: (outcome: LoadResult | { location: string }) => void,
  ): void {
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (REDIRECTS.has(status) && location !== undefined) {
      response.resume();
      resolve({ location });
      return;
    }
    if (status !== 200 && status !== 206) {
      response.resume();
      const why = because('host_refused_path', { host: url.host, status, path: url.pathname });
      resolve({ status, failure: { code: 'input_refused', ...why } });
      return;
    }
    const body = new BodyCollector(request, status === 206, Number(response.headers['content-length'] ?? Number.NaN));
    const fail = (code: string, why: Explained): void => {
      resolve({ status, failure: { code, ...why } });
      response.destroy();
    };
    this.#bodies.add(body);
    this.#reportUsed();
    response.on('close', () => {
      this.#bodies.delete(body);
      this.#reportUsed();
    });
    response.on('data', (chunk: Buffer) => {
      this.#options.received(chunk.length);
      const isTaken = body.push(chunk);
      this.#reportUsed();
      if (!isTaken)
        fail('hls_segment_too_large', because('hls_too_large', { path: url.pathname, bytes: request.maxBytes }));
    });
    response.on('error', (error) => {
      fail('input_unreachable', hostFailure(url.host, error));
    });
    response.on('aborted', () => {
      fail('input_unreachable', because('host_broke_within', { host: url.host, path: url.pathname }));
    });
    response.on('end', () => {
      const bytes = body.finish();
      const parsedNext = (outcome: LoadResult): void => {
        // Reports 0 bytes: parsing starts in a later turn than the arrival of the bytes.
        this.#options.received(0);
        resolve(outcome);
      };
      if (!bytes) fail('hls_key_unavailable', because('hls_not_decrypted', { path: url.pathname }));
      else if (response.headers['content-encoding'] === 'gzip') unpack(bytes, request.maxBytes, url, parsedNext);
      else parsedNext({ bytes, url });
    });
  }

  #reportUsed(): void {
    let bytes = 0;
    for (const { usedBytes } of this.#bodies) bytes += usedBytes;
    this.#options.buffered?.(bytes);
  }

  #headersFor(request: LoadRequest, url: URL): Record<string, string> {
    const { userAgent, headers, home } = this.#options;
    const isHome = this.#rule.isHome(url);
    const all: Record<string, string> = {
      'User-Agent': userAgent,
      Accept: '*/*',
      'Accept-Encoding': request.isText ? 'gzip' : 'identity',
    };
    const cookie = home.protocol === 'https:' && url.protocol === 'http:' ? undefined : this.#cookies.header(url);
    if (cookie !== undefined) all['Cookie'] = cookie;
    if (isHome) for (const [name, value] of headers) all[name] = value;
    if (request.range)
      all['Range'] = `bytes=${request.range.offsetBytes}-${request.range.offsetBytes + request.range.lengthBytes - 1}`;
    return all;
  }
}

function unpack(bytes: Buffer, maxOutputLength: number, url: URL, resolve: (outcome: LoadResult) => void): void {
  gunzip(bytes, { maxOutputLength }, (error, unpacked) => {
    if (error)
      resolve({
        failure: {
          code: 'hls_bad_playlist',
          ...because('hls_not_unpacked', { path: url.pathname, explanation: explained(error) }),
        },
      });
    else resolve({ bytes: unpacked, url });
  });
}

function refused(why: Explained): LoadResult {
  return { failure: { code: 'input_refused', ...why } };
}
