import type { AdExplanation } from '../../src-preload/contract/api/ad-objects.ts';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { STREAM_ACTIONS, STREAM_OPERATIONS } from '../../src-preload/contract/operations/streams.ts';
import type { Clock } from '../lib/clock.ts';
import type { Handlers } from '../operators/handlers.ts';
import { rowsInScope } from '../operators/require.ts';
import { insertSplice } from '../streams/insert-splice.ts';
import { selectInput } from '../streams/select-input.ts';
import type { AsRunLog } from './advertising/as-run-log.ts';
import type { InputProbes } from './input-probes.ts';
import type { Streams } from '../streams/streams.ts';
import { makeSignedAddress, type SignedAddressContext } from './signed-addresses.ts';

/** Actions on streams in their form over HTTP. */
export function streamActions(
  context: SignedAddressContext & { readonly streams: Streams },
): Handlers<typeof STREAM_ACTIONS> {
  return {
    'streams.sign': ({ name, ...request }) => makeSignedAddress(context, name, request),
    'streams.select_index': ({ name, index }) => {
      selectInput(context.streams, name, index);
    },
  };
}

/** Explains the advertisements of a viewer; undefined if the stream has no such session. */
type ExplainAds = (name: string, sessionId: string) => AdExplanation | undefined;

/** Services that the operations need. */
export interface StreamServices {
  readonly streams: Streams;
  readonly clock: Pick<Clock, 'now'>;
  readonly explainAds: ExplainAds;
  /** Log of advertisements. */
  readonly asRun: Pick<AsRunLog, 'page'>;
  readonly probes: Pick<InputProbes, 'address' | 'input' | 'cancel'>;
}

/** Actions on running streams, and the advertisements of their viewers. */
export function streamOperations({
  streams,
  clock,
  explainAds,
  asRun,
  probes,
}: StreamServices): Handlers<typeof STREAM_OPERATIONS> {
  return {
    'streams.restart': ({ name }) => streams.restart(name),
    'streams.pushes': ({ name }) => ({ pushes: streams.pushes(name) }),
    'streams.probe_address': (request, context) => probes.address(request, context),
    'streams.probe_input': (request, context) => probes.input(request, context),
    'streams.cancel_probe': ({ id }, context) => {
      probes.cancel(id, context);
    },
    'ads.explain': ({ name, session }) => {
      const found = explainAds(name, session);
      if (found) return found;
      throw new AirdeskError('session_not_found', `${name} has no session ${session.slice(0, 200)}`, {
        parameter: 'session',
      });
    },
    'ads.as_run': (query, { caller }) => asRun.page(query, rowsInScope(caller, 'stream')),
    'ads.splice_insert': ({ name, ...body }) => insertSplice(streams, name, body, clock.now()),
  };
}
