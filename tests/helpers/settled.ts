import { nextTurn } from '../../src-main/lib/turns.ts';

/** More than the work of any test goes on for: each turn does at least one step of it. */
const TURNS = 20;

/** Lets everything run that is ready: promises, and work in turns, which on a busy machine goes on in the next turn of the event loop. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await nextTurn();
}
