import { useIntervalFn } from '@vueuse/core';
import { shallowRef, type ShallowRef } from 'vue';
import { useArchiveStore } from '../store.ts';
import { shownOf } from '../time/time-scale.ts';
import type { ArchiveContext } from '../archive-context.ts';
import { useStreamsStore } from '../../streams/store.ts';
import { breakMarks, hourManifests, type HourManifest } from './break-marks.ts';
import type { Mark } from './marks.ts';

const HOUR_MS = 3_600_000;
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
  const streams = useStreamsStore();
  const marks = shallowRef<readonly Mark[]>([]);
  const hours = new Map<string, { readonly readMs: number; readonly marks: readonly Mark[] }>();
  let isReading = false;

  async function read(name: string, { hourMs, file }: HourManifest): Promise<boolean> {
    const key = `${name} ${hourMs}`;
    const known = hours.get(key);
    const isOver = known !== undefined && known.readMs > hourMs + HOUR_MS + 60_000;
    if (isOver || (known && context.now() - known.readMs < AGAIN_MS)) return false;
    const readMs = context.now();
    const answer = await fetch(context.addressOf(name, file)).catch(() => undefined);
    const manifest: unknown = answer?.ok === true ? await answer.json().catch(() => undefined) : undefined;
    // The live window has what was before the hour, too.
    const own = breakMarks(name, manifest).filter(({ from }) => from >= hourMs);
    hours.delete(key);
    hours.set(key, { readMs, marks: own });
    const [oldest] = hours.keys();
    if (hours.size > MOST_KEPT && oldest !== undefined) hours.delete(oldest);
    return true;
  }

  async function look(): Promise<void> {
    const { view } = context;
    if (isReading || !view || document.hidden) return;
    const shown = shownOf(view.scale, view.width);
    if (shown.to - shown.from > MOST_HOURS * HOUR_MS) return;
    isReading = true;
    let isNew = false;
    for (const name of archive.names) {
      const isOnAir = streams.byName.get(name)?.state.status === 'running';
      for (const hour of hourManifests(archive.recorded.get(name) ?? [], shown, { nowMs: context.now(), isOnAir }))
        isNew = (await read(name, hour)) || isNew;
    }
    isReading = false;
    if (!isNew) return;
    const names = new Set(archive.names);
    marks.value = [...hours.values()].flatMap((hour) => hour.marks.filter(({ name }) => names.has(name)));
  }
  useIntervalFn(() => void look(), LOOK_MS);
  return marks;
}
