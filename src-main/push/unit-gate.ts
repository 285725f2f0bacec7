import type { StreamUnit } from '../stream/stream-hub.ts';
import type { PushBacklog } from './target/push-target.ts';

/** Maximum backlog in bytes, and as time, at which another unit is sent. */
export const MAX_BACKLOG_BYTES = 2 * 1024 * 1024;
export const MAX_LAG_MS = 5000;

/**
 * Decides which units are sent. Media starts at a random access point of the main track. If the target takes data too
 * slowly, all units are dropped until a random access point at which half of the backlog is gone.
 */
export class UnitGate {
  /** Number of units dropped because the target was too slow. */
  droppedUnits = 0;
  #mainId: string | undefined;
  #isOpen = false;
  #isSlow = false;

  /** Whether units are dropped because the target is too slow. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  /** Closes until a random access point. @param mainId track with the random access points */
  close(mainId: string | undefined): void {
    this.#mainId = mainId;
    this.#isOpen = false;
    this.#isSlow = false;
  }

  /** Drops units that wait for a target that is too slow for them, and closes until a random access point. */
  drop(units: number): void {
    this.#isOpen = false;
    this.#isSlow = true;
    this.droppedUnits += units;
  }

  /** Reports whether a unit is sent. */
  takes(
    { track, isRandomAccess }: Pick<StreamUnit, 'track' | 'isRandomAccess'>,
    { bytes, lagMs, maxBytes = MAX_BACKLOG_BYTES, maxLagMs = MAX_LAG_MS }: PushBacklog,
  ): boolean {
    if (this.#isOpen) {
      if (bytes <= maxBytes && lagMs <= maxLagMs) return true;
      this.#isOpen = false;
      this.#isSlow = true;
    }
    const isFree = bytes <= maxBytes / 2 && lagMs <= maxLagMs / 2;
    this.#isOpen = isFree && isRandomAccess && track.id === this.#mainId;
    if (this.#isOpen) this.#isSlow = false;
    else if (this.#isSlow) this.droppedUnits++;
    return this.#isOpen;
  }
}
