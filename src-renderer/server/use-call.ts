import type { CallInput, CallName, CallOutput } from '../../src-preload/contract/index.ts';
import { useBridge } from './bridge.ts';
import { errorSentence } from '../lib/error-advice.ts';
import { useToastStore } from '../ui/toast-store.ts';

/** Calls the server. If the call fails, shows the error to the operator and returns undefined. */
export type ShownCall = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallOutput<N> | undefined>;

/** Calls whose errors are shown, for use inside a component. */
export function useCall(): ShownCall {
  const bridge = useBridge();
  const toasts = useToastStore();
  return async (name, input) => {
    const reply = await bridge.call(name, input);
    if (reply.ok) return reply.value;
    toasts.show({ kind: 'error', text: errorSentence(reply.error), durationMs: 10_000 });
    return undefined;
  };
}
