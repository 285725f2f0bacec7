import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { FeedKind, FeedReader } from './feed-record.ts';

/** A connected feed: a paused socket, and a reader with the bytes received after the token. */
export interface ConnectedFeed {
  readonly socket: Socket;
  readonly reader: FeedReader;
}

/** A feed for which a codec process is expected to connect. */
export interface ExpectedFeed {
  /** Path that the writer connects to, and the token that it sends first. */
  readonly path: string;
  readonly token: string;
  /** Stops waiting for the feed. */
  cancel(): void;
}

/** Maximum time for sending the token, in milliseconds. */
const HELLO_MS = 5000;

/** Local socket of a thread. Codec processes connect to it directly, so that media does not pass through another thread. */
export class FeedServer {
  readonly #clock: Clock;
  readonly #expected = new Map<string, (feed: ConnectedFeed) => void>();
  readonly #unidentified = new Set<Socket>();
  #listening: Promise<string> | undefined;
  #server: Server | undefined;
  #folder: string | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Prepares to receive a feed; the first call starts to listen.
   * @param connected called once, when the writer has sent the token
   */
  async expect(connected: (feed: ConnectedFeed) => void): Promise<ExpectedFeed> {
    this.#listening ??= this.#listen();
    const path = await this.#listening;
    const token = randomUUID();
    this.#expected.set(token, connected);
    return { path, token, cancel: () => this.#expected.delete(token) };
  }

  /** Refuses further feeds and removes the socket. Connected feeds stay with their receivers. */
  async close(): Promise<void> {
    await this.#listening?.catch(() => undefined);
    this.#expected.clear();
    for (const socket of this.#unidentified) socket.destroy();
    this.#server?.close();
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  async #listen(): Promise<string> {
    const path =
      process.platform === 'win32' ? `\\\\.\\pipe\\airdesk-${randomUUID()}` : join(await this.#makeFolder(), 'feed');
    const server = createServer((socket) => {
      this.#greet(socket);
    });
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    // Errors after the start affect only one connection.
    server.on('error', () => undefined);
    return path;
  }

  /** Creates the folder of the socket, which only the user of the server can access. */
  async #makeFolder(): Promise<string> {
    this.#folder = await mkdtemp(join(tmpdir(), 'airdesk-'));
    return this.#folder;
  }

  #greet(socket: Socket): void {
    const reader = new FeedReader();
    this.#unidentified.add(socket);
    const cancel = this.#clock.after(HELLO_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      cancel();
      this.#unidentified.delete(socket);
    });
    const receive = (bytes: Buffer): void => {
      reader.push(bytes);
      const hello = reader.next();
      if (!hello && !reader.isBroken) return;
      cancel();
      socket.off('data', receive);
      socket.pause();
      this.#unidentified.delete(socket);
      const token = hello?.kind === FeedKind.hello ? hello.data.toString('latin1') : '';
      const connected = this.#expected.get(token);
      this.#expected.delete(token);
      if (connected) connected({ socket, reader });
      else socket.destroy();
    };
    socket.on('data', receive);
  }
}
