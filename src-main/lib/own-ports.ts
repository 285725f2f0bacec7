import type { OpenListener } from './listener-set.ts';

const PORTS = 65_536;

/** Ports on which this server listens, in memory shared by all threads, with one bit per port. */
export class OwnPorts {
  readonly shared: SharedArrayBuffer;
  readonly #bits: Uint8Array;
  /** Number of open listeners by port. A port may have several listeners, each at another address. */
  readonly #listeners = new Map<number, number>();

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

  /** All ports in ascending order. */
  list(): number[] {
    const ports: number[] = [];
    for (let place = 0; place < this.#bits.length; place++) {
      const bits = Atomics.load(this.#bits, place);
      for (let bit = 0; bits >> bit > 0; bit++) if (((bits >> bit) & 1) === 1) ports.push(place * 8 + bit);
    }
    return ports;
  }

  /** Adds the port of a listener until the listener is closed. A port stays while another listener uses it. */
  during(listener: OpenListener): OpenListener {
    const { port } = listener;
    this.#count(port, 1);
    return {
      port,
      close: () => {
        this.#count(port, -1);
        return listener.close();
      },
    };
  }

  #count(port: number, more: 1 | -1): void {
    const count = (this.#listeners.get(port) ?? 0) + more;
    this.#listeners.set(port, count);
    if (count > 0) this.add(port);
    else this.delete(port);
  }
}
