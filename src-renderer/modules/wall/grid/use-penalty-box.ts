import { useIntervalFn } from '@vueuse/core';
import { computed, ref, watch } from 'vue';
import { ALARM_SEVERITIES } from '../../../../src-preload/contract/api/alarm-object.ts';
import { useAlarmsStore } from '../../../domain/alarms/store.ts';
import { useWallStore } from '../store.ts';
import { nextBox, type PenaltyBox } from './penalty-box.ts';

/** Interval at which the return of tiles is checked, in milliseconds. */
const CHECK_MS = 1_000;

/** Moves tiles of streams with alarms into the penalty box, if the layout has one. Alarms of severity info do not count. */
export function usePenaltyBox(): void {
  const wall = useWallStore();
  const alarms = useAlarmsStore();
  const box = ref<PenaltyBox>([]);
  const count = computed(() => wall.shape.cells.filter(({ tile }) => tile.kind === 'penalty').length);
  const alarmed = computed(() => {
    const present = new Set(wall.present);
    const mostSevere = [...alarms.byStream].map(([name, [alarm]]) => [name, alarm?.severity ?? 'info'] as const);
    return new Map(
      mostSevere
        .filter(([name, severity]) => severity !== 'info' && present.has(name))
        .map(([name, severity]) => [name, ALARM_SEVERITIES.indexOf(severity)]),
    );
  });
  function update(): void {
    if (count.value === 0 && box.value.length === 0) return;
    box.value = nextBox(box.value, alarmed.value, count.value, performance.now());
    const boxed = box.value.map((one) => one?.stream ?? null);
    if (boxed.join() !== wall.boxed.join()) wall.setBoxed(boxed);
  }
  watch([alarmed, count], update, { immediate: true });
  useIntervalFn(update, CHECK_MS);
}
