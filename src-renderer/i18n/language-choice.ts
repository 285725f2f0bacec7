import { useLocalStorage, usePreferredLanguages } from '@vueuse/core';
import { computed, watchEffect, type Ref } from 'vue';
import { i18n, type Language } from './i18n.ts';

/** Language choice of the operator: a language of the desk, or that of the system. */
export type LanguageChoice = Language | 'system';

/** Language choice, stored in this browser or window. */
export function useLanguageChoice(): Ref<LanguageChoice> {
  return useLocalStorage<LanguageChoice>('airdesk-language', 'system');
}

/** Applies the chosen language while the component is mounted. English if the system language is not available. */
export function useLanguage(): void {
  const choice = useLanguageChoice();
  const system = usePreferredLanguages();
  const language = computed<Language>(() => {
    if (choice.value === 'en' || choice.value === 'de') return choice.value;
    const known = system.value.map((one) => one.slice(0, 2).toLowerCase()).find((one) => one === 'en' || one === 'de');
    return known === 'de' ? 'de' : 'en';
  });
  watchEffect(() => {
    i18n.global.locale.value = language.value;
    document.documentElement.lang = language.value;
  });
}
