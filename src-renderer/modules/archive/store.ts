import { defineStore } from 'pinia';
import type { ArchivedStream } from '../../../src-preload/contract/operations/archive-calls.ts';
import type { Mark } from '../../domain/archive/marks.ts';
import type { Range } from './time-scale.ts';
import type { Zone } from './ticks.ts';

/** Maximum number of streams side by side. */
export const MAX_STREAMS = 9;

/** Archive page: selection of the operator, and data of the server. State and synchronous setters only. */
interface ArchiveState {
  /** Streams with an archive, by name; null before the first answer. */
  archived: readonly ArchivedStream[] | null;
  /** Names of the shown streams; the first leads. */
  names: readonly string[];
  /** Stream whose sound is on; null for none. */
  audible: string | null;
  /** Recorded ranges by stream. Never changed in place. */
  recorded: ReadonlyMap<string, readonly Range[]>;
  marks: readonly Mark[];
  /** In and out points, in epoch milliseconds. The picture at the out point is included. */
  inMs: number | null;
  outMs: number | null;
  isLooping: boolean;
  zone: Zone;
}

export const useArchiveStore = defineStore('archive', {
  state: (): ArchiveState => ({
    archived: null,
    names: [],
    audible: null,
    recorded: new Map(),
    marks: [],
    inMs: null,
    outMs: null,
    isLooping: false,
    zone: 'local',
  }),
  getters: {
    /** Total extent of the shown streams; null without recordings. */
    extent: ({ archived, names }): Range | null => {
      const shown = (archived ?? []).filter(({ name }) => names.includes(name));
      if (shown.length === 0) return null;
      return { from: Math.min(...shown.map(({ from }) => from)), to: Math.max(...shown.map(({ to }) => to)) };
    },
    /** Shown streams without an archive. */
    missing: ({ archived, names }): string[] =>
      archived ? names.filter((name) => archived.every((one) => one.name !== name)) : [],
    /** Selected range; null unless both points are set. */
    selection: ({ inMs, outMs }): Range | null =>
      inMs !== null && outMs !== null && outMs > inMs ? { from: inMs, to: outMs } : null,
  },
  actions: {
    setArchived(archived: readonly ArchivedStream[]) {
      this.archived = archived;
    },
    setNames(names: readonly string[]) {
      this.names = [...new Set(names)].slice(0, MAX_STREAMS);
      if (this.audible === null || !this.names.includes(this.audible)) this.audible = this.names[0] ?? null;
    },
    setAudible(name: string | null) {
      this.audible = name;
    },
    setRecorded(recorded: ReadonlyMap<string, readonly Range[]>) {
      this.recorded = recorded;
    },
    setMarks(marks: readonly Mark[]) {
      this.marks = marks;
    },
    /** Sets the in point; clears an out point before it. */
    setIn(ms: number | null) {
      this.inMs = ms;
      if (ms !== null && this.outMs !== null && this.outMs <= ms) this.outMs = null;
    },
    /** Sets the out point; clears an in point after it. */
    setOut(ms: number | null) {
      this.outMs = ms;
      if (ms !== null && this.inMs !== null && this.inMs >= ms) this.inMs = null;
    },
    setLooping(isLooping: boolean) {
      this.isLooping = isLooping;
    },
    setZone(zone: Zone) {
      this.zone = zone;
    },
  },
});
