import { watchDebounced } from '@vueuse/core';
import { shallowRef, type ShallowRef } from 'vue';
import type { AlarmObject } from '../../../src-preload/contract/api/alarm-object.ts';
import { useAlarmsStore } from '../../domain/alarms/store.ts';
import { useBridge } from '../../server/bridge.ts';
import { useServerStore } from '../../server/server-store.ts';

/** Age of the oldest alarm that is loaded, in milliseconds: one shift of operators. */
const SHIFT_MS = 12 * 3_600_000;
const MAX_ALARMS = 500;
/** Alarms that are raised together are loaded together. */
const DEBOUNCE = { debounce: 500, maxWait: 5000, immediate: true };

/**
 * Alarms of the last 12 hours, newest first, while the component is mounted. The list of active alarms has only the newest alarm of
 * each condition.
 */
export function useEarlierAlarms(): Readonly<ShallowRef<readonly AlarmObject[]>> {
  const bridge = useBridge();
  const server = useServerStore();
  const alarms = useAlarmsStore();
  const earlier = shallowRef<readonly AlarmObject[]>([]);

  watchDebounced(
    () => (server.link.phase === 'live' ? alarms.alarms.map(({ id }) => id).join() : ''),
    async (ids) => {
      if (ids === '') return;
      const from = Date.now() + server.clockOffsetMs - SHIFT_MS;
      const reply = await bridge.call('alarms.history', { limit: MAX_ALARMS, from });
      if (reply.ok) earlier.value = reply.value.alarms;
    },
    DEBOUNCE,
  );
  return earlier;
}
