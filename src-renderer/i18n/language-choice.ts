import { useLocalStorage, usePreferredLanguages } from '@vueuse/core';
import { computed, watchEffect, type Ref } from 'vue';
import { i18n, type Language } from './i18n.ts';

/** Language that the operator wants: one of those of the desk, or what the system has. */
export type LanguageChoice = Language | 'system';

/** The choice, kept in this browser or window. */
export function useLanguageChoice(): Ref<LanguageChoice> {
  return useLocalStorage<LanguageChoice>('airdesk-language', 'system');
}

/** Shows the desk in the language of the choice for as long as the component is there. English where the system has neither. */
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
