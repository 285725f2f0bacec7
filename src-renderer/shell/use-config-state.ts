import { onScopeDispose, shallowRef, type ShallowRef } from 'vue';
import type { ConfigState } from '../../src-preload/contract/index.ts';
import { useBridge } from '../bridge.ts';
import { errorSentence } from '../lib/error-advice.ts';
import { useToastStore } from '../ui/toast-store.ts';

const POLL_MS = 5000;
const ERROR_MS = 12_000;

/** The configuration as a whole, and what an operator does to it from the desk. */
export interface ConfigActions {
  /** Null until the server has told. */
  readonly state: ShallowRef<ConfigState | null>;
  act(call: 'config.confirm' | 'config.rollback' | 'config.reload'): Promise<void>;
}

/** Asks for the state of the configuration from time to time, as long as the component lives. */
export function useConfigState(): ConfigActions {
  const bridge = useBridge();
  const toasts = useToastStore();
  const state = shallowRef<ConfigState | null>(null);

  async function ask(): Promise<void> {
    const reply = await bridge.call('config.state', {});
    if (reply.ok) state.value = reply.value;
  }

  async function act(call: 'config.confirm' | 'config.rollback' | 'config.reload'): Promise<void> {
    const reply = await bridge.call(call, {});
    if (!reply.ok) toasts.show({ kind: 'error', text: errorSentence(reply.error), lastsMs: ERROR_MS });
    await ask();
  }

  const timer = setInterval(() => void ask(), POLL_MS);
  const end = bridge.onInfo(() => void ask());
  void ask();
  onScopeDispose(() => {
    clearInterval(timer);
    end();
  });
  return { state, act };
}
