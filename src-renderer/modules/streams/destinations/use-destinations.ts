import { ref } from 'vue';
import { useCall } from '../../../server/use-call.ts';
import { TEXTS } from '../../../ui/texts.ts';
import { useToastStore } from '../../../ui/toast-store.ts';
import type { Plan } from './plan.ts';

const UNDO_MS = 20_000;

/** Changes of the destinations of a stream, for use inside a component. Destinations are named by the ids of their pushes. */
export function useDestinations(stream: () => string) {
  const call = useCall();
  const toasts = useToastStore();
  const isBusy = ref(false);

  /** Makes a change, and offers to undo it. @returns whether it is in force */
  async function change(work: () => Promise<ChangedPushes | undefined>, doneText: string): Promise<boolean> {
    if (isBusy.value) return false;
    isBusy.value = true;
    try {
      const done = await work();
      if (!done) return false;
      const { version } = done;
      const undo =
        version === null ? {} : { action: { label: TEXTS.undo, run: () => void call('config.undo', { version }) } };
      toasts.show({ kind: 'info', text: doneText, durationMs: UNDO_MS, ...undo });
      return true;
    } finally {
      isBusy.value = false;
    }
  }

  return {
    isBusy,
    add: (url: string, doneText: string): Promise<boolean> =>
      change(() => call('streams.add_push', { name: stream(), url }), doneText),
    remove: (id: string, doneText: string): Promise<boolean> =>
      change(() => call('streams.remove_push', { name: stream(), id }), doneText),
    /** Stores the planned times of a destination, and whether it is switched off. */
    plan(
      id: string,
      { startAtMs, stopAtMs, isOff }: Plan & { readonly isOff: boolean },
      doneText: string,
    ): Promise<boolean> {
      const times = { start_at: isoOrNull(startAtMs), stop_at: isoOrNull(stopAtMs) };
      return change(
        () => call('streams.change_push', { name: stream(), id, ...times, disabled: isOff ? true : null }),
        doneText,
      );
    },
    /** Starts or stops destinations now, all in one change. Their planned times are removed. */
    switchTo: (isOn: boolean, ids: readonly string[], doneText: string): Promise<boolean> =>
      change(() => call('streams.switch_pushes', { name: stream(), ids: [...ids], is_disabled: !isOn }), doneText),
  };
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** Answer to a change: version of the configuration for an undo; null if nothing changed. */
interface ChangedPushes {
  readonly version: number | null;
}
