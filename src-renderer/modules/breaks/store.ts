import { defineStore } from 'pinia';
import { markRaw } from 'vue';
import type { ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';
import { breaksOf, shownClip, type Break, type ShownClip } from './break-list.ts';

/** Events that the page remembers. */
const MAX_EVENTS = 2000;
/** Kinds of events that the page is made of. */
const KINDS: ReadonlySet<string> = new Set(['splice_point', 'ad_inject', 'ad_skipped']);

/** Breaks: what marked them, what viewers were shown. State and synchronous setters only. */
interface BreaksState {
  /** Oldest first. Never changed in place. */
  events: readonly ServerEvent[];
  /** Break whose details are shown. */
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
    /** What viewers were shown, and what was left out, newest first: in the selected break, or at all. */
    clips(): readonly ShownClip[] {
      const all = this.selected?.clips ?? this.events.map(shownClip).filter((clip) => clip !== undefined);
      return [...all].sort((a, b) => b.atMs - a.atMs || b.eventId - a.eventId);
    },
  },
  actions: {
    /** Takes events in any order, each once. */
    take(events: readonly ServerEvent[]) {
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
