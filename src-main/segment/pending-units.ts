import type { StreamUnit } from '../stream/stream-hub.ts';

/** Units of one track that came before the track that leads reached their time. Copies, because units are borrowed. */
export class PendingUnits {
  #units: StreamUnit[] = [];

  get isEmpty(): boolean {
    return this.#units.length === 0;
  }

  get first(): StreamUnit | undefined {
    return this.#units[0];
  }

  /** Keeps a copy of a unit. */
  hold(unit: StreamUnit): void {
    this.#units.push({ ...unit, data: Uint8Array.from(unit.data) });
  }

  /** Removes and returns the first unit. */
  take(): StreamUnit | undefined {
    return this.#units.shift();
  }
}
