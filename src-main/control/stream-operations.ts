import type { STREAM_OPERATIONS } from '../../src-preload/contract/operations/streams.ts';
import type { Clock } from '../lib/clock.ts';
import type { Handlers } from '../operators/handlers.ts';
import { insertSplice } from '../streams/insert-splice.ts';
import type { Streams } from '../streams/streams.ts';

/** Actions on running streams. */
export function streamOperations({
  streams,
  clock,
}: {
  readonly streams: Streams;
  readonly clock: Pick<Clock, 'now'>;
}): Handlers<typeof STREAM_OPERATIONS> {
  return {
    'streams.restart': ({ name }) => streams.restart(name),
    'ads.splice_insert': ({ name, ...body }) => insertSplice(streams, name, body, clock.now()),
  };
}
