import { computed, ref, watch } from 'vue';
import type { ComputedRef, Ref } from 'vue';
import {
  WALL_OVERLAYS,
  type WallCell,
  type WallLayout,
  type WallOverlay,
  type WallTile,
} from '../../../../src-preload/contract/operations/wall-calls.ts';
import { cellBeside, cellsOf } from '../layout/placing.ts';
import { OVERLAY_KEYS, toggleOverlay as toggledOn } from '../layout/cell-overlays.ts';
import { useWallStore } from '../store.ts';
import * as edit from './cell-edit.ts';
import type { Place } from './cell-edit.ts';

/** Layout in the editor, and the selected position. */
export interface LayoutEditor {
  readonly layout: ComputedRef<WallLayout>;
  readonly cells: ComputedRef<readonly WallCell[]>;
  readonly free: ComputedRef<readonly Place[]>;
  /** Selected cell; undefined if a free position is selected. */
  readonly cell: ComputedRef<WallCell | undefined>;
  readonly place: Readonly<Ref<Place>>;
  choose(place: Place): void;
  drop(cell: WallCell, place: Place): void;
  span(cell: WallCell, w: number, h: number): void;
  setTile(tile: WallTile): void;
  toggleOverlay(overlay: WallOverlay): void;
  add(): void;
  remove(): void;
  resize(columns: number, rows: number): void;
  /** Handles a key press. Returns whether the editor uses the key. */
  press(event: KeyboardEvent): boolean;
}

const STEPS: Readonly<Record<string, readonly [name: 'left' | 'right' | 'up' | 'down', dx: number, dy: number]>> = {
  ArrowLeft: ['left', -1, 0],
  ArrowRight: ['right', 1, 0],
  ArrowUp: ['up', 0, -1],
  ArrowDown: ['down', 0, 1],
};

/** Edits the layout of the wall by pointer and keys. Each change can be undone. */
export function useLayoutEditor(): LayoutEditor {
  const wall = useWallStore();
  const layout = computed(() => wall.layout);
  const place = ref<Place>({ x: 0, y: 0 });
  const cell = computed(() => edit.cellAt(layout.value, place.value));
  const cells = computed(() => cellsOf(layout.value));
  const free = computed(() => edit.freePlaces(layout.value));

  function choose({ x, y }: Place): void {
    place.value = { x, y };
  }
  function change(changed: WallLayout): void {
    if (changed !== layout.value) wall.setLayout(changed);
  }
  watch(layout, ({ columns, rows }) => {
    if (place.value.x >= columns || place.value.y >= rows) choose({ x: 0, y: 0 });
  });

  function drop(dragged: WallCell, to: Place): void {
    change(edit.dropCell(layout.value, dragged, to));
    choose(to);
  }
  function span(spanned: WallCell, w: number, h: number): void {
    change(edit.spanCell(layout.value, spanned, w, h));
    choose(spanned);
  }
  function remove(): void {
    if (cell.value) change(edit.removeCell(layout.value, cell.value));
  }
  function add(): void {
    change(edit.addCell(layout.value, place.value));
  }

  function toggleOverlay(overlay: WallOverlay): void {
    if (cell.value) change(toggledOn(layout.value, cell.value, overlay));
  }

  function step(key: string, { shiftKey, altKey }: KeyboardEvent): boolean {
    const found = STEPS[key];
    if (!found) return false;
    const [name, dx, dy] = found;
    if (altKey && cell.value) span(cell.value, cell.value.w + dx, cell.value.h + dy);
    else if (shiftKey && cell.value) {
      const { x, y } = cell.value;
      const moved = edit.moveCell(layout.value, cell.value, dx, dy);
      if (moved === layout.value) return true;
      change(moved);
      choose({ x: x + dx, y: y + dy });
    } else {
      const from = cell.value ?? { ...place.value, w: 1, h: 1 };
      const all = [...cells.value, ...free.value.map((one) => ({ ...one, w: 1, h: 1 }))];
      const to = cellBeside(from, all, name);
      if (to) choose(to);
    }
    return true;
  }

  function press(event: KeyboardEvent): boolean {
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
      if (key === 'z') event.shiftKey ? wall.redo() : wall.undo();
      else if (key === 'y') wall.redo();
      else return false;
      return true;
    }
    const overlay = WALL_OVERLAYS.find((one) => OVERLAY_KEYS[one] === key);
    if (overlay) toggleOverlay(overlay);
    else if (key === 'delete' || key === 'backspace') remove();
    else if (key === 'escape' || key === 'l') wall.setEditing(false);
    else return step(event.key, event);
    return true;
  }

  return {
    layout,
    cells,
    free,
    cell,
    place,
    choose,
    drop,
    span,
    add,
    remove,
    toggleOverlay,
    press,
    setTile: (tile) => {
      if (cell.value) change(edit.setTile(layout.value, cell.value, tile));
    },
    resize: (columns, rows) => change(edit.resizeGrid(layout.value, columns, rows)),
  };
}
