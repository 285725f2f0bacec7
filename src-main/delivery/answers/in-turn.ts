import { addressGroup } from '../../lib/network-address.ts';
import type { WorkTurns } from '../../lib/work-turns.ts';
import type { Exchange } from '../exchange.ts';

/** Runs a task in the turn of the viewer's address. Rejects if the viewer disconnects before its turn. */
export async function inTurn<T>(
  turns: WorkTurns,
  exchange: Pick<Exchange, 'peer' | 'onClose'>,
  task: () => Promise<T>,
): Promise<T> {
  const gone = new AbortController();
  exchange.onClose(() => {
    gone.abort();
  });
  const end = await turns.take(addressGroup(exchange.peer), gone.signal);
  try {
    return await task();
  } finally {
    end();
  }
}
