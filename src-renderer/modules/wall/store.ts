import { defineStore } from 'pinia';
import { SILENT, isAudible, toggleAllMuted, toggleFollow, toggleSoloSound, toggleSound } from './sound/audio-choice.ts';
import type { Wall, WallCell, WallLayout, WallOverlay } from '../../../src-preload/contract/operations/wall-calls.ts';
import type { AudioChoice } from './sound/audio-choice.ts';
import { filtered, groupsOf } from './layout/groups.ts';
import { mergePlaces, shapeFor, squareOf, stepIndex } from './layout/grid-math.ts';
import type { Direction, Grid } from './layout/grid-math.ts';
import { fillPenaltyBox, cellBeside, placePages } from './layout/placing.ts';
import type { PlacedTile } from './layout/placing.ts';
import { isSameShape } from './layout/presets.ts';
import { toggled, toggleOverlay, withOverlays } from './layout/cell-overlays.ts';

/** State for undo: arrangement of the tiles. */
type Arrangement = Pick<WallState, 'chosenLayout' | 'named' | 'places'>;

/** State of the wall: layout, page, selection, solo, sound. State and synchronous setters only. */
interface WallState {
  /** Layout chosen for all streams; null for the automatic layout. */
  chosenLayout: WallLayout | null;
  /** Named wall with its unsaved changes; null for all streams. */
  named: Wall | null;
  /** Overlays of all tiles in the automatic layout. */
  overlays: readonly WallOverlay[];
  /** Names of the streams on the server. */
  present: readonly string[];
  /** Aspect ratio of the window. */
  aspect: number;
  /** Whether the window is too narrow for a grid: the tiles form a single column. */
  isNarrow: boolean;
  page: number;
  /** Interval of page rotation in seconds; 0: off. */
  carouselSeconds: number;
  selected: string | null;
  solo: string | null;
  audio: AudioChoice;
  /** Streams in the order in which they fill the places. */
  queue: readonly string[];
  /** The same streams and absent ones: a stream that returns gets its place back. */
  places: readonly string[];
  /** Group filter; null for all streams. */
  group: string | null;
  /** Text filter: words in name or title. */
  find: string;
  /** Titles of streams, by name. */
  titles: ReadonlyMap<string, string>;
  /** Whether the filter menu is open. */
  isFinding: boolean;
  /** Whether the browser allows sound. */
  isSoundPossible: boolean;
  isHelpOpen: boolean;
  /** Whether the layout editor is open. */
  isEditing: boolean;
  /** Streams in the cells of the penalty box, in order; null for none. */
  boxed: readonly (string | null)[];
  /** Undo and redo history of arrangements, newest at the end. */
  past: readonly Arrangement[];
  future: readonly Arrangement[];
  /** Stream that was just added; it is selected as soon as it appears. */
  expected: string | null;
}

/** Maximum number of streams of a saved wall. */
const MAX_STREAMS = 1000;
/** Maximum length of the undo history. */
const MAX_PAST = 50;
/** Layout of a single column. It scrolls, so it has the maximum number of tiles. */
const COLUMN: WallLayout = { columns: 1, rows: 16, cells: [] };

/** Grid of equal tiles; null: the best grid for the number of streams. */
function gridLayout(grid: Grid | null, count: number, aspect: number): WallLayout {
  return { ...(grid === null ? shapeFor(count, aspect) : squareOf(grid)), cells: [] };
}

export const useWallStore = defineStore('wall', {
  state: (): WallState => ({
    chosenLayout: null,
    named: null,
    overlays: [],
    present: [],
    aspect: 16 / 9,
    isNarrow: false,
    page: 0,
    carouselSeconds: 0,
    selected: null,
    solo: null,
    audio: SILENT,
    queue: [],
    places: [],
    isSoundPossible: false,
    group: null,
    find: '',
    titles: new Map(),
    isFinding: false,
    isHelpOpen: false,
    isEditing: false,
    boxed: [],
    past: [],
    future: [],
    expected: null,
  }),
  getters: {
    /** Chosen or automatic layout, for a window wide enough for it. */
    layout: ({ named, chosenLayout, queue, aspect, group, find, titles, overlays }): WallLayout =>
      named ??
      chosenLayout ??
      withOverlays(gridLayout(null, filtered(queue, { group, find, titles }).length, aspect), overlays),
    /** Columns, rows and cells of a page. */
    shape(): WallLayout {
      return this.isNarrow ? COLUMN : this.layout;
    },
    /** Whether the wall has this layout; null: whether it is automatic. */
    isLayout() {
      return (layout: WallLayout | null): boolean => {
        const current = this.named ?? this.chosenLayout;
        return layout === null || current === null ? layout === current : isSameShape(layout, current);
      };
    },
    /** Cell of the selected tile. */
    selectedCell(): WallCell | undefined {
      return this.placed[this.page]?.find(({ stream }) => stream !== null && stream === this.selected)?.cell;
    },
    /** Whether cells have content other than streams, such as a clock or a text. */
    hasOtherCells(): boolean {
      return this.layout.cells.some(({ tile }) => !['next', 'group', 'penalty'].includes(tile.kind));
    },
    /** Present view as a named wall. */
    asNamed() {
      return (name: string, key: number | null): Wall => {
        const { columns, rows, cells } = this.layout;
        return { name, key, columns, rows, cells, streams: this.queue.slice(0, MAX_STREAMS) };
      };
    },
    /** Streams of the queue that match the filter. */
    listed: ({ queue, group, find, titles }): readonly string[] => filtered(queue, { group, find, titles }),
    /** Tiles of all pages in their cells. */
    placed(): readonly (readonly PlacedTile[])[] {
      const pages = placePages(this.shape, { streams: this.listed, present: this.present });
      return this.boxed.length === 0 ? pages : pages.map((page) => fillPenaltyBox(page, this.boxed));
    },
    /** Streams of a page, in reading order. */
    namesOf() {
      return (page: number): readonly string[] => this.placed[page]?.flatMap(({ stream }) => stream ?? []) ?? [];
    },
    /** Streams of all pages. */
    order(): readonly string[] {
      return [...new Set(this.placed.flatMap((page) => page.flatMap(({ stream }) => stream ?? [])))];
    },
    columns(): number {
      return this.solo === null ? this.shape.columns : 1;
    },
    rows(): number {
      return this.solo === null ? this.shape.rows : 1;
    },
    pages(): number {
      return this.placed.length;
    },
    /** Streams on the current page. */
    shown(): readonly string[] {
      return this.namesOf(this.page);
    },
    /** Stream that an arrow key selects. */
    neighbour() {
      return (direction: Direction): string | null => {
        const index = this.order.indexOf(this.selected ?? '');
        const at = stepIndex(index, direction, this.order.length, this.columns);
        if (this.shape.cells.length === 0 || this.solo !== null || direction === 'first' || direction === 'last')
          return this.order[at] ?? null;
        const tiles = (this.placed[this.page] ?? []).filter(({ stream }) => stream !== null);
        const from = tiles.find(({ stream }) => stream === this.selected);
        const to =
          from &&
          cellBeside(
            from.cell,
            tiles.map(({ cell }) => cell),
            direction,
          );
        if (to) return tiles.find(({ cell }) => cell === to)?.stream ?? null;
        // At the edge, left and right continue in reading order; up and down stop.
        return direction === 'up' || direction === 'down' ? this.selected : (this.order[at] ?? null);
      };
    },
    isAudible: (state) => (name: string) => isAudible(state.audio, name, state.selected),
    isAnyAudible(): boolean {
      return this.order.some((name) => isAudible(this.audio, name, this.selected));
    },
  },
  actions: {
    /** Sets the present streams; known tiles keep their places. */
    setPresent(present: readonly string[]) {
      this.present = present;
      this.places = mergePlaces(this.places, present);
      this.arrange();
    },
    /** Arranges the tiles. A named wall keeps the places of absent streams. */
    arrange() {
      const before = this.selected === null ? -1 : this.order.indexOf(this.selected);
      const isPresent = new Set(this.present);
      this.queue = this.named?.streams ?? this.places.filter((name) => isPresent.has(name));
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
    /** Selects a stream as soon as it appears. */
    selectOnArrival(name: string) {
      this.expected = name;
      if (this.named !== null && !this.named.streams.includes(name))
        this.named = { ...this.named, streams: [...this.named.streams, name] };
      this.arrange();
    },
    /** Shows a named wall; null: all streams. */
    recall(named: Wall | null) {
      this.named = named;
      this.solo = null;
      this.past = [];
      this.future = [];
      this.arrange();
      this.setPage(0);
    },
    /** Swaps two tiles. */
    swap(one: string, other: string) {
      this.remember();
      const swapped = (names: readonly string[]): string[] =>
        names.map((name) => (name === one ? other : name === other ? one : name));
      if (this.named === null) this.places = swapped(this.places);
      else this.named = { ...this.named, streams: swapped(this.named.streams) };
      this.arrange();
      this.showSelected();
    },
    /** Moves the selected tile by one place. */
    move(direction: Direction) {
      if (this.selected === null || this.solo !== null) return;
      const other = this.neighbour(direction);
      if (other !== null && other !== this.selected) this.swap(this.selected, other);
    },
    /** Sets the number of tiles per page; null: automatic. */
    setGrid(grid: Grid | null) {
      const isFitting = grid === null && this.named === null;
      this.setLayout(isFitting ? null : gridLayout(grid, this.queue.length, this.aspect));
    },
    /** Sets the layout; null: automatic. */
    setLayout(layout: WallLayout | null) {
      this.remember();
      if (this.named === null) this.chosenLayout = layout;
      else this.named = { ...this.named, ...(layout ?? gridLayout(null, this.queue.length, this.aspect)) };
      this.solo = null;
      this.arrange();
      this.showSelected();
    },
    /** Toggles an overlay of the selected tile; of all tiles in the automatic layout. */
    toggleOverlay(overlay: WallOverlay) {
      const { named, chosenLayout, selectedCell } = this;
      if (named === null && chosenLayout === null) this.overlays = toggled(this.overlays, overlay);
      else if (selectedCell && !this.isNarrow) {
        this.remember();
        const { cells } = toggleOverlay(this.layout, selectedCell, overlay);
        if (named !== null) this.named = { ...named, cells };
        else if (chosenLayout !== null) this.chosenLayout = { ...chosenLayout, cells };
      }
    },
    setOverlays(overlays: readonly WallOverlay[]) {
      this.overlays = overlays;
    },
    /** Filters the streams by group and words. */
    setFilter(group: string | null, find: string) {
      this.group = group;
      this.find = find;
      this.arrange();
      this.setPage(0);
    },
    setTitles(titles: ReadonlyMap<string, string>) {
      this.titles = titles;
    },
    setFinding(isFinding: boolean) {
      this.isFinding = isFinding;
    },
    setBoxed(boxed: readonly (string | null)[]) {
      this.boxed = boxed;
    },
    setEditing(isEditing: boolean) {
      this.isEditing = isEditing;
      if (isEditing) this.solo = null;
    },
    /** Saves the arrangement for undo. */
    remember() {
      const { chosenLayout, named, places } = this;
      this.past = [...this.past.slice(1 - MAX_PAST), { chosenLayout, named, places }];
      this.future = [];
    },
    /** Undoes the last change of the arrangement. */
    undo() {
      const { chosenLayout, named, places } = this;
      const before = this.past.at(-1);
      if (!before) return;
      this.future = [...this.future, { chosenLayout, named, places }];
      this.past = this.past.slice(0, -1);
      this.restore(before);
    },
    /** Redoes the last undone change. */
    redo() {
      const { chosenLayout, named, places } = this;
      const after = this.future.at(-1);
      if (!after) return;
      this.past = [...this.past, { chosenLayout, named, places }];
      this.future = this.future.slice(0, -1);
      this.restore(after);
    },
    restore({ chosenLayout, named, places }: Arrangement) {
      this.chosenLayout = chosenLayout;
      this.named = named;
      this.places = places;
      this.arrange();
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
    /** Sets the interval of page rotation in seconds; 0: off. */
    setCarousel(seconds: number) {
      this.carouselSeconds = Number.isFinite(seconds) ? Math.min(3600, Math.max(0, seconds)) : 0;
    },
    select(name: string) {
      this.selected = name;
      this.showSelected();
    },
    step(direction: Direction) {
      this.selected = this.neighbour(direction);
      this.showSelected();
      if (this.solo !== null) this.solo = this.selected;
    },
    /** Selects the n-th stream of the page, from 1; in solo, shows it alone. */
    pick(place: number) {
      const name = (this.placed[this.page] ?? []).filter(({ stream }) => stream !== null)[place - 1]?.stream;
      if (!name) return;
      if (this.solo !== null) this.solo = name;
      this.select(name);
    },
    /** Shows one tile solo, or ends solo. */
    toggleSolo(name: string | null) {
      this.solo = this.solo === null ? name : null;
      if (name !== null) this.select(name);
    },
    setSolo(name: string) {
      this.solo = name;
      this.select(name);
    },
    /** Selects the next or previous group; all streams come between the last and the first. */
    stepGroup(by: 1 | -1) {
      const all = [null, ...groupsOf(this.present)];
      const at = all.indexOf(this.group);
      this.setFilter(all[(at + by + all.length) % all.length] ?? null, this.find);
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
      if (this.shown.includes(this.selected ?? '')) return;
      const page = this.placed.findIndex((tiles) => tiles.some(({ stream }) => stream === this.selected));
      if (page >= 0) this.page = page;
      else this.page = Math.min(this.page, this.pages - 1);
    },
  },
});
