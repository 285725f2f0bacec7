import { nextTurn } from '../../src-main/lib/turns.ts';

/** More turns than the work of any test takes: each does at least one step of it. */
const TURNS = 20;

/**
 * Runs everything that is ready: promises, and work in turns, which on a busy machine continues in the next turn of the event
 * loop.
 */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await nextTurn();
}
