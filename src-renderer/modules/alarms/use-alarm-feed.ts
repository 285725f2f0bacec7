import { onScopeDispose } from 'vue';
import type { ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';
import { useBridge } from '../../server/bridge.ts';
import { useBridgeFeed } from '../../server/use-bridge-feed.ts';
import { useAlarmsStore } from '../../domain/alarms/store.ts';

/** Minimum time between two requests, in milliseconds. */
const MIN_INTERVAL_MS = 300;

/** Loads the alarms, and loads them again after each change, while the component is mounted. */
export function useAlarmFeed(): void {
  const bridge = useBridge();
  const alarms = useAlarmsStore();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function load(): Promise<void> {
    const reply = await bridge.call('alarms.list', {});
    if (reply.ok) alarms.set(reply.value.alarms);
  }
  function loadSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      void load();
    }, MIN_INTERVAL_MS);
  }
  onScopeDispose(() => clearTimeout(timer));
  useBridgeFeed({
    link: ({ phase }) => {
      if (phase === 'live') void load();
    },
    topics: {
      events: ({ events, is_snapshot: isSnapshot, skipped }) => {
        if (!isSnapshot && (skipped > 0 || events.some(isOfAlarms))) loadSoon();
      },
    },
  });
}

/** True for events after which alarms may differ: changes of alarms, and actions of other operators. */
function isOfAlarms({ event, path }: ServerEvent): boolean {
  return event.startsWith('alarm_') || (event === 'api_call' && typeof path === 'string' && /\balarms\b/.test(path));
}
