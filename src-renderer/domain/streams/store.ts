import { defineStore } from 'pinia';
import { shallowRef, computed, ref } from 'vue';
import type { ErrorValue, StreamState } from '../../../src-preload/contract/index.ts';
import { conditionOf, isTrouble } from './stream-condition.ts';

/** Last known state of a stream, and its time. */
export interface StreamReport {
  readonly state: StreamState;
  /** Time of the last message about the stream on the clock of the page (`performance.now()`), in milliseconds. */
  readonly receivedAtMs: number;
}

/** State of the stream list: not loaded, loaded, or refused. */
export type ListPhase = 'loading' | 'ready' | 'failed';

/** All streams of the server as last reported. State and synchronous setters only. */
export const useStreamsStore = defineStore('streams', () => {
  const byName = shallowRef<ReadonlyMap<string, StreamReport>>(new Map());
  const phase = ref<ListPhase>('loading');
  const failure = shallowRef<ErrorValue | null>(null);
  /** Streams that are being removed or restarted. */
  const busy = shallowRef<ReadonlySet<string>>(new Set());

  const isAddOpen = ref(false);

  const names = computed(() => [...byName.value.keys()]);
  /** Number of streams that should run: neither disabled nor archive only. */
  const expectedCount = computed(
    () => [...byName.value.values()].filter(({ state }) => !state.is_disabled && !state.is_archive_only).length,
  );
  const aliveCount = computed(() => [...byName.value.values()].filter((report) => report.state.alive).length);

  /** Whether a stream needs the operator; waiting for an encoder does not count. */
  const hasTrouble = computed(() =>
    [...byName.value.values()].some(({ state }) => isTrouble(conditionOf(state, state.ts_delay))),
  );

  /** True if a stream has audio. */
  function isAudible(name: string): boolean {
    const tracks = byName.value.get(name)?.state.media_info?.tracks ?? [];
    return tracks.some(({ content }) => content === 'audio');
  }

  function apply(
    message: {
      readonly is_snapshot: boolean;
      readonly changed: readonly StreamState[];
      readonly removed: readonly string[];
    },
    receivedAtMs: number,
  ): void {
    const next = new Map(message.is_snapshot ? [] : byName.value);
    for (const state of message.changed) next.set(state.name, { state, receivedAtMs });
    for (const name of message.removed) next.delete(name);
    byName.value = next;
    if (message.is_snapshot) {
      phase.value = 'ready';
      failure.value = null;
    }
  }

  function setFailure(error: ErrorValue): void {
    failure.value = error;
    if (phase.value === 'loading') phase.value = 'failed';
  }

  function setBusy(names: readonly string[], isBusy: boolean): void {
    const next = new Set(busy.value);
    for (const name of names)
      if (isBusy) next.add(name);
      else next.delete(name);
    busy.value = next;
  }

  function setAddOpen(isOpen: boolean): void {
    isAddOpen.value = isOpen;
  }

  return {
    byName,
    phase,
    failure,
    busy,
    isAddOpen,
    names,
    aliveCount,
    expectedCount,
    hasTrouble,
    isAudible,
    apply,
    setFailure,
    setBusy,
    setAddOpen,
  };
});

/** The server reports running streams once a second; the age of the last frame grows only when a report is overdue. */
const REPORT_INTERVAL_MS = 1_200;

/** Present age of the last frame in milliseconds; null before the first frame. */
export function frameAgeMs(report: StreamReport, nowMs: number): number | null {
  if (report.state.ts_delay === null) return null;
  const silentMs = nowMs - report.receivedAtMs;
  return report.state.ts_delay + Math.max(0, report.state.alive ? silentMs - REPORT_INTERVAL_MS : silentMs);
}
