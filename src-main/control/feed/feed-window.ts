import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { Caller } from '../../operators/caller.ts';
import { isInScope } from '../../operators/require.ts';
import type { ChangingWindow } from '../../segment/segment-window.ts';
import type { Streams } from '../../streams/streams.ts';

/** What says which window a desk may look at. */
export interface FeedAccess {
  readonly streams: Pick<Streams, 'outputs' | 'demand' | 'wantChunks'>;
  /** Whether a stream may be watched without a question about the viewer. */
  readonly isOpenToAll: (name: string) => boolean;
}

/**
 * The live window of a stream that a desk shows, which keeps a stream running that runs for its viewers only, and its open parts coming in chunks. It opens no session. Who may
 * change everything sees every stream; others see what anyone may watch.
 */
export function feedWindow(
  { streams, isOpenToAll }: FeedAccess,
  name: string,
  caller: Pick<Caller, 'mayWrite' | 'prefixes'>,
): ChangingWindow {
  if (!isInScope(caller, name)) throw new AirdeskError('forbidden', 'This token is for other streams');
  const output = streams.outputs.get(name);
  if (!output) throw new AirdeskError('stream_not_found', `There is no stream ${name.slice(0, 200)}`);
  const maySeeAll = caller.mayWrite && caller.prefixes === undefined;
  if (!maySeeAll && !isOpenToAll(name))
    throw new AirdeskError('forbidden', 'A backend or a list decides about the viewers of this stream');
  streams.demand(name);
  streams.wantChunks(name);
  return output.window;
}
