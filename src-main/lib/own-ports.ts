import type { OpenListener } from './listener-set.ts';

const PORTS = 65_536;

/** The ports that this server listens on, readable in every thread: one bit for each. */
export class OwnPorts {
  readonly shared: SharedArrayBuffer;
  readonly #bits: Uint8Array;

  constructor(shared: SharedArrayBuffer = new SharedArrayBuffer(PORTS / 8)) {
    this.shared = shared;
    this.#bits = new Uint8Array(shared);
  }

  add(port: number): void {
    Atomics.or(this.#bits, port >> 3, 1 << (port & 7));
  }

  delete(port: number): void {
    Atomics.and(this.#bits, port >> 3, 0xff ^ (1 << (port & 7)));
  }

  has(port: number): boolean {
    return (Atomics.load(this.#bits, port >> 3) & (1 << (port & 7))) !== 0;
  }

  /** Counts a port as long as something listens on it. */
  during(listener: OpenListener): OpenListener {
    this.add(listener.port);
    return {
      port: listener.port,
      close: () => {
        this.delete(listener.port);
        return listener.close();
      },
    };
  }
}
