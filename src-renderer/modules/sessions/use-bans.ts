import { ref, shallowRef, type Ref, type ShallowRef } from 'vue';
import type { CallInput } from '../../../src-preload/contract/index.ts';
import type { BanRow } from '../../../src-preload/contract/operations/session-calls.ts';
import { useBridge } from '../../server/bridge.ts';
import { errorSentence } from '../../lib/error-advice.ts';

/** State and actions of the ban dialogs. */
export interface ShownBans {
  /** Active bans, newest first; undefined before the first answer. */
  readonly bans: ShallowRef<readonly BanRow[] | undefined>;
  readonly failure: Ref<string>;
  load(): Promise<void>;
  /** Returns whether the ban was set. */
  ban(input: CallInput<'sessions.ban'>): Promise<boolean>;
  lift(id: string): Promise<void>;
}

/** Bans of the server, for use inside a component. */
export function useBans(): ShownBans {
  const bridge = useBridge();
  const bans = shallowRef<readonly BanRow[]>();
  const failure = ref('');

  async function applyReply(reply: ReturnType<typeof bridge.call<'sessions.bans'>>): Promise<boolean> {
    const answer = await reply;
    failure.value = answer.ok ? '' : errorSentence(answer.error);
    if (answer.ok) bans.value = answer.value.bans;
    return answer.ok;
  }

  return {
    bans,
    failure,
    load: async () => void (await applyReply(bridge.call('sessions.bans', {}))),
    ban: (input) => applyReply(bridge.call('sessions.ban', input)),
    lift: async (id) => void (await applyReply(bridge.call('sessions.unban', { id }))),
  };
}
