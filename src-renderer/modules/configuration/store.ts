import { defineStore } from 'pinia';
import type { CallOutput, ConfigWarning } from '../../../src-preload/contract/index.ts';
import type { ConfigImpact } from '../../../src-preload/contract/config-impact.ts';

interface ConfigurationState {
  /** What the text was made from; null before the server gave it. */
  base: CallOutput<'config.text'> | null;
  /** The text as the operator has it now. */
  text: string;
  errors: readonly ConfigWarning[];
  warnings: readonly ConfigWarning[];
  impact: ConfigImpact | null;
  /** The text that was judged; null before the first time. */
  judged: string | null;
}

/** The text that is edited. It stays while other pages are looked at. State and synchronous setters only. */
export const useConfigurationStore = defineStore('configuration', {
  state: (): ConfigurationState => ({ base: null, text: '', errors: [], warnings: [], impact: null, judged: null }),
  getters: {
    isChanged: (state) => state.base !== null && state.text !== state.base.text,
    isJudged: (state) => state.judged === state.text,
  },
  actions: {
    /** Begins with what is in force. */
    open(base: CallOutput<'config.text'>) {
      this.base = base;
      this.text = base.text;
      this.judged = null;
    },
    /** What is in force became another one; the text takes it as its ground. */
    rebase(base: CallOutput<'config.text'>, text: string) {
      this.base = base;
      this.text = text;
      this.judged = null;
    },
    setText(text: string) {
      this.text = text;
    },
    setJudgement(text: string, { errors, warnings, impact }: CallOutput<'config.check'>) {
      this.judged = text;
      this.errors = errors;
      this.warnings = warnings;
      this.impact = impact;
    },
  },
});
