import type { AdExplanation } from '../../src-preload/contract/api/ad-objects.ts';
import type { CallInput, CallOutput } from '../../src-preload/contract/index.ts';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { STREAM_ACTIONS, STREAM_OPERATIONS } from '../../src-preload/contract/operations/streams.ts';
import type { Clock } from '../lib/clock.ts';
import type { Caller } from '../operators/caller.ts';
import type { Handlers } from '../operators/handlers.ts';
import { insertSplice } from '../streams/insert-splice.ts';
import { selectInput } from '../streams/select-input.ts';
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
export type ExplainAds = (name: string, sessionId: string) => AdExplanation | undefined;

/** Reads a page of the log of advertisements, limited to the caller's streams. */
export type AsRunPage = (
  filter: CallInput<'ads.as_run'>,
  caller: Pick<Caller, 'prefixes'>,
) => Promise<CallOutput<'ads.as_run'>>;

/** Services that the operations need. */
export interface StreamServices {
  readonly streams: Streams;
  readonly clock: Pick<Clock, 'now'>;
  readonly explainAds?: ExplainAds;
  readonly asRunPage?: AsRunPage;
  readonly probes?: InputProbes | undefined;
}

/** Actions on running streams, and the advertisements of their viewers. */
export function streamOperations({
  streams,
  clock,
  explainAds,
  asRunPage,
  probes,
}: StreamServices): Handlers<typeof STREAM_OPERATIONS> {
  const openProbes = (): InputProbes => {
    if (!probes) throw new AirdeskError('unavailable', 'This server opens no inputs');
    return probes;
  };
  return {
    'streams.restart': ({ name }) => streams.restart(name),
    'streams.probe_address': (request, context) => openProbes().address(request, context),
    'streams.probe_input': (request, context) => openProbes().input(request, context),
    'streams.cancel_probe': ({ id }, context) => {
      openProbes().cancel(id, context);
    },
    'ads.explain': ({ name, session }) => {
      const found = explainAds?.(name, session);
      if (found) return found;
      throw new AirdeskError('session_not_found', `${name} has no session ${session.slice(0, 200)}`, {
        parameter: 'session',
      });
    },
    'ads.as_run': async (query, { caller }) => {
      if (!asRunPage) throw new AirdeskError('unavailable', 'This server keeps no log of advertisements');
      return asRunPage(query, caller);
    },
    'ads.splice_insert': ({ name, ...body }) => insertSplice(streams, name, body, clock.now()),
  };
}
