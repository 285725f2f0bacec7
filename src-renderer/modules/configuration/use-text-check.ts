import { useDebounceFn } from '@vueuse/core';
import { ref, watch, type Ref } from 'vue';
import { useBridge } from '../../bridge.ts';
import { errorSentence } from '../../lib/error-advice.ts';
import { TEXTS } from './texts.ts';
import { useConfigurationStore } from './store.ts';

/** The text is judged when nothing was typed for so long. */
const QUIET_MS = 350;
/** Longest text that is sent, as bytes of JSON; the server takes no longer message. */
const MAX_BYTES = 3_900_000;
/** Shorter ones are not measured. */
const SURE_LENGTH = 600_000;

/** What the judgement of the text is at. */
export interface TextCheck {
  readonly isChecking: Ref<boolean>;
  /** Why the text could not be judged; empty while it could. */
  readonly failure: Ref<string>;
}

/** Has the server judge the text whenever it changes, one text at a time and the newest only. */
export function useTextCheck(): TextCheck {
  const bridge = useBridge();
  const store = useConfigurationStore();
  const isChecking = ref(false);
  const failure = ref('');

  async function check(): Promise<void> {
    if (isChecking.value) return;
    isChecking.value = true;
    while (store.base !== null && !store.isJudged) {
      const { text } = store;
      if (isTooLong(text)) {
        failure.value = TEXTS.tooLong;
        break;
      }
      const reply = await bridge.call('config.check', { text });
      failure.value = reply.ok ? '' : errorSentence(reply.error);
      if (!reply.ok) break;
      // What was judged too late is judged again.
      if (text === store.text) store.setJudgement(text, reply.value);
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
  return text.length > SURE_LENGTH && new TextEncoder().encode(JSON.stringify(text)).length > MAX_BYTES;
}
