import { useDebounceFn } from '@vueuse/core';
import { ref, watch, type Ref } from 'vue';
import { useBridge } from '../../server/bridge.ts';
import { errorSentence } from '../../lib/error-advice.ts';
import { TEXTS } from './editor/texts.ts';
import { useConfigurationStore } from './store.ts';

/** Delay after the last key press before the text is checked. */
const QUIET_MS = 350;
/** Maximum size of a text, as bytes of JSON; the server accepts no longer message. */
const MAX_BYTES = 3_900_000;
/** Shorter texts are not measured. */
const UNMEASURED_LENGTH = 600_000;

/** State of the check. */
export interface TextCheck {
  readonly isChecking: Ref<boolean>;
  /** Reason why the check failed; empty after a success. */
  readonly failure: Ref<string>;
}

/** Lets the server check the text after each change: one request at a time, and only for the newest text. */
export function useTextCheck(): TextCheck {
  const bridge = useBridge();
  const store = useConfigurationStore();
  const isChecking = ref(false);
  const failure = ref('');

  async function check(): Promise<void> {
    if (isChecking.value) return;
    isChecking.value = true;
    while (store.base !== null && !store.isChecked) {
      const { text } = store;
      if (isTooLong(text)) {
        failure.value = TEXTS.tooLong;
        break;
      }
      const reply = await bridge.call('config.check', { text });
      failure.value = reply.ok ? '' : errorSentence(reply.error);
      if (!reply.ok) break;
      // A result for an outdated text is dropped, and the new text checked.
      if (text === store.text) store.setCheckResult(text, reply.value);
    }
    isChecking.value = false;
  }
  const later = useDebounceFn(check, QUIET_MS);
  watch(
    () => store.text,
    () => void later(),
  );
  watch(
    () => store.base,
    () => void check(),
    { immediate: true },
  );
  return { isChecking, failure };
}

function isTooLong(text: string): boolean {
  return text.length > UNMEASURED_LENGTH && new TextEncoder().encode(JSON.stringify(text)).length > MAX_BYTES;
}
