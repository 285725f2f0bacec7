import { defineStore } from 'pinia';
import { markRaw } from 'vue';
import type { ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';
import { breaksOf, shownClip, type Break, type ShownClip } from './break-list.ts';

/** Maximum number of events in the page. */
const MAX_EVENTS = 2000;
/** Event kinds that the page uses. */
const KINDS: ReadonlySet<string> = new Set(['splice_point', 'ad_inject', 'ad_skipped']);

/** Breaks with their splice points and clips. State and synchronous setters only. */
interface BreaksState {
  /** Oldest first. Never changed in place. */
  events: readonly ServerEvent[];
  /** Key of the break whose details are open. */
  selectedKey: string | null;
  isReady: boolean;
}

export const useBreaksStore = defineStore('breaks', {
  state: (): BreaksState => ({ events: [], selectedKey: null, isReady: false }),
  getters: {
    breaks: (state): readonly Break[] => breaksOf(state.events),
    selected(): Break | null {
      return this.breaks.find(({ key }) => key === this.selectedKey) ?? null;
    },
    /** Shown and skipped clips, newest first: of the selected break, or of all breaks. */
    clips(): readonly ShownClip[] {
      const all = this.selected?.clips ?? this.events.map(shownClip).filter((clip) => clip !== undefined);
      return [...all].sort((a, b) => b.atMs - a.atMs || b.eventId - a.eventId);
    },
  },
  actions: {
    /** Adds events in any order; duplicates are ignored. */
    addEvents(events: readonly ServerEvent[]) {
      const known = new Set(this.events.map(({ event_id: id }) => id));
      const fresh = events.filter(({ event, event_id: id }) => KINDS.has(event) && !known.has(id));
      this.isReady = true;
      if (fresh.length === 0) return;
      const all = [...this.events, ...fresh.map((event) => markRaw(event))];
      this.events = all.sort((a, b) => a.event_id - b.event_id).slice(-MAX_EVENTS);
    },
    select(key: string | null) {
      this.selectedKey = this.selectedKey === key ? null : key;
    },
  },
});
