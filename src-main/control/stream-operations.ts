import type { AdExplanation } from '../../src-preload/contract/api/ad-objects.ts';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { STREAM_ACTIONS, STREAM_OPERATIONS } from '../../src-preload/contract/operations/streams.ts';
import type { Handlers } from '../operators/handlers.ts';
import { rowsInScope } from '../operators/require.ts';
import { insertSplice } from '../streams/insert-splice.ts';
import { selectInput } from '../streams/select-input.ts';
import type { AsRunLog } from './advertising/as-run-log.ts';
import type { InputProbes } from './input-probes.ts';
import { addPush, changePushes, removePush, type PushEdits } from './push-edits.ts';
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
export interface StreamServices extends PushEdits, Pick<SignedAddressContext, 'clock'> {
  readonly streams: Streams;
  readonly explainAds: ExplainAds;
  /** Log of advertisements. */
  readonly asRun: Pick<AsRunLog, 'page'>;
  readonly probes: Pick<InputProbes, 'address' | 'input' | 'cancel'>;
}

/** Actions on running streams, and the advertisements of their viewers. */
export function streamOperations(services: StreamServices): Handlers<typeof STREAM_OPERATIONS> {
  const { streams, clock, explainAds, asRun, probes } = services;
  return {
    'streams.restart': ({ name }) => streams.restart(name),
    'streams.pushes': ({ name }) => ({ pushes: streams.pushes(name) }),
    'streams.add_push': ({ name, ...push }, { by }) => addPush(services, name, push, by),
    'streams.change_push': ({ name, id, ...push }, { by }) => changePushes(services, name, [id], push, by),
    'streams.switch_pushes': async ({ name, ids, is_disabled: isDisabled }, { by }) => {
      // Planned times would undo what the caller does now.
      const fields = { disabled: isDisabled || null, start_at: null, stop_at: null };
      const { version } = await changePushes(services, name, ids, fields, by);
      return { version };
    },
    'streams.remove_push': ({ name, id }, { by }) => removePush(services, name, id, by),
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
