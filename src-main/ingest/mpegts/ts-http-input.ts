import { explained, hostFailure } from '../../lib/error-message.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { ByteBudget } from '../byte-budget.ts';
import { request as httpRequest } from '../../lib/node-http.ts';
import { OutgoingHosts, type OutgoingRule } from '../../lib/outgoing-hosts.ts';
import { whenSilent } from '../../lib/when-silent.ts';
import type { Input, InputEnd, InputSink } from '../input.ts';
import type { ReadTicks, TickedReads } from '../reads/read-ticks.ts';
import { streamReads } from '../reads/socket-reads.ts';
import { TsIntake } from './ts-intake.ts';
import type { TsHttpAddress } from './ts-http-address.ts';

/** Maximum number of redirects before the input ends. */
const MAX_REDIRECTS = 5;

/** Maximum wait for the connection and the response header, in milliseconds. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Maximum silence inside the body, in milliseconds; ends the input with `input_stalled`. */
const SILENCE_TIMEOUT_MS = 20_000;

/** Maximum size of a response header. */
const MAX_HEAD_BYTES = 32 * 1024;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface TsHttpInputOptions {
  readonly address: TsHttpAddress;
  /** Value of `User-Agent`; default `Airdesk`. */
  readonly userAgent?: string;
  /** Whether the certificate of the host is accepted without verification; default false. */
  readonly isInsecure?: boolean;
  /** Allowed hosts; default: any, except that a public host must not lead to a private one. */
  readonly hosts?: OutgoingHosts;
  /** Budget for incomplete data, shared by all inputs of the thread. */
  readonly budget?: ByteBudget;
  /** Combined reads of connections; without them bytes are read as they arrive. */
  readonly ticks?: ReadTicks;
  /** Instead of `ANSWER_TIMEOUT_MS` and `SILENCE_TIMEOUT_MS`, for tests. */
  readonly answerTimeoutMs?: number;
  readonly silenceTimeoutMs?: number;
}

/** Input that fetches an endless transport stream over HTTP: `tshttp://` and `tshttps://`. */
export class TsHttpInput implements Input {
  readonly #options: TsHttpInputOptions;
  readonly #intake: TsIntake;
  readonly #rule: OutgoingRule;
  #request: ClientRequest | undefined;
  #redirects = 0;

  constructor(options: TsHttpInputOptions, sink: InputSink) {
    this.#options = options;
    const { address, budget } = options;
    const { program, url } = address;
    this.#rule = (options.hosts ?? new OutgoingHosts()).from(url);
    this.#intake = new TsIntake(sink, {
      ...(program === undefined ? {} : { program }),
      ...(budget ? { budget } : {}),
      watchesClock: true,
    });
  }

  start(): void {
    this.#open(this.#options.address.url);
  }

  async close(): Promise<void> {
    this.#intake.cancel();
    const request = this.#request;
    if (!request || request.closed) return;
    await new Promise<void>((resolve) => {
      request.once('close', resolve);
      request.destroy();
    });
  }

  #open(url: URL): void {
    const { userAgent = 'Airdesk', answerTimeoutMs = ANSWER_TIMEOUT_MS } = this.#options;
    // No agent, because the connection is only for this body, which never ends.
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      agent: false,
      maxHeaderSize: MAX_HEAD_BYTES,
      lookup: this.#rule.lookup(url),
      ...(this.#options.isInsecure === true && this.#rule.isHome(url) ? { rejectUnauthorized: false } : {}),
      headers: { 'User-Agent': userAgent, Accept: '*/*', 'Accept-Encoding': 'identity' },
    });
    this.#request = request;
    request.setTimeout(answerTimeoutMs, () => {
      this.#endOf(request, {
        code: 'input_timed_out',
        ...because('host_no_answer', { host: url.host, seconds: answerTimeoutMs / 1000 }),
      });
    });
    request.on('error', (error) => {
      this.#endOf(request, { code: 'input_unreachable', ...hostFailure(url.host, error) });
    });
    request.on('response', (response) => {
      if (request === this.#request) this.#answered(url, request, response);
    });
    request.end();
  }

  #answered(url: URL, request: ClientRequest, response: IncomingMessage): void {
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (REDIRECTS.has(status) && location !== undefined) {
      this.#redirect(url, location, request);
      return;
    }
    if (status !== 200) {
      this.#end({
        code: 'input_refused',
        ...because('host_refused', { host: url.host, status }),
      });
      return;
    }
    const { silenceTimeoutMs = SILENCE_TIMEOUT_MS } = this.#options;
    request.removeAllListeners('timeout');
    // A reset in the middle of the body is reported by the request, not by the response.
    request.removeAllListeners('error');
    request.on('error', (error) => {
      this.#end({ code: 'input_ended', ...because('host_broke', { host: url.host, explanation: explained(error) }) });
    });
    whenSilent(request, response, silenceTimeoutMs, () => {
      this.#end({
        code: 'input_stalled',
        ...because('host_silent', { host: url.host, seconds: silenceTimeoutMs / 1000 }),
      });
    });
    const ticked = this.#joinTicks(request, response);
    // Bytes are processed in the same turn, so that the TCP window is the only queue.
    response.on('data', (bytes: Buffer) => {
      if (ticked) ticked.hasNewBytes = true;
      if (!this.#intake.push(bytes)) request.destroy();
    });
    response.on('error', (error) => {
      this.#end({ code: 'input_ended', ...because('host_broke', { host: url.host, explanation: explained(error) }) });
    });
    response.on('end', () => {
      this.#end({ code: 'input_ended', ...because('host_ended', { host: url.host }) });
    });
  }

  /** Reads the body together with other connections, if there are many. */
  #joinTicks(request: ClientRequest, { socket }: IncomingMessage): TickedReads | undefined {
    const { ticks } = this.#options;
    const reads = ticks && streamReads(socket);
    if (!reads) return undefined;
    const ticked = ticks.join(reads);
    request.once('close', () => {
      ticks.leave(ticked);
    });
    return ticked;
  }

  #redirect(url: URL, location: string, request: ClientRequest): void {
    const next = URL.parse(location, url.href);
    request.destroy();
    if (!next) {
      this.#end({ code: 'input_refused', ...because('host_redirects_nowhere', { host: url.host }) });
      return;
    }
    const refusal = this.#rule.refusal(next);
    if (refusal) {
      this.#end({ code: 'input_refused', ...refusal });
    } else if (++this.#redirects > MAX_REDIRECTS) {
      this.#end({ code: 'input_refused', ...because('host_redirects', { host: url.host, count: MAX_REDIRECTS }) });
    } else if (!this.#intake.isOver) {
      if (next.username === '' && next.host === url.host && this.#rule.isHome(next)) {
        next.username = url.username;
        next.password = url.password;
      }
      this.#open(next);
    }
  }

  /** Ends the input for its current request; a redirected request is ignored. */
  #endOf(request: ClientRequest, end: InputEnd): void {
    if (request === this.#request) this.#end(end);
  }

  #end(end: InputEnd): void {
    this.#request?.destroy();
    this.#intake.end(end);
  }
}
