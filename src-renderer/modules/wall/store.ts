import { defineStore } from 'pinia';
import { SILENT, isHeard, toggleAllMuted, toggleFollow, toggleSoloSound, toggleSound } from './sound/audio-choice.ts';
import type { Wall } from '../../../src-preload/contract/wall-calls.ts';
import type { AudioChoice } from './sound/audio-choice.ts';
import { mergePlaces, pageCount, pageOf, shapeFor, squareOf, stepIndex } from './layout/grid-math.ts';
import type { Direction, Grid, GridShape } from './layout/grid-math.ts';

/** How the wall looks: grid, page, selection, solo, sound. State and synchronous setters only. */
interface WallState {
  /** The grid that the operator chose; null where the wall picks one that fits. */
  chosenGrid: Grid | null;
  /** The wall with a name that is shown, as it was changed since; null for all streams. */
  named: Wall | null;
  /** Names of the streams that are there. */
  present: readonly string[];
  /** Width of the window by its height. */
  aspect: number;
  /** Whether the window is too narrow for a grid: the tiles stand in one column. */
  isNarrow: boolean;
  page: number;
  /** Seconds after which the next page is shown by itself; 0: never. */
  carouselSeconds: number;
  selected: string | null;
  solo: string | null;
  audio: AudioChoice;
  /** Names of all tiles, in the order of the wall. */
  order: readonly string[];
  /** The same with streams that are away for now: one that comes back takes its place again. */
  places: readonly string[];
  /** Whether the browser lets sound through yet. */
  isSoundPossible: boolean;
  isHelpOpen: boolean;
  /** A stream that was just added: selected as soon as it appears. */
  expected: string | null;
}

/** Most columns, rows and streams of a wall that is kept. */
const MOST_SIDE = 8;
const MOST_STREAMS = 1000;

/** The shape of a page where the window is wide enough for a grid. */
function wideShape({
  named,
  chosenGrid,
  order,
  aspect,
}: Pick<WallState, 'named' | 'chosenGrid' | 'order' | 'aspect'>): GridShape {
  if (named !== null) return named;
  return chosenGrid === null ? shapeFor(order.length, aspect) : squareOf(chosenGrid);
}

export const useWallStore = defineStore('wall', {
  state: (): WallState => ({
    chosenGrid: null,
    named: null,
    present: [],
    aspect: 16 / 9,
    isNarrow: false,
    page: 0,
    carouselSeconds: 0,
    selected: null,
    solo: null,
    audio: SILENT,
    order: [],
    places: [],
    isSoundPossible: false,
    isHelpOpen: false,
    expected: null,
  }),
  getters: {
    /** The shape of a page. A column is scrolled, so that it holds as many as there can be. */
    shape: (state): GridShape => {
      if (state.isNarrow) return { columns: 1, rows: 16 };
      return wideShape(state);
    },
    /** Whether the wall has this grid; null: whether it picks one that fits. */
    isGrid() {
      return (grid: Grid | null): boolean => {
        if (this.named === null) return this.chosenGrid === grid;
        const shape = grid === null ? null : squareOf(grid);
        return shape?.columns === this.named.columns && shape.rows === this.named.rows;
      };
    },
    /** What is shown as a wall with a name. */
    layout:
      (state) =>
      (name: string, key: number | null): Wall => {
        const { columns, rows } = wideShape(state);
        const streams = state.order.slice(0, MOST_STREAMS);
        return { name, key, columns: Math.min(columns, MOST_SIDE), rows: Math.min(rows, MOST_SIDE), streams };
      },
    /** Tiles on a page. */
    grid(): number {
      return this.shape.columns * this.shape.rows;
    },
    columns(): number {
      return this.solo === null ? this.shape.columns : 1;
    },
    rows(): number {
      return this.solo === null ? this.shape.rows : 1;
    },
    pages(): number {
      return pageCount(this.order.length, this.grid);
    },
    /** Names of the tiles on the page that is shown. */
    shown(): readonly string[] {
      return this.order.slice(this.page * this.grid, (this.page + 1) * this.grid);
    },
    isHeard: (state) => (name: string) => isHeard(state.audio, name, state.selected),
    anyHeard: (state): boolean => state.order.some((name) => isHeard(state.audio, name, state.selected)),
  },
  actions: {
    /** Takes over the streams that are there; known tiles keep their places. */
    setPresent(present: readonly string[]) {
      this.present = present;
      this.places = mergePlaces(this.places, present);
      this.arrange();
    },
    /** Stands the tiles in their places. A wall with a name keeps those of streams that are away. */
    arrange() {
      const before = this.selected === null ? -1 : this.order.indexOf(this.selected);
      const isPresent = new Set(this.present);
      this.order = this.named?.streams ?? this.places.filter((name) => isPresent.has(name));
      if (this.solo !== null && !this.order.includes(this.solo)) this.solo = null;
      if (this.selected === null || !this.order.includes(this.selected)) {
        this.selected = this.order[Math.min(Math.max(0, before), this.order.length - 1)] ?? null;
      }
      this.page = Math.min(this.page, this.pages - 1);
      if (this.expected !== null && this.order.includes(this.expected)) {
        this.select(this.expected);
        this.expected = null;
      }
    },
    /** Selects a stream as soon as it is there. */
    expect(name: string) {
      this.expected = name;
      if (this.named !== null && !this.named.streams.includes(name))
        this.named = { ...this.named, streams: [...this.named.streams, name] };
      this.arrange();
    },
    /** Shows a wall with a name; null: all streams. */
    recall(named: Wall | null) {
      this.named = named;
      this.solo = null;
      this.arrange();
      this.setPage(0);
    },
    /** Lets two tiles change their places. */
    swap(one: string, other: string) {
      const swapped = (names: readonly string[]): string[] =>
        names.map((name) => (name === one ? other : name === other ? one : name));
      if (this.named === null) this.places = swapped(this.places);
      else this.named = { ...this.named, streams: swapped(this.named.streams) };
      this.arrange();
      this.showSelected();
    },
    /** Moves the selected tile one place on. */
    move(direction: Direction) {
      if (this.selected === null || this.solo !== null) return;
      const index = stepIndex(this.order.indexOf(this.selected), direction, this.order.length, this.columns);
      const other = this.order[index];
      if (other !== undefined) this.swap(this.selected, other);
    },
    /** Shows so many tiles on a page; null: as many as fit best. */
    setGrid(grid: Grid | null) {
      if (this.named === null) this.chosenGrid = grid;
      else {
        const shape = grid === null ? shapeFor(this.order.length, this.aspect) : squareOf(grid);
        this.named = { ...this.named, ...shape };
      }
      this.solo = null;
      this.showSelected();
    },
    setAspect(aspect: number) {
      this.aspect = aspect;
      this.showSelected();
    },
    setNarrow(isNarrow: boolean) {
      this.isNarrow = isNarrow;
      this.showSelected();
    },
    setPage(page: number) {
      this.page = Math.min(this.pages - 1, Math.max(0, page));
      if (!this.shown.includes(this.selected ?? '')) this.selected = this.shown[0] ?? null;
    },
    /** Turns the pages by themselves every so many seconds; 0: not. */
    setCarousel(seconds: number) {
      this.carouselSeconds = Number.isFinite(seconds) ? Math.min(3600, Math.max(0, seconds)) : 0;
    },
    select(name: string) {
      this.selected = name;
      this.showSelected();
    },
    step(direction: Direction) {
      const index = stepIndex(this.order.indexOf(this.selected ?? ''), direction, this.order.length, this.columns);
      this.selected = this.order[index] ?? null;
      this.showSelected();
      if (this.solo !== null) this.solo = this.selected;
    },
    /** Shows one tile alone, or all again. */
    toggleSolo(name: string | null) {
      this.solo = this.solo === null ? name : null;
      if (name !== null) this.select(name);
    },
    setSolo(name: string) {
      this.solo = name;
      this.select(name);
    },
    leaveSolo() {
      this.solo = null;
    },
    toggleSound(name: string) {
      this.audio = toggleSound(this.audio, name, this.selected);
    },
    toggleSoloSound(name: string) {
      this.audio = toggleSoloSound(this.audio, name, this.selected);
    },
    toggleFollow() {
      this.audio = toggleFollow(this.audio, this.selected);
    },
    toggleAllMuted() {
      this.audio = toggleAllMuted(this.audio);
    },
    setSoundPossible(isPossible: boolean) {
      this.isSoundPossible = isPossible;
    },
    setHelpOpen(isOpen: boolean) {
      this.isHelpOpen = isOpen;
    },
    /** Turns to the page of the selected tile. */
    showSelected() {
      const index = this.order.indexOf(this.selected ?? '');
      if (index >= 0) this.page = pageOf(index, this.grid);
    },
  },
});
