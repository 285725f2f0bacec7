import { refThrottled, useLocalStorage } from '@vueuse/core';
import { computed, ref, watch, type ComputedRef, type Ref } from 'vue';
import { useRoute, useRouter, type LocationQuery } from 'vue-router';
import { useServerStore } from '../../server/server-store.ts';
import { useNow } from '../../server/use-now.ts';
import { SECTIONS, type Section } from '../../domain/settings/setting-fields.ts';
import { useAlarmsStore } from '../../domain/alarms/store.ts';
import { useStreamsStore } from '../../domain/streams/store.ts';
import { useTableColumns, type TableColumns } from '../../ui/use-table-columns.ts';
import { STREAM_COLUMNS } from './stream-columns.ts';
import {
  COLUMNS,
  orderOf,
  rowsOf,
  type Column,
  type NameOrder,
  type Order,
  type StreamFilter,
  type StreamRow,
} from './stream-rows.ts';
import { STATE_LABELS } from './texts.ts';

/** State of the streams page. */
export interface StreamPage {
  readonly filter: Ref<StreamFilter>;
  readonly order: ComputedRef<Order>;
  readonly rows: ComputedRef<readonly StreamRow[]>;
  /** Stream whose details are open; empty for none. */
  readonly shown: Ref<string>;
  readonly chosen: Ref<ReadonlySet<string>>;
  /** Open section of the settings of that stream; undefined if they are closed. */
  readonly settings: Ref<Section | undefined>;
  readonly table: TableColumns;
  sortBy(column: Column): void;
  choose(names: readonly string[], isChosen: boolean): void;
  /** Opens the stream above or below the current one. */
  step(by: 1 | -1): void;
}

/** Minimum time between two changes of the order by changed values, in milliseconds: rows that jump cannot be clicked. */
const ORDER_MS = 1_000;

/**
 * Page state, for use inside a component. Filter, sort order and the open stream are in the URL; the sort order is also stored on
 * this machine.
 */
export function useStreamPage(): StreamPage {
  const streams = useStreamsStore();
  const server = useServerStore();
  const alarms = useAlarmsStore();
  const { pageMs } = useNow();
  const route = useRoute();
  const router = useRouter();
  const saved = useLocalStorage('airdesk.streams.order', 'name');

  const filter = ref(readFilter(route.query));
  const sort = ref(textOf(route.query['sort']) || saved.value);
  const shown = ref(textOf(route.query['name']));
  const chosen = ref<ReadonlySet<string>>(new Set());
  const settings = ref(readSection(route.query));

  watch([filter, sort, shown, settings], ([{ text, condition }, by, name, section]) => {
    saved.value = by;
    void router.replace({
      query: {
        ...(text === '' ? {} : { find: text }),
        ...(condition === '' ? {} : { state: condition }),
        ...(by === 'name' ? {} : { sort: by }),
        ...(name === '' ? {} : { name }),
        ...(section === undefined ? {} : { settings: section }),
      },
    });
  });
  // A link from the page to itself does not create the page again.
  watch(
    () => route.query['name'],
    (name) => {
      if (name !== undefined) shown.value = textOf(name);
    },
  );
  watch(
    () => route.query['settings'],
    () => (settings.value = readSection(route.query)),
  );

  const table = useTableColumns('streams', STREAM_COLUMNS, () =>
    server.may('streams', 'operate') ? { before: '1.4rem' } : {},
  );
  const order = computed(() => readOrder(sort.value));
  const reports = refThrottled(
    computed(() => streams.byName),
    ORDER_MS,
  );
  const names = computed<NameOrder>((before) => orderOf([...reports.value.keys()], before));
  const rows = computed(() => {
    // While the connection is stale, the server may receive frames that the desk does not know of, so that their age does not
    // grow.
    const nowMs = server.isStale ? 0 : pageMs.value;
    return rowsOf(reports.value.values(), filter.value, order.value, nowMs, names.value, alarms.byStream);
  });
  // Removed streams cannot stay selected.
  watch(reports, (all) => {
    const remaining = [...chosen.value].filter((name) => all.has(name));
    if (remaining.length !== chosen.value.size) chosen.value = new Set(remaining);
  });

  return {
    filter,
    order,
    rows,
    shown,
    chosen,
    settings,
    table,
    sortBy(column) {
      const isDescending = order.value.by === column ? !order.value.isDescending : COLUMNS[column];
      sort.value = `${isDescending ? '-' : ''}${column}`;
    },
    choose(names, isChosen) {
      const next = new Set(chosen.value);
      for (const name of names)
        if (isChosen) next.add(name);
        else next.delete(name);
      chosen.value = next;
    },
    step(by) {
      const at = rows.value.findIndex(({ name }) => name === shown.value);
      const next = rows.value[Math.max(0, at + by)];
      if (next) shown.value = next.name;
    },
  };
}

function textOf(value: LocationQuery[string] | undefined): string {
  return typeof value === 'string' ? value : '';
}

function readSection(query: LocationQuery): Section | undefined {
  const section = textOf(query['settings']);
  return SECTIONS.find((one) => one === section);
}

function readFilter(query: LocationQuery): StreamFilter {
  const state = textOf(query['state']);
  const isKnown = state === 'trouble' || Object.hasOwn(STATE_LABELS, state);
  // Known values are members of the type.
  return { text: textOf(query['find']), condition: isKnown ? (state as StreamFilter['condition']) : '' };
}

function readOrder(text: string): Order {
  const by = text.replace(/^-/, '');
  // Own keys of the table are its key type.
  return Object.hasOwn(COLUMNS, by)
    ? { by: by as Column, isDescending: text.startsWith('-') }
    : { by: 'name', isDescending: false };
}
