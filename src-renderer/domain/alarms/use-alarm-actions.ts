import type { AlarmObject } from '../../../src-preload/contract/api/alarm-object.ts';
import { useBridge } from '../../server/bridge.ts';
import { errorSentence } from '../../lib/error-advice.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import type { Confirmation } from './confirmations.ts';
import { useAlarmsStore } from './store.ts';
import { TEXTS } from './texts.ts';

/** Actions of an operator on alarms. */
export interface AlarmActions {
  acknowledge(alarms: readonly AlarmObject[], note: string): Promise<void>;
  /** Ends the cause of an alarm. */
  confirm(confirmation: Confirmation): Promise<void>;
  /** @param seconds 0 ends the shelving */
  shelve(alarm: AlarmObject, seconds: number): Promise<void>;
}

/** Alarm actions, for use inside a component; each shows its error. */
export function useAlarmActions(): AlarmActions {
  const bridge = useBridge();
  const store = useAlarmsStore();
  const toasts = useToastStore();

  async function refresh(failure: string | undefined): Promise<void> {
    if (failure !== undefined) toasts.show({ kind: 'error', text: `${TEXTS.failed} ${failure}`, durationMs: 8000 });
    const reply = await bridge.call('alarms.list', {});
    if (reply.ok) store.set(reply.value.alarms);
  }
  return {
    async acknowledge(alarms, note) {
      let failure: string | undefined;
      for (const { id } of alarms) {
        const reply = await bridge.call('alarms.acknowledge', note === '' ? { id } : { id, note });
        // An alarm that has ended in the meantime needs no acknowledgement.
        if (!reply.ok && reply.error.code !== 'alarm_not_found') failure = errorSentence(reply.error);
      }
      await refresh(failure);
    },
    async confirm({ call }) {
      const reply = await bridge.call(call, {});
      await refresh(reply.ok ? undefined : errorSentence(reply.error));
    },
    async shelve({ id }, seconds) {
      const reply = await bridge.call('alarms.shelve', { id, seconds });
      await refresh(reply.ok ? undefined : errorSentence(reply.error));
    },
  };
}
