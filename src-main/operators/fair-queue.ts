import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { WorkTurns } from '../lib/work-turns.ts';

/** Maximum number of waiting tasks. */
const MAX_WAITING = 256;

/** Runs one task at a time. Callers take turns: a caller with many tasks does not delay the task of another caller. */
export class FairQueue {
  readonly #turns = new WorkTurns(1);

  /** Runs a task when its turn comes. Raises `too_many_attempts` if too many tasks wait. @param who caller, for taking turns */
  async run<T>(who: string, task: () => Promise<T>): Promise<T> {
    if (this.#turns.waitingCount >= MAX_WAITING)
      throw new AirdeskError('too_many_attempts', 'Too many logins are being checked', { retry_after: 5 });
    return this.#turns.run(who, task);
  }
}
