import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { HttpEdge, type HttpEdgeOptions } from '../../src-main/delivery/http-edge.ts';
import { MediaHandler, type DeliveryPort } from '../../src-main/delivery/answers/media-handler.ts';
import { nodeExchange } from '../../src-main/delivery/node-exchange.ts';
import type { Recorded } from '../../src-main/delivery/recorded.ts';
import { StreamOutput } from '../../src-main/delivery/stream-output.ts';
import { TsOutputs } from '../../src-main/delivery/answers/ts-output.ts';
import type { FakeClock } from './fake-clock.ts';
import type { Session } from '../../src-main/sessions/session.ts';
import type { Sessions } from '../../src-main/sessions/sessions.ts';
import { openSessions } from './open-sessions.ts';
import { StreamRun } from './stream-run.ts';

/** Media edge on a free port with one generated stream, and a control server behind the edge that echoes requests. */
export class EdgeRun {
  readonly stream: StreamRun;
  readonly output: StreamOutput;
  readonly outputs = new Map<string, StreamOutput>();
  readonly tsOutputs = new TsOutputs();
  readonly sessions: Sessions;
  readonly handler: MediaHandler;
  readonly edge: HttpEdge;
  readonly control: Server;
  readonly #clients: Client[] = [];
  port = 0;

  constructor(
    name = 'cam',
    options: Partial<HttpEdgeOptions> & {
      port?: 0;
      names?: readonly string[];
      stream?: StreamRun;
      picture?: DeliveryPort['picture'];
      pictureAt?: DeliveryPort['pictureAt'];
      sessions?: Sessions;
      /** Output of a viewer; default the live output. */
      outputOf?: (live: StreamOutput, session: Session) => StreamOutput;
      recorded?: Recorded;
    } = {},
  ) {
    this.stream = options.stream ?? new StreamRun();
    this.output = new StreamOutput(name, this.stream.window);
    this.outputs.set(name, this.output);
    const names = new Set([name, ...(options.names ?? [])]);
    this.sessions = options.sessions ?? openSessions(this.clock, (stream) => names.has(stream));
    this.handler = new MediaHandler({
      resolve: (stream, _, session) => {
        const live = this.outputs.get(stream);
        return live && session && options.outputOf ? options.outputOf(live, session) : live;
      },
      ...(options.recorded ? { recorded: options.recorded } : {}),
      tsOutputs: this.tsOutputs,
      now: () => this.clock.now(),
      sessions: this.sessions,
      tokenName: () => 'token',
      isOwnHost: (host) => host === 'test',
      port: {
        isKnown: (stream) => names.has(stream),
        demand: () => false,
        isStarting: () => false,
        hasEnded: () => false,
        describe: (stream, kind) => (names.has(stream) ? JSON.stringify({ name: stream, kind }) : undefined),
        picture: options.picture ?? (() => Promise.resolve(undefined)),
        pictureAt: options.pictureAt ?? (() => Promise.resolve(undefined)),
        recordingStatus: () => Promise.resolve(undefined),
        embedPage: (stream) => ({ html: `<p>${stream}</p>`, policy: "default-src 'none'" }),
      },
    });
    this.control = createServer((request, response) => {
      this.#control(request, response);
    });
    this.edge = new HttpEdge({
      now: () => this.clock.now(),
      ...options,
      host: '127.0.0.1',
      port: 0,
      handler: this.handler,
      handOver: (socket, unread) => {
        socket.pause();
        socket.unshift(unread);
        this.control.emit('connection', socket);
        socket.resume();
      },
    });
  }

  get clock(): FakeClock {
    return this.stream.clock;
  }

  async start(): Promise<this> {
    this.port = await this.edge.start();
    return this;
  }

  /** Opens a new connection. */
  async connect(): Promise<Client> {
    const client = new Client(connect({ port: this.port, host: '127.0.0.1', noDelay: true }));
    this.#clients.push(client);
    await client.isOpen;
    return client;
  }

  /** One request on a new connection. */
  async get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<HttpReply> {
    const client = await this.connect();
    client.send(request(path, headers, method));
    const reply = await client.reply(method === 'HEAD');
    client.socket.destroy();
    return reply;
  }

  /** Ends the stream. */
  closeOutput(): void {
    this.output.close();
    this.stream.window.clear();
  }

  async close(): Promise<void> {
    for (const { socket } of this.#clients) socket.destroy();
    await this.edge.close();
    this.control.closeAllConnections();
    this.closeOutput();
  }

  #control(request: IncomingMessage, response: ServerResponse): void {
    const exchange = nodeExchange(request, response);
    const address = this.handler.address(exchange.path);
    if (address) {
      this.handler.handle(exchange, address);
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.setHeader('X-Control', '1');
      response.end(`${request.method} ${request.url} ${Buffer.concat(chunks).toString()}`);
    });
  }
}

/** Complete reply. */
export interface HttpReply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Client that sends exact bytes, and parses replies strictly. */
export class Client {
  readonly socket: Socket;
  readonly isOpen: Promise<void>;
  /** Resolves when the peer has closed. */
  readonly isClosed: Promise<void>;
  #unread = Buffer.alloc(0);
  #isEnded = false;
  #wake: (() => void) | undefined;

  constructor(socket: Socket) {
    this.socket = socket;
    this.isOpen = new Promise((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    this.isClosed = new Promise((resolve) => {
      socket.once('close', () => {
        resolve();
      });
    });
    socket.on('data', (chunk) => {
      this.#unread = Buffer.concat([this.#unread, chunk]);
      this.#wake?.();
    });
    const ended = (): void => {
      this.#isEnded = true;
      this.#wake?.();
    };
    socket.on('end', ended);
    socket.on('close', ended);
    socket.on('error', ended);
  }

  send(text: string | Uint8Array): void {
    this.socket.write(text);
  }

  /** Next reply on this connection. */
  async reply(isHead = false): Promise<HttpReply> {
    const head = await this.head();
    const { status, headers } = head;
    if (isHead || status === 304 || status === 204) return { ...head, body: Buffer.alloc(0) };
    if (headers.get('transfer-encoding') === 'chunked') {
      const pieces: Buffer[] = [];
      for (let piece = await this.chunk(); piece; piece = await this.chunk()) pieces.push(piece);
      return { status, headers, body: Buffer.concat(pieces) };
    }
    const length = headers.get('content-length');
    return { status, headers, body: length === undefined ? await this.rest() : await this.bytes(Number(length)) };
  }

  /** The head of the next reply. */
  async head(): Promise<Omit<HttpReply, 'body'>> {
    const text = (await this.#until('\r\n\r\n')).toString('latin1');
    const [line = '', ...lines] = text.trimEnd().split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) \S/.exec(line)?.[1]);
    if (!status) throw new Error(`not a status line: ${line}`);
    const headers = new Map<string, string>();
    for (const each of lines) {
      const [, name = '', value = ''] = /^([A-Za-z-]+): ?(.*)$/.exec(each) ?? [];
      if (name === '' || headers.has(name.toLowerCase())) throw new Error(`bad or double header: ${each}`);
      headers.set(name.toLowerCase(), value);
    }
    return { status, headers };
  }

  /** The next chunk of a chunked body; undefined at its end. */
  async chunk(): Promise<Buffer | undefined> {
    const size = parseInt((await this.#until('\r\n')).toString('latin1'), 16);
    const data = await this.bytes(size + 2);
    if (data.toString('latin1', size) !== '\r\n') throw new Error('a chunk does not end where it says');
    return size === 0 ? undefined : data.subarray(0, size);
  }

  /** The next `count` bytes of the body. */
  async bytes(count: number): Promise<Buffer> {
    while (this.#unread.length < count) await this.#more(`${count} bytes`);
    const bytes = this.#unread.subarray(0, count);
    this.#unread = this.#unread.subarray(count);
    return bytes;
  }

  /** All bytes until the peer closes. */
  async rest(): Promise<Buffer> {
    while (!this.#isEnded) await this.#more('the end');
    const bytes = this.#unread;
    this.#unread = Buffer.alloc(0);
    return bytes;
  }

  /** Received bytes that were not read yet. */
  get unreadBytes(): number {
    return this.#unread.length;
  }

  async #until(mark: string): Promise<Buffer> {
    let at = this.#unread.indexOf(mark);
    while (at < 0) {
      await this.#more(JSON.stringify(mark));
      at = this.#unread.indexOf(mark);
    }
    return this.bytes(at + mark.length);
  }

  #more(what: string): Promise<void> {
    if (this.#isEnded && what !== 'the end')
      return Promise.reject(
        new Error(`the connection ended before ${what}; unread: ${this.#unread.toString('latin1', 0, 200)}`),
      );
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** Edge that is stopped at the end of the test. */
export async function startedEdge(...options: ConstructorParameters<typeof EdgeRun>): Promise<EdgeRun> {
  const run = await new EdgeRun(...options).start();
  onTestFinished(() => run.close());
  return run;
}

/** Text of a request. */
export function request(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): string {
  const lines = Object.entries({ Host: 'test', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}
