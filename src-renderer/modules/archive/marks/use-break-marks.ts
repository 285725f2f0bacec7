import { useIntervalFn } from '@vueuse/core';
import { shallowRef, type ShallowRef } from 'vue';
import { useArchiveStore } from '../store.ts';
import { shownOf } from '../time/time-scale.ts';
import type { ArchiveContext } from '../archive-context.ts';
import { breakMarks, recordedHours } from './break-marks.ts';
import type { Mark } from './marks.ts';

const HOUR_SECONDS = 3600;
/** Where more than so many hours are shown splice points are not looked for: each is some hundred kilobytes. */
const MOST_HOURS = 4;
/** Hours that are remembered. */
const MOST_KEPT = 200;
const LOOK_MS = 700;
/** An hour that is not over is read again after so long, in milliseconds. */
const AGAIN_MS = 15_000;

/** Splice points of what the timeline shows, hour by hour, as long as the component lives. */
export function useBreakMarks(context: ArchiveContext): Readonly<ShallowRef<readonly Mark[]>> {
  const archive = useArchiveStore();
  const marks = shallowRef<readonly Mark[]>([]);
  const hours = new Map<string, { readonly readMs: number; readonly marks: readonly Mark[] }>();
  let isReading = false;

  async function read(name: string, from: number): Promise<boolean> {
    const key = `${name} ${from}`;
    const known = hours.get(key);
    const isOver = known !== undefined && known.readMs > (from + HOUR_SECONDS + 60) * 1000;
    if (isOver || (known && context.now() - known.readMs < AGAIN_MS)) return false;
    const readMs = context.now();
    const answer = await fetch(context.addressOf(name, `archive-${from}-${HOUR_SECONDS}.json`)).catch(() => undefined);
    const manifest: unknown = answer?.ok === true ? await answer.json().catch(() => undefined) : undefined;
    hours.delete(key);
    hours.set(key, { readMs, marks: breakMarks(name, manifest) });
    const [oldest] = hours.keys();
    if (hours.size > MOST_KEPT && oldest !== undefined) hours.delete(oldest);
    return true;
  }

  async function look(): Promise<void> {
    const { view } = context;
    if (isReading || !view || document.hidden) return;
    const shown = shownOf(view.scale, view.width);
    if (shown.to - shown.from > MOST_HOURS * HOUR_SECONDS * 1000) return;
    isReading = true;
    let isNew = false;
    for (const name of archive.names)
      for (const from of recordedHours(archive.recorded.get(name) ?? [], shown, context.now()))
        isNew = (await read(name, from)) || isNew;
    isReading = false;
    if (!isNew) return;
    const names = new Set(archive.names);
    marks.value = [...hours.values()].flatMap((hour) => hour.marks.filter(({ name }) => names.has(name)));
  }
  useIntervalFn(() => void look(), LOOK_MS);
  return marks;
}
