import { useIntervalFn } from '@vueuse/core';
import { shallowRef, type ShallowRef } from 'vue';
import { useBridge } from '../../../server/bridge.ts';
import { useArchiveStore } from '../store.ts';
import { shownOf } from '../time-scale.ts';
import type { ArchiveContext } from '../play/archive-context.ts';
import { breakMarks } from './break-marks.ts';
import type { Mark } from '../../../domain/archive/marks.ts';

const HOUR_MS = 3_600_000;
/** Maximum visible range for which splice points are loaded, in milliseconds: the server would have to read whole days. */
const MAX_SHOWN_MS = 20 * HOUR_MS;
const CHECK_MS = 700;
/** Interval at which an unfinished break is loaded again, in milliseconds. */
const RELOAD_MS = 5000;

/** Splice points of the visible range, while the component is mounted. */
export function useBreakMarks(context: ArchiveContext): Readonly<ShallowRef<readonly Mark[]>> {
  const bridge = useBridge();
  const archive = useArchiveStore();
  const marks = shallowRef<readonly Mark[]>([]);
  let lastRequest = { key: '', atMs: 0 };
  let isRequesting = false;

  async function load(): Promise<void> {
    const { view } = context;
    if (isRequesting || !view || document.hidden) return;
    const names = [...archive.names];
    const shown = shownOf(view.scale, view.width);
    const from = Math.floor(Math.max(0, shown.from) / HOUR_MS) * HOUR_MS;
    const to = Math.ceil(Math.max(shown.from + 1, shown.to) / HOUR_MS) * HOUR_MS;
    if (names.length === 0 || to - from > MAX_SHOWN_MS + 2 * HOUR_MS) return;
    const key = JSON.stringify([names, from, to]);
    const now = context.now();
    // A range that ended some time ago does not change any more.
    if (key === lastRequest.key && (to + HOUR_MS < lastRequest.atMs || now - lastRequest.atMs < RELOAD_MS)) return;
    isRequesting = true;
    const reply = await bridge.call('archive.splices', { names, from, to });
    isRequesting = false;
    lastRequest = { key, atMs: now };
    if (reply.ok) marks.value = breakMarks(reply.value.splices);
  }
  useIntervalFn(() => void load(), CHECK_MS);
  return marks;
}
