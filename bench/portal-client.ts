import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { SUBSCRIBERS_PREFIX } from '../src-preload/contract/api/subscribers/operation-export-objects.ts';
import { KEY } from './synthetic-log.ts';

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Connection of a portal tool, which sends one request after another. It parses as little as possible, so that it costs
 * little compared with the server.
 */
export class PortalClient {
  readonly #socket: Socket;
  #bytes: Buffer = Buffer.alloc(0);
  #answered: { resolve(answer: Buffer): void; reject(error: Error): void } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    const ended = (): void => {
      this.#answered?.reject(new Error('the server closed a connection'));
    };
    socket.on('close', ended);
    socket.on('error', ended);
    socket.on('data', (bytes) => {
      this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
      const head = this.#bytes.indexOf(HEAD_END);
      if (head < 0) return;
      const text = this.#bytes.toString('latin1', 0, head);
      const end = head + HEAD_END.length + Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0);
      if (this.#bytes.length < end) return;
      const answer = this.#bytes.subarray(head + HEAD_END.length, end);
      this.#bytes = this.#bytes.subarray(end);
      if (/^HTTP\/1\.1 2/.test(text)) this.#answered?.resolve(answer);
      else this.#answered?.reject(new Error(`${text}\n${String(answer)}`));
    });
  }

  static async open(url: string): Promise<PortalClient> {
    const { hostname: host, port } = new URL(url);
    const socket = connect({ host, port: Number(port) });
    await once(socket, 'connect');
    return new PortalClient(socket);
  }

  /**
   * Sends a request and returns the body of the reply; rejects if the request failed.
   *
   * @param path below the prefix of the API
   * @param idempotencyKey for a command
   */
  request(method: string, path: string, body?: object, idempotencyKey?: string): Promise<Buffer> {
    const text = body === undefined ? '' : JSON.stringify(body);
    const answered = Promise.withResolvers<Buffer>();
    this.#answered = answered;
    this.#socket.write(
      `${method} ${SUBSCRIBERS_PREFIX}${path} HTTP/1.1\r\nHost: bench\r\nX-Auth-Token: ${KEY}\r\n` +
        (idempotencyKey === undefined ? '' : `Idempotency-Key: ${idempotencyKey}\r\n`) +
        (body === undefined
          ? '\r\n'
          : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`),
    );
    return answered.promise;
  }

  close(): void {
    this.#socket.destroy();
  }
}
