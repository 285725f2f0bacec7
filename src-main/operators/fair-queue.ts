import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { WorkTurns } from '../lib/work-turns.ts';

/** Maximum number of tasks that wait. */
const MAX_WAITING = 256;

/** Runs one task at a time. Callers take turns: many tasks of one caller do not hold up the single task of another. */
export class FairQueue {
  readonly #turns = new WorkTurns(1);

  /** Runs a task when its turn comes. Raises `too_many_attempts` if too many wait. @param who the caller, which takes turns with others */
  async run<T>(who: string, task: () => Promise<T>): Promise<T> {
    if (this.#turns.waitingCount >= MAX_WAITING)
      throw new AirdeskError('too_many_attempts', 'Too many logins are being checked', { retry_after: 5 });
    return this.#turns.run(who, task);
  }
}
