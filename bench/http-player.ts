import { Agent, request } from 'node:http';

/** Reply to a request of the player. */
export interface PlayerReply {
  readonly status: number;
  readonly body: Buffer;
  /** Arrival of the last byte in epoch milliseconds. */
  readonly atMs: number;
}

/** Keep-alive connections of one player to one server, as many as it has open requests. */
export class HttpPlayer {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  get(path: string): Promise<PlayerReply> {
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: this.#port, path, agent: this.#agent }, (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            body: Buffer.concat(pieces),
            atMs: performance.timeOrigin + performance.now(),
          });
        });
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  /** Repeats a request every few milliseconds until a 200 reply contains `text`; resolves with that reply. */
  async until(path: string, text: RegExp, everyMs: number, timeoutMs: number): Promise<PlayerReply> {
    const endMs = performance.now() + timeoutMs;
    while (performance.now() < endMs) {
      const reply = await this.get(path);
      if (reply.status === 200 && text.test(reply.body.toString())) return reply;
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    throw new Error(`${path} never contained ${text.source}`);
  }

  close(): void {
    this.#agent.destroy();
  }
}
