import type { SUBSCRIBER_CALLS } from '../../../src-preload/contract/api/subscribers/subscriber-calls.ts';
import type { CallInput, CallOutput } from '../../../src-preload/contract/index.ts';
import { useBridge } from '../../bridge.ts';
import { errorSentence } from '../../lib/error-advice.ts';
import { useToastStore } from '../../ui/toast-store.ts';

/** Makes a call about portals or subscribers. What fails is shown, and gives undefined. */
export type PortalCall = <N extends keyof typeof SUBSCRIBER_CALLS>(
  name: N,
  input: CallInput<N>,
) => Promise<CallOutput<N> | undefined>;

/** The calls of this page, inside a component. */
export function usePortalCall(): PortalCall {
  const bridge = useBridge();
  const toasts = useToastStore();
  return async (name, input) => {
    const reply = await bridge.call(name, input);
    if (reply.ok) return reply.value;
    toasts.show({ kind: 'error', text: errorSentence(reply.error), lastsMs: 10_000 });
    return undefined;
  };
}
