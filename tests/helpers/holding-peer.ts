import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Bytes that a peer sends on connections that it keeps open. */
export interface Holding {
  /**
   * Text sent after the first bytes of a client. With `closes`, the first connection is then closed, and later
   * connections are kept open.
   */
  readonly first?: (request: string) => { readonly text: string; readonly closes?: boolean };
  /** Text sent once per second afterwards; default: none. */
  readonly drip?: string;
}

/** Server that accepts connections and never completes an answer. */
export class HoldingPeer {
  readonly #server: Server;
  readonly #accepted: Promise<number>;

  private constructor({ first, drip }: Holding) {
    const accepted = Promise.withResolvers<number>();
    this.#accepted = accepted.promise;
    this.#server = createServer((socket: Socket) => {
      const fromMs = performance.now();
      let isHeld = first === undefined;
      const timer = setInterval(() => {
        if (drip !== undefined && isHeld) socket.write(drip);
      }, 1000);
      socket.on('error', () => undefined);
      socket.once('data', (bytes: Buffer) => {
        const reply = first?.(bytes.toString('latin1'));
        if (!reply) return;
        if (reply.closes) socket.end(reply.text);
        else {
          socket.write(reply.text);
          isHeld = true;
        }
      });
      socket.resume();
      socket.once('close', () => {
        clearInterval(timer);
        if (isHeld) accepted.resolve((performance.now() - fromMs) / 1000);
      });
    });
  }

  static async listen(holding: Holding): Promise<HoldingPeer> {
    const peer = new HoldingPeer(holding);
    await once(peer.#server.listen(0, '127.0.0.1'), 'listening');
    return peer;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Seconds until the client closed the first connection that was kept open. */
  get seconds(): Promise<number> {
    return this.#accepted;
  }

  close(): void {
    this.#server.close();
  }
}
