import { TsOutputs } from '../../src-main/delivery/answers/ts-output.ts';
import { HttpEdge } from '../../src-main/delivery/http-edge.ts';
import { MediaHandler } from '../../src-main/delivery/answers/media-handler.ts';
import { StreamOutput } from '../../src-main/delivery/stream-output.ts';
import type { ChangingWindow } from '../../src-main/segment/segment-window.ts';
import { FakeClock } from './fake-clock.ts';
import { openSessions } from './open-sessions.ts';

/** Media edge on a free port of this machine, with windows of any kind under names, by the real clock. */
export class WindowServer {
  readonly #outputs = new Map<string, StreamOutput>();
  readonly #edge: HttpEdge;
  #port = 0;

  private constructor() {
    const now = (): number => Date.now();
    const handler = new MediaHandler({
      resolve: (name) => this.#outputs.get(name),
      tsOutputs: new TsOutputs(),
      now,
      // Sessions never end, because their clock does not advance.
      sessions: openSessions(new FakeClock(), (name) => this.#outputs.has(name)),
      tokenName: () => 'token',
      port: {
        isKnown: (name) => this.#outputs.has(name),
        demand: () => false,
        isStarting: () => false,
        hasEnded: () => false,
        describe: () => undefined,
        picture: () => Promise.resolve(undefined),
        pictureAt: () => Promise.resolve(undefined),
        recordingStatus: () => Promise.resolve(undefined),
        embedPage: () => ({ html: '', policy: '' }),
      },
    });
    this.#edge = new HttpEdge({
      now,
      host: '127.0.0.1',
      port: 0,
      handler,
      // Address of the server's time, which players of a dynamic MPD request.
      handOver: (socket) => {
        const body = new Date().toISOString();
        socket.end(
          `HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
        );
      },
    });
  }

  static async start(): Promise<WindowServer> {
    const server = new WindowServer();
    server.#port = await server.#edge.start();
    return server;
  }

  /** Adds a window to the served windows. */
  serve(name: string, window: ChangingWindow): void {
    this.#outputs.set(name, new StreamOutput(name, window));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async close(): Promise<void> {
    await this.#edge.close();
    for (const output of this.#outputs.values()) output.close();
  }
}
