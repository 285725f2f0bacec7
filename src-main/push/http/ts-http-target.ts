import type { ClientRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { request as httpRequest } from '../../lib/node-http.ts';
import type { Track } from '../../media/track.ts';
import type { StreamUnit } from '../../stream/stream-hub.ts';
import { closedByTarget } from '../target/connection-fault.ts';
import type { PushBacklog, PushFault, PushTarget, PushTargetPort } from '../target/push-target.ts';
import type { HttpTargetOptions } from './http-address.ts';
import { answerFault, MAX_HEAD_BYTES, readBody, requestFault } from './http-fault.ts';
import { RequestBody } from './request-body.ts';
import { TsUnits } from './ts-units.ts';

/** Time for a server to refuse the request before media is sent, in milliseconds. */
const REFUSAL_MS = 500;
/** Time for a server to read the rest of an ended body, in milliseconds. */
const LINGER_MS = 2000;
/** Size at which packets are sent without waiting for a picture. */
const MAX_HELD_BYTES = 16 * 1024;

/**
 * Connection of a push to a server that takes MPEG-TS as the endless body of a PUT request (`tshttp://`, `tshttps://`).
 * Most servers answer at the end of the body, or when they refuse it. Redirects are not followed.
 */
export class TsHttpTarget implements PushTarget {
  readonly catchesUp = true;
  readonly acknowledgedBytes = null;
  readonly #options: HttpTargetOptions;
  readonly #port: PushTargetPort;
  readonly #request: ClientRequest;
  readonly #body: RequestBody;
  readonly #units = new TsUnits();
  #hasVideo = false;
  /** Arrival of the newest unit in epoch milliseconds. */
  #newestMs = 0;
  #cancelTimer: (() => void) | undefined;
  #isAccepted = false;
  #isOver = false;

  constructor(options: HttpTargetOptions, port: PushTargetPort) {
    this.#options = options;
    this.#port = port;
    this.#request = this.#open();
    this.#body = new RequestBody(this.#request, options.clock);
  }

  get sentBytes(): number {
    return this.#body.sentBytes;
  }

  get backlog(): PushBacklog {
    return this.#body.backlog;
  }

  tracks(tracks: readonly Track[]): ReadonlySet<string> {
    this.#units.announce(tracks);
    this.#hasVideo = tracks.some(({ content }) => content === 'video');
    return new Set(tracks.map(({ id }) => id));
  }

  unit(unit: StreamUnit): void {
    this.#units.write(unit);
    this.#newestMs = unit.arrivedMs;
    // Audio waits for the next picture, which saves system calls.
    if (!this.#hasVideo || unit.track.content === 'video' || this.#units.length >= MAX_HELD_BYTES) this.flush();
  }

  splice(section: Uint8Array): void {
    this.#units.splice(section);
  }

  flush(): void {
    const bytes = this.#units.takeComplete();
    if (bytes.length > 0 && !this.#isOver) this.#body.add(bytes, this.#newestMs);
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelTimer?.();
    this.#body.add(this.#units.takeAll(), this.#newestMs);
    this.#body.end();
    // The server may not read any more.
    this.#cancelTimer = this.#options.clock.after(LINGER_MS, () => this.#request.destroy());
  }

  #open(): ClientRequest {
    const { address, hosts } = this.#options;
    const { url, login, server } = address;
    const isTls = url.protocol === 'https:';
    // No agent, because the connection is only for this body. `keep-alive` keeps it open after an early answer.
    const request = (isTls ? httpsRequest : httpRequest)(url, {
      method: 'PUT',
      agent: false,
      maxHeaderSize: MAX_HEAD_BYTES,
      lookup: hosts.from(url).lookup(url),
      ...(login === undefined ? {} : { auth: login }),
      headers: {
        'User-Agent': 'Airdesk',
        'Content-Type': 'video/mp2t',
        'Transfer-Encoding': 'chunked',
        Connection: 'keep-alive',
      },
    });
    request.on('socket', (socket) => {
      socket.setNoDelay(true);
      socket.once(isTls ? 'secureConnect' : 'connect', () => {
        this.#connected();
      });
    });
    request.on('response', (answer) => {
      readBody(answer, (body) => {
        if (typeof body !== 'string') this.#fail(body);
      });
      const fault = answerFault(answer.statusCode ?? 0, server);
      if (fault) this.#fail(fault);
      else this.#accept();
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      this.#fail(requestFault(error, server));
    });
    request.on('close', () => {
      this.#cancelTimer?.();
      this.#fail(closedByTarget());
    });
    request.flushHeaders();
    return request;
  }

  #connected(): void {
    if (this.#isOver) return;
    this.#cancelTimer = this.#options.clock.after(REFUSAL_MS, () => {
      this.#accept();
    });
  }

  #accept(): void {
    if (this.#isOver || this.#isAccepted) return;
    this.#isAccepted = true;
    this.#cancelTimer?.();
    this.#port.accepted();
  }

  #fail(fault: PushFault): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelTimer?.();
    this.#request.destroy();
    this.#port.failed(fault);
  }
}
