import { defineStore } from 'pinia';
import { markRaw } from 'vue';
import type { ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';
import type { TopicPayload } from '../../../src-preload/contract/index.ts';
import { EVERYTHING, filterTest, type EventFilter } from './event-filter.ts';

/** Events that the page remembers: some hours of a busy server. */
const MAX_EVENTS = 10_000;

/** The log: what came, what is shown of it. State and synchronous setters only. */
interface LogState {
  /** Oldest first. Never changed in place. */
  events: readonly ServerEvent[];
  filter: EventFilter;
  /** Number of the last event that is shown; null while it runs along. */
  pausedAt: number | null;
  /** Number of the event whose details are shown. */
  selectedId: number | null;
  /** Events that the server left out because there were too many at once. */
  skipped: number;
  /** Whether the first message has come. */
  isReady: boolean;
}

export const useLogStore = defineStore('log', {
  state: (): LogState => ({
    events: [],
    filter: EVERYTHING,
    pausedAt: null,
    selectedId: null,
    skipped: 0,
    isReady: false,
  }),
  getters: {
    /** What fits the filter, oldest first. */
    fitting: (state): readonly ServerEvent[] => state.events.filter(filterTest(state.filter)),
    /** What the page shows: newest first, and none that came after the pause. */
    shown(): readonly ServerEvent[] {
      const { pausedAt } = this;
      return (
        pausedAt === null ? [...this.fitting] : this.fitting.filter(({ event_id: id }) => id <= pausedAt)
      ).reverse();
    },
    /** How many came since the pause. */
    waiting(): number {
      return this.fitting.length - this.shown.length;
    },
    selected: (state): ServerEvent | null => state.events.find(({ event_id: id }) => id === state.selectedId) ?? null,
  },
  actions: {
    /** Takes a message of the topic: a snapshot has what is missing since the last message, and what is known already. */
    take({ events, is_snapshot: isSnapshot, skipped }: TopicPayload<'events'>) {
      const last = this.events.at(-1)?.event_id ?? -1;
      const fresh = events.filter(({ event_id: id }) => id > last).map((event) => markRaw(event));
      // Numbers begin anew where the data folder of the server is another one.
      const isOther = isSnapshot && events.length > 0 && (events.at(-1)?.event_id ?? 0) < last;
      const all = isOther ? events.map((event) => markRaw(event)) : [...this.events, ...fresh];
      // Looked through with each message: nobody watches single events.
      this.events = markRaw(all.slice(-MAX_EVENTS));
      this.skipped += skipped;
      this.isReady = true;
    },
    setFilter(filter: Partial<EventFilter>) {
      this.filter = { ...this.filter, ...filter };
    },
    pause() {
      this.pausedAt ??= this.events.at(-1)?.event_id ?? 0;
    },
    resume() {
      this.pausedAt = null;
    },
    /** Shows the details of an event, and stays where it is. */
    select(id: number | null) {
      this.selectedId = id;
      if (id !== null) this.pause();
    },
  },
});
