/**
 * What a sender may have under way to a receiver in another thread. The sender stops when it is used up; it may go on when
 * the receiver has taken half of it.
 */
export class Credit {
  readonly #limitBytes: number;
  readonly #restored: () => void;
  #underWayBytes = 0;
  #isUsedUp = false;

  /** @param restored hears that there is credit again, after it was used up */
  constructor(limitBytes: number, restored: () => void) {
    this.#limitBytes = limitBytes;
    this.#restored = restored;
  }

  /** Bytes that were sent and not taken yet. */
  get underWayBytes(): number {
    return this.#underWayBytes;
  }

  /** Counts bytes that are sent; returns whether more may follow. */
  spend(bytes: number): boolean {
    this.#underWayBytes += bytes;
    this.#isUsedUp = this.#underWayBytes >= this.#limitBytes;
    return !this.#isUsedUp;
  }

  /** The receiver has taken bytes. */
  restore(bytes: number): void {
    this.#underWayBytes -= bytes;
    if (!this.#isUsedUp || this.#underWayBytes > this.#limitBytes / 2) return;
    this.#isUsedUp = false;
    this.#restored();
  }
}
