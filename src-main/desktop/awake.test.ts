import { expect, it } from 'vitest';
import { KeepAwake } from './awake.ts';

it('KeepAwake keeps the screen on for a wall, and the system awake for live streams', () => {
  const blockers = new Map<number, string>();
  let next = 0;
  const starts: string[] = [];
  const awake = new KeepAwake({
    start(kind) {
      starts.push(kind);
      blockers.set(++next, kind);
      return next;
    },
    stop: (id) => void blockers.delete(id),
  });
  const holds = (isWallShown: boolean, isOnAir: boolean): string[] => {
    awake.set({ isWallShown, isOnAir });
    return [...blockers.values()];
  };
  expect(holds(false, false)).toEqual([]);
  expect(holds(false, true)).toEqual(['prevent-app-suspension']);
  expect(holds(true, true)).toEqual(['prevent-display-sleep']);
  expect(holds(true, false)).toEqual(['prevent-display-sleep']);
  expect(holds(false, false)).toEqual([]);
  expect(starts).toHaveLength(2);
});
