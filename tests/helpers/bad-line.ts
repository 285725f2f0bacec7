import { createSocket, type Socket } from 'node:dgram';

/** Damage by a relay: fractions of its datagrams, from 0 to 1. */
export interface LineDamage {
  readonly lost?: number;
  readonly doubled?: number;
  /** Fraction of datagrams that are delayed until two others have passed. */
  readonly reordered?: number;
}

/** UDP relay that damages datagrams in both directions. The damage is the same in every run. */
export class BadLine {
  /** Port of 127.0.0.1 on which the relay listens. */
  readonly port: number;
  /** Number of damaged datagrams. */
  harmed = 0;
  readonly #near: Socket;
  readonly #far: Socket;
  #damage: LineDamage = {};
  #sender: number | undefined;
  #seed = 7;

  private constructor(near: Socket, far: Socket, targetPort: number) {
    this.#near = near;
    this.#far = far;
    this.port = near.address().port;
    const there = this.#way((bytes) => {
      far.send(bytes, targetPort, '127.0.0.1');
    });
    const back = this.#way((bytes) => {
      if (this.#sender !== undefined) near.send(bytes, this.#sender, '127.0.0.1');
    });
    near.on('message', (bytes, { port }) => {
      this.#sender = port;
      there(bytes);
    });
    far.on('message', back);
    // An error means that the other end does not listen at the moment.
    for (const socket of [near, far]) socket.on('error', () => {});
  }

  /** Starts a relay to a port of 127.0.0.1, which damages nothing until `damage` is called. */
  static async open(targetPort: number): Promise<BadLine> {
    const [near, far] = [createSocket('udp4'), createSocket('udp4')];
    await Promise.all(
      [near, far].map(
        (socket) =>
          new Promise<void>((resolve) => {
            socket.bind(0, '127.0.0.1', resolve);
          }),
      ),
    );
    return new BadLine(near, far, targetPort);
  }

  /** Sets the damage to later datagrams. */
  damage(damage: LineDamage): void {
    this.#damage = damage;
  }

  close(): void {
    this.#near.close();
    this.#far.close();
  }

  #way(pass: (bytes: Buffer) => void): (bytes: Buffer) => void {
    const delayed: { readonly bytes: Buffer; left: number }[] = [];
    return (bytes) => {
      const { lost = 0, doubled = 0, reordered = 0 } = this.#damage;
      const fate = this.#random();
      if (fate < lost + doubled + reordered) this.harmed++;
      if (fate >= lost) {
        if (fate < lost + reordered) delayed.push({ bytes, left: 2 });
        else pass(bytes);
        if (fate > 1 - doubled) pass(bytes);
      }
      for (const waiting of delayed) waiting.left--;
      while ((delayed[0]?.left ?? 1) < 0) pass(delayed.shift()?.bytes ?? bytes);
    };
  }

  /** Pseudo-random number from 0 to 1 (Lehmer generator). */
  #random(): number {
    this.#seed = (this.#seed * 48_271) % 2_147_483_647;
    return this.#seed / 2_147_483_647;
  }
}
