import { useIntervalFn } from '@vueuse/core';
import { shallowRef, type ShallowRef } from 'vue';
import { useBridge } from '../../../server/bridge.ts';
import { useServerStore } from '../../../server/server-store.ts';
import type { ArchiveContext } from '../play/archive-context.ts';
import { useArchiveStore } from '../store.ts';
import { shownOf } from '../time-scale.ts';
import type { LoudnessCurve } from './loudness-curve.ts';

/** Interval at which the visible range is checked, in milliseconds, and number of checks after which it is loaded again. */
const CHECK_MS = 500;
const RELOAD_CHECKS = 10;
/** Retention of loudness, in milliseconds: older data is not requested. */
const RETENTION_MS = 26 * 3_600_000;
/** Width of a step, in pixels. */
const STEP_PX = 2;
const MAX_POINTS = 2000;
/** Number of checks after which a stream without loudness is requested again. */
const NONE_CHECKS = 120;

/** Loudness of the visible range by stream, while the component is mounted. Streams without loudness are absent. */
export function useLoudness(context: ArchiveContext): Readonly<ShallowRef<ReadonlyMap<string, LoudnessCurve>>> {
  const bridge = useBridge();
  const archive = useArchiveStore();
  const server = useServerStore();
  const curves = shallowRef<ReadonlyMap<string, LoudnessCurve>>(new Map());
  /** Streams without loudness, and the check at which each is requested again. */
  const none = new Map<string, number>();
  let shownKey = '';
  let check = 0;
  let isRequesting = false;

  async function load(from: number, to: number, points: number): Promise<void> {
    const found = new Map<string, LoudnessCurve>();
    for (const name of archive.names) {
      if ((none.get(name) ?? 0) > check) continue;
      const reply = await bridge.call('archive.loudness', { name, from, to, points });
      if (reply.ok && reply.value.high.some((level) => level !== null)) found.set(name, reply.value);
      // A stream without loudness in this range is requested again with the next range. A stream without any loudness is
      // requested less often.
      else if (!reply.ok) none.set(name, check + NONE_CHECKS);
    }
    curves.value = found;
  }

  async function checkView(): Promise<void> {
    const { view } = context;
    if (isRequesting || !view || document.hidden || server.link.phase !== 'live') return;
    check++;
    const shown = shownOf(view.scale, view.width);
    const from = Math.floor(Math.max(shown.from, context.now() - RETENTION_MS));
    const to = Math.ceil(Math.min(shown.to, context.now()));
    if (from >= to) return void (curves.value = curves.value.size === 0 ? curves.value : new Map());
    const key = `${archive.names.join()} ${view.scale.startMs} ${view.scale.msPerPx} ${view.width}`;
    if (key === shownKey && check % RELOAD_CHECKS !== 0) return;
    shownKey = key;
    isRequesting = true;
    const share = (to - from) / (shown.to - shown.from);
    await load(from, to, Math.max(1, Math.min(MAX_POINTS, Math.round((share * view.width) / STEP_PX))));
    isRequesting = false;
  }
  useIntervalFn(() => void checkView(), CHECK_MS);
  return curves;
}
