import { defineStore } from 'pinia';
import type { CallOutput, ConfigWarning } from '../../../src-preload/contract/index.ts';
import type { ConfigImpact } from '../../../src-preload/contract/operations/config-impact.ts';

interface ConfigurationState {
  /** Running configuration that the text is based on; null before the server sent it. */
  base: CallOutput<'config.text'> | null;
  /** Text as the operator has edited it. */
  text: string;
  errors: readonly ConfigWarning[];
  warnings: readonly ConfigWarning[];
  impact: ConfigImpact | null;
  /** Last checked text; null before the first check. */
  checkedText: string | null;
}

/** Edited configuration text. It is kept while other pages are open. State and synchronous setters only. */
export const useConfigurationStore = defineStore('configuration', {
  state: (): ConfigurationState => ({
    base: null,
    text: '',
    errors: [],
    warnings: [],
    impact: null,
    checkedText: null,
  }),
  getters: {
    isChanged: (state) => state.base !== null && state.text !== state.base.text,
    isChecked: (state) => state.checkedText === state.text,
  },
  actions: {
    /** Starts with the running configuration. */
    open(base: CallOutput<'config.text'>) {
      this.base = base;
      this.text = base.text;
      this.checkedText = null;
    },
    /** Replaces the base and the text after a change of the running configuration. */
    rebase(base: CallOutput<'config.text'>, text: string) {
      this.base = base;
      this.text = text;
      this.checkedText = null;
    },
    setText(text: string) {
      this.text = text;
    },
    setCheckResult(text: string, { errors, warnings, impact }: CallOutput<'config.check'>) {
      this.checkedText = text;
      this.errors = errors;
      this.warnings = warnings;
      this.impact = impact;
    },
  },
});
