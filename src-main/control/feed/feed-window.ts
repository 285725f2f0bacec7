import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { Caller, Subscriber } from '../../operators/caller.ts';
import { isInScope, watchReach } from '../../operators/require.ts';
import type { ChangingWindow } from '../../segment/segment-window.ts';
import type { Streams } from '../../streams/streams.ts';

export interface FeedAccess {
  readonly streams: Pick<Streams, 'outputs' | 'demand' | 'wantChunks'>;
  /** Whether a stream may be watched without authorization. */
  readonly isOpenToAll: (name: string) => boolean;
}

/**
 * Live window of a stream for a desk. Keeps an on-demand stream running, and its open parts cut into chunks. Opens no session.
 * Logins see every stream in their scope if they may see walls; others see the public ones.
 */
export function feedWindow(
  { streams, isOpenToAll }: FeedAccess,
  name: string,
  caller: Subscriber & Pick<Caller, 'who'>,
): ChangingWindow {
  if (!isInScope(caller, name)) throw new AirdeskError('forbidden', 'This login is for other streams');
  const output = streams.outputs.get(name);
  if (!output) throw new AirdeskError('stream_not_found', `There is no stream ${name.slice(0, 200)}`);
  if (watchReach(caller) === 'open' && !isOpenToAll(name))
    throw new AirdeskError('forbidden', 'A backend or a list decides about the viewers of this stream');
  streams.demand(name);
  streams.wantChunks(name);
  return output.window;
}
