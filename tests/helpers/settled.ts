import { nextTurn } from '../../src-main/lib/turns.ts';

/** Number of turns of the event loop; more than any test needs, because each turn runs at least one step. */
const TURNS = 20;

/** Runs all ready promises and work in turns, which on a busy machine continues in the next turn of the event loop. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await nextTurn();
}
