import type { AdExplanation } from '../../src-preload/contract/api/ad-objects.ts';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { STREAM_OPERATIONS } from '../../src-preload/contract/operations/streams.ts';
import type { Clock } from '../lib/clock.ts';
import type { Handlers } from '../operators/handlers.ts';
import { insertSplice } from '../streams/insert-splice.ts';
import type { Streams } from '../streams/streams.ts';

/** Explains the advertisements of a viewer; undefined if the stream has no such session. */
export type ExplainAds = (name: string, sessionId: string) => AdExplanation | undefined;

/** Actions on running streams, and the advertisements of their viewers. */
export function streamOperations({
  streams,
  clock,
  explainAds,
}: {
  readonly streams: Streams;
  readonly clock: Pick<Clock, 'now'>;
  readonly explainAds?: ExplainAds;
}): Handlers<typeof STREAM_OPERATIONS> {
  return {
    'streams.restart': ({ name }) => streams.restart(name),
    'ads.explain': ({ name, session }) => {
      const found = explainAds?.(name, session);
      if (found) return found;
      throw new AirdeskError('session_not_found', `${name} has no session ${session.slice(0, 200)}`, {
        parameter: 'session',
      });
    },
    'ads.splice_insert': ({ name, ...body }) => insertSplice(streams, name, body, clock.now()),
  };
}
