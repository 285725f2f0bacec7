/** Changes that are taken one after another. */
const BURST = 16;

/** Packets of 188 bytes after which one more change is taken: what a change costs is spread over the bytes around it. */
const PACKETS_OF_A_CHANGE = 1000;

/** How often the tables of a transport stream may change: a few times at once, and again after so many packets. */
export class ChangeAllowance {
  #left = BURST;
  #countedPackets = 0;

  /** Takes one change; false where there were too many. @param packets packets since the start of the stream */
  take(packets: number): boolean {
    const earned = Math.floor((packets - this.#countedPackets) / PACKETS_OF_A_CHANGE);
    this.#countedPackets += earned * PACKETS_OF_A_CHANGE;
    this.#left = Math.min(BURST, this.#left + earned);
    if (this.#left === 0) return false;
    this.#left--;
    return true;
  }
}
