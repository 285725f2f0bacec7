import { defineStore } from 'pinia';
import { markRaw } from 'vue';
import type { ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';
import type { TopicPayload } from '../../../src-preload/contract/index.ts';
import { DEFAULT_FILTER, filterTest, type EventFilter } from './event-filter.ts';

/** Maximum number of events in the page: some hours of a busy server. */
const MAX_EVENTS = 10_000;

/** Events of the log, and the filter. State and synchronous setters only. */
interface LogState {
  /** Oldest first. Never changed in place. */
  events: readonly ServerEvent[];
  filter: EventFilter;
  /** Id of the last event on the page; null while the log is live. */
  pausedAt: number | null;
  /** Id of the event whose details are open. */
  selectedId: number | null;
  /** Number of events that the server dropped because too many came at once. */
  skipped: number;
  /** Whether the first message has arrived. */
  isReady: boolean;
}

export const useLogStore = defineStore('log', {
  state: (): LogState => ({
    events: [],
    filter: DEFAULT_FILTER,
    pausedAt: null,
    selectedId: null,
    skipped: 0,
    isReady: false,
  }),
  getters: {
    /** Events that match the filter, oldest first. */
    matching: (state): readonly ServerEvent[] => state.events.filter(filterTest(state.filter)),
    /** Events on the page: newest first, without those after the pause. */
    shown(): readonly ServerEvent[] {
      const { pausedAt } = this;
      return (
        pausedAt === null ? [...this.matching] : this.matching.filter(({ event_id: id }) => id <= pausedAt)
      ).reverse();
    },
    /** Number of matching events since the pause. */
    newCount(): number {
      return this.matching.length - this.shown.length;
    },
    selected: (state): ServerEvent | null => state.events.find(({ event_id: id }) => id === state.selectedId) ?? null,
  },
  actions: {
    /**
     * Handles a message of the topic. A snapshot contains known events and all events that were missed. It may also contain
     * events before the first known event, because a message for another part of the desk may arrive before the first snapshot.
     */
    apply({ events, is_snapshot: isSnapshot, skipped }: TopicPayload<'events'>) {
      const last = this.events.at(-1)?.event_id ?? -1;
      const first = this.events[0]?.event_id ?? -1;
      const earlier = isSnapshot ? events.filter(({ event_id: id }) => id < first).map((event) => markRaw(event)) : [];
      const fresh = events.filter(({ event_id: id }) => id > last).map((event) => markRaw(event));
      // Ids restart if the server has a new data folder.
      const isOther = isSnapshot && events.length > 0 && (events.at(-1)?.event_id ?? 0) < last;
      const all = isOther ? events.map((event) => markRaw(event)) : [...earlier, ...this.events, ...fresh];
      // Not reactive per event: the list is replaced with each message.
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
    /** Opens the details of an event. The log stays live: only the operator pauses it. */
    select(id: number | null) {
      this.selectedId = id;
    },
  },
});
