import { ref, shallowRef, type Ref, type ShallowRef } from 'vue';
import type { CallInput } from '../../../src-preload/contract/index.ts';
import type { BanRow } from '../../../src-preload/contract/session-calls.ts';
import { useBridge } from '../../bridge.ts';
import { errorSentence } from '../../lib/error-advice.ts';

/** What the dialogs of bans show and do. */
export interface ShownBans {
  /** Those that hold, newest first; undefined before the first answer. */
  readonly bans: ShallowRef<readonly BanRow[] | undefined>;
  readonly failure: Ref<string>;
  ask(): Promise<void>;
  /** Returns whether it was done. */
  ban(wanted: CallInput<'sessions.ban'>): Promise<boolean>;
  lift(id: string): Promise<void>;
}

/** The bans of the server, inside a component. */
export function useBans(): ShownBans {
  const bridge = useBridge();
  const bans = shallowRef<readonly BanRow[]>();
  const failure = ref('');

  async function take(reply: ReturnType<typeof bridge.call<'sessions.bans'>>): Promise<boolean> {
    const answer = await reply;
    failure.value = answer.ok ? '' : errorSentence(answer.error);
    if (answer.ok) bans.value = answer.value.bans;
    return answer.ok;
  }

  return {
    bans,
    failure,
    ask: async () => void (await take(bridge.call('sessions.bans', {}))),
    ban: (wanted) => take(bridge.call('sessions.ban', wanted)),
    lift: async (id) => void (await take(bridge.call('sessions.unban', { id }))),
  };
}
