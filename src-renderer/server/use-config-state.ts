import { createSharedComposable } from '@vueuse/core';
import { shallowRef, type ShallowRef } from 'vue';
import type { ConfigFileDiff, ConfigState, ConfigWarning, ErrorValue } from '../../src-preload/contract/index.ts';
import { useBridge } from './bridge.ts';
import { errorSentence } from '../lib/error-advice.ts';
import { useToastStore } from '../ui/toast-store.ts';
import { useServerStore } from './server-store.ts';
import { useBridgeFeed } from './use-bridge-feed.ts';

const ERROR_MS = 12_000;

/** State of the configuration, and the actions of an operator on it. */
export interface ConfigActions {
  /** Null before the first answer. */
  readonly state: ShallowRef<ConfigState | null>;
  /** Asks for the state at once, after an action of this desk. */
  refresh(): Promise<void>;
  /** Returns whether the action succeeded; an error is shown. */
  act(call: 'config.confirm' | 'config.rollback' | 'config.reload'): Promise<boolean>;
  /** Directives without effect in the last file that was read; empty after dismissal. */
  readonly warnings: ShallowRef<readonly ConfigWarning[]>;
  dismissWarnings(): void;
  /** Difference between the file and the running configuration; undefined after an error, which is shown. */
  compareFile(): Promise<ConfigFileDiff | undefined>;
}

/** True if the file on disk has changed since the server read it: reading it again solves the error. */
export function isFileChangedError({ code }: Pick<ErrorValue, 'code'>): boolean {
  return code === 'config_file_changed' || code === 'config_file_broken';
}

/**
 * Asks for the state of the configuration with every heartbeat while a component uses it. A login that is limited to some streams
 * does not get it.
 */
export const useConfigState = createSharedComposable((): ConfigActions => {
  const bridge = useBridge();
  const toasts = useToastStore();
  const state = shallowRef<ConfigState | null>(null);

  const warnings = shallowRef<readonly ConfigWarning[]>([]);

  async function load(): Promise<void> {
    const reply = await bridge.call('config.state', {});
    if (reply.ok) state.value = reply.value;
  }

  function fail(error: ErrorValue): void {
    toasts.show({ kind: 'error', text: errorSentence(error), durationMs: ERROR_MS });
  }

  async function act(call: 'config.confirm' | 'config.rollback' | 'config.reload'): Promise<boolean> {
    const reply = await bridge.call(call, {});
    if (!reply.ok) fail(reply.error);
    else if (call === 'config.reload') warnings.value = ('warnings' in reply.value && reply.value.warnings) || [];
    await load();
    return reply.ok;
  }

  async function compareFile(): Promise<ConfigFileDiff | undefined> {
    const reply = await bridge.call('config.compare_file', {});
    if (reply.ok) return reply.value;
    fail(reply.error);
    return undefined;
  }

  useBridgeFeed({
    info: ({ prefixes }) => {
      if (prefixes === undefined) void load();
    },
  });
  // Before the login is known, the answer to the first heartbeat loads the state.
  const { info } = useServerStore();
  if (info !== null && info.prefixes === undefined) void load();
  return { state, refresh: load, warnings, dismissWarnings: () => (warnings.value = []), act, compareFile };
});
