import { useIntervalFn } from '@vueuse/core';
import { shallowRef, type ShallowRef } from 'vue';
import { useBridge } from '../../../bridge.ts';
import { useArchiveStore } from '../store.ts';
import { shownOf } from '../time/time-scale.ts';
import type { ArchiveContext } from '../archive-context.ts';
import { breakMarks } from './break-marks.ts';
import type { Mark } from './marks.ts';

const HOUR_MS = 3_600_000;
/** Where more is shown splice points are not looked for: the server reads what it knows of a day. */
const MAX_SHOWN_MS = 20 * HOUR_MS;
const LOOK_MS = 700;
/** What is not over is asked for again after so long, in milliseconds. */
const AGAIN_MS = 5000;

/** Splice points of what the timeline shows, as long as the component lives. */
export function useBreakMarks(context: ArchiveContext): Readonly<ShallowRef<readonly Mark[]>> {
  const bridge = useBridge();
  const archive = useArchiveStore();
  const marks = shallowRef<readonly Mark[]>([]);
  let asked = { key: '', atMs: 0 };
  let isAsking = false;

  async function look(): Promise<void> {
    const { view } = context;
    if (isAsking || !view || document.hidden) return;
    const names = [...archive.names];
    const shown = shownOf(view.scale, view.width);
    const from = Math.floor(Math.max(0, shown.from) / HOUR_MS) * HOUR_MS;
    const to = Math.ceil(Math.max(shown.from + 1, shown.to) / HOUR_MS) * HOUR_MS;
    if (names.length === 0 || to - from > MAX_SHOWN_MS + 2 * HOUR_MS) return;
    const key = JSON.stringify([names, from, to]);
    const now = context.now();
    // What is over for a while stays.
    if (key === asked.key && (to + HOUR_MS < asked.atMs || now - asked.atMs < AGAIN_MS)) return;
    isAsking = true;
    const reply = await bridge.call('archive.splices', { names, from, to });
    isAsking = false;
    asked = { key, atMs: now };
    if (reply.ok) marks.value = breakMarks(reply.value.splices);
  }
  useIntervalFn(() => void look(), LOOK_MS);
  return marks;
}
