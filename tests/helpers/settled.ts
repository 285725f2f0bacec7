import { nextTurn } from '../../src-main/lib/turns.ts';

/** Number of turns of the event loop: more than any test needs, because each turn runs at least one step. */
const TURNS = 20;

/**
 * Waits until resolved promises and work in turns (`runInTurns`) are done; on a busy machine, such work takes several
 * turns of the event loop.
 */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await nextTurn();
}
