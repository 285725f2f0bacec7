import type { AccessUnit, SpliceMessage } from '../media/access-unit.ts';

/** Maximum wait after a jump of the input clock. Other tracks are less than this behind. */
const MAX_WAIT_MS = 1000;
/** Limits of the number and the size of the waiting units. */
const MAX_UNITS = 1000;
const MAX_BYTES = 16 * 1024 * 1024;

/** A waiting unit with the clocks at its arrival, or a splice message between units. */
type WaitingItem =
  | { readonly unit: AccessUnit; readonly wallMs: number; readonly elapsedMs: number | undefined }
  | { readonly message: SpliceMessage };

/**
 * Copies of the units of tracks that have jumped. They wait until the other tracks of the input have jumped too,
 * because tracks that lag still get frames from before the jump.
 */
export class WaitingUnits {
  #items: WaitingItem[] = [];
  #bytes = 0;
  #sinceMs = 0;

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  /** Whether the units must not wait any longer. */
  isDue(wallMs: number): boolean {
    const isLarge = this.#items.length >= MAX_UNITS || this.#bytes >= MAX_BYTES;
    return !this.isEmpty && (isLarge || Math.abs(wallMs - this.#sinceMs) > MAX_WAIT_MS);
  }

  addUnit(unit: AccessUnit, wallMs: number, elapsedMs: number | undefined): void {
    if (this.isEmpty) this.#sinceMs = wallMs;
    this.#bytes += unit.data.length;
    this.#items.push({ unit: { ...unit, data: Uint8Array.from(unit.data) }, wallMs, elapsedMs });
  }

  addSplice(message: SpliceMessage): void {
    this.#bytes += message.section.length;
    this.#items.push({ message: { ...message, section: Uint8Array.from(message.section) } });
  }

  /** Removes all units and messages, and returns them in order of arrival. */
  take(): readonly WaitingItem[] {
    const items = this.#items;
    this.#items = [];
    this.#bytes = 0;
    return items;
  }
}
