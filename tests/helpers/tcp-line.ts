import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** TCP proxy that can cut connections like a firewall: both ends get a reset. */
export class TcpLine {
  /** Listening port of 127.0.0.1. */
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, targetPort: number) {
    this.#server = server;
    // A server on a TCP port has an `AddressInfo`.
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (near) => {
      const far = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => {
          this.#sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
      }
      near.pipe(far).pipe(near);
    });
  }

  /** Starts a proxy for a port of 127.0.0.1. */
  static async open(targetPort: number): Promise<TcpLine> {
    const server = createServer({ noDelay: true });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return new TcpLine(server, targetPort);
  }

  /** Cuts all current connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}
