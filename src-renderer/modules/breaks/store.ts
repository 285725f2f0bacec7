import { defineStore } from 'pinia';
import { markRaw } from 'vue';
import type { ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';
import { MASK } from '../../lib/mask.ts';
import { breaksOf, shownClip, type Break, type ProgressOf, type ShownClip } from './break-list.ts';

/** Maximum number of events that the page keeps. */
const MAX_EVENTS = 2000;
/** Event kinds that the page uses. */
const KINDS: ReadonlySet<string> = new Set(['splice_point', 'ad_inject', 'ad_skipped']);

/** Maximum number of clips whose progress the page keeps. */
const MAX_PROGRESS = 2 * MAX_EVENTS;

/** Breaks with their splice points and clips. State and synchronous setters only. */
interface BreaksState {
  /** Oldest first. Never changed in place. */
  events: readonly ServerEvent[];
  /** Last quarter sent of each clip, in percent, by `showing_id`. Never changed in place. */
  progress: ReadonlyMap<string, number>;
  /** Sent seconds of each clip, by `showing_id`, as the as-run log states them. Never changed in place. */
  sent: ReadonlyMap<string, number>;
  /** Id of the first event after which `progress` is complete. */
  progressFromId: number;
  /** Key of the break whose details are open. */
  selectedKey: string | null;
  isReady: boolean;
}

export const useBreaksStore = defineStore('breaks', {
  state: (): BreaksState => ({
    events: [],
    progress: markRaw(new Map()),
    sent: markRaw(new Map()),
    progressFromId: Infinity,
    selectedKey: null,
    isReady: false,
  }),
  getters: {
    progressOf:
      ({ progress, progressFromId, sent }): ProgressOf =>
      ({ event_id: id, showing_id: showingId }) => ({
        progress: progress.get(String(showingId)) ?? (id >= progressFromId && showingId !== MASK ? 0 : null),
        sentS: sent.get(String(showingId)) ?? null,
      }),
    breaks(): readonly Break[] {
      return breaksOf(this.events, this.progressOf);
    },
    selected(): Break | null {
      return this.breaks.find(({ key }) => key === this.selectedKey) ?? null;
    },
    /** Shown and skipped clips, newest first: of the selected break, or of all breaks. */
    clips(): readonly ShownClip[] {
      const all =
        this.selected?.clips ??
        this.events.map((event) => shownClip(event, this.progressOf)).filter((clip) => clip !== undefined);
      return [...all].sort((a, b) => b.atMs - a.atMs || b.eventId - a.eventId);
    },
  },
  actions: {
    /** Adds events in any order; duplicates are ignored. */
    addEvents(events: readonly ServerEvent[]) {
      const known = new Set(this.events.map(({ event_id: id }) => id));
      const fresh = events.filter(({ event, event_id: id }) => KINDS.has(event) && !known.has(id));
      this.isReady = true;
      this.addProgress(events);
      if (fresh.length === 0) return;
      const all = [...this.events, ...fresh.map((event) => markRaw(event))];
      this.events = all.sort((a, b) => a.event_id - b.event_id).slice(-MAX_EVENTS);
    },
    /** Adds the progress of clips, in any order; other events are ignored. */
    addProgress(events: readonly ServerEvent[]) {
      const reached = events.filter(({ event, showing_id: id }) => event === 'ad_progress' && id !== MASK);
      if (reached.length === 0) return;
      const progress = new Map(this.progress);
      for (const { showing_id: showingId, progress: percent } of reached) {
        const id = String(showingId);
        progress.set(id, Math.max(Number(percent), progress.get(id) ?? 0));
      }
      for (const id of [...progress.keys()].slice(0, Math.max(0, progress.size - MAX_PROGRESS))) progress.delete(id);
      this.progress = markRaw(progress);
    },
    /** Adds the newest `ad_progress` events that the server has recorded; `isAll` if it has no older ones. */
    loadProgress(events: readonly ServerEvent[], isAll: boolean) {
      this.addProgress(events);
      this.progressFromId = isAll ? 0 : Math.min(...events.map(({ event_id: id }) => id));
    },
    /** Sets the sent seconds of clips, as the as-run log states them. */
    setSent(rows: readonly { readonly id: string; readonly sent: number }[]) {
      this.sent = markRaw(new Map(rows.map(({ id, sent }) => [id, sent])));
    },
    select(key: string | null) {
      this.selectedKey = this.selectedKey === key ? null : key;
    },
  },
});
