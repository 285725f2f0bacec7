import { ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue';
import type { CallOutput } from '../../../src-preload/contract/index.ts';
import { useCall } from '../../server/use-call.ts';
import { useConfigState } from '../../server/use-config-state.ts';

/** Version of the configuration. */
export type VersionRow = CallOutput<'config.versions'>['versions'][number];

/** Two texts and their titles. */
export interface Comparison {
  readonly title: string;
  readonly before: string;
  readonly after: string;
}

/** Loaded part of the history. */
export interface HistoryList {
  readonly versions: ShallowRef<readonly VersionRow[] | undefined>;
  readonly next: Ref<number | null>;
  /** Whether the last request failed. */
  readonly isFailed: Ref<boolean>;
  /** Loads the newest versions again. */
  reload(): Promise<void>;
  /** Loads older versions. */
  loadOlder(): Promise<void>;
  textOf(id: number): Promise<string | undefined>;
}

const PAGE_SIZE = 50;

/** Lists the history, newest first, and keeps it up to date. */
export function useHistory(): HistoryList {
  const call = useCall();
  const { state } = useConfigState();
  const versions = shallowRef<readonly VersionRow[]>();
  const next = ref<number | null>(null);
  const isFailed = ref(false);
  /** Number of the last list request; late answers to earlier requests are dropped. */
  let lastRequest = 0;

  async function load(before?: number): Promise<void> {
    const ownRequest = ++lastRequest;
    const reply = await call('config.versions', { limit: PAGE_SIZE, ...(before === undefined ? {} : { before }) });
    if (ownRequest !== lastRequest) return;
    isFailed.value = reply === undefined;
    if (!reply) return;
    versions.value = [...(before === undefined ? [] : (versions.value ?? [])), ...reply.versions];
    next.value = reply.next;
  }
  watch(
    () => [state.value?.version, state.value?.pending?.version],
    () => void load(),
    { immediate: true },
  );
  return {
    versions,
    next,
    isFailed,
    reload: () => load(),
    loadOlder: () => (next.value === null ? Promise.resolve() : load(next.value)),
    textOf: async (id) => (await call('config.version_text', { id }))?.text,
  };
}
