import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Relay between an encoder and a server that records the time of the encoder's first byte. */
export class FirstByteRelay {
  readonly port: number;
  /** Time of the first byte in epoch milliseconds. */
  readonly firstByteMs: Promise<number>;
  readonly #server: Server;
  readonly #sockets: Socket[];

  private constructor(server: Server, sockets: Socket[], firstByteMs: Promise<number>) {
    // A server on a TCP port has an `AddressInfo`.
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
    this.#sockets = sockets;
    this.firstByteMs = firstByteMs;
  }

  /** @param port port of the server on this machine */
  static async start(port: number): Promise<FirstByteRelay> {
    const first = Promise.withResolvers<number>();
    const sockets: Socket[] = [];
    const server = createServer({ noDelay: true }, (encoder) => {
      const upstream = connect({ port, host: '127.0.0.1', noDelay: true });
      sockets.push(encoder, upstream);
      encoder.once('data', () => {
        first.resolve(performance.timeOrigin + performance.now());
      });
      encoder.pipe(upstream).pipe(encoder);
      encoder.on('error', () => upstream.destroy());
      upstream.on('error', () => encoder.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FirstByteRelay(server, sockets, first.promise);
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}
