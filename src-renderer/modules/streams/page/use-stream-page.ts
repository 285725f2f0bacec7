import { refThrottled, useLocalStorage } from '@vueuse/core';
import { computed, ref, watch, type ComputedRef, type Ref } from 'vue';
import { useRoute, useRouter, type LocationQuery } from 'vue-router';
import { useServerStore } from '../../../server/server-store.ts';
import { useNow } from '../../../server/use-now.ts';
import { useStreamsStore } from '../store.ts';
import { useTableColumns, type TableColumns } from '../../../ui/use-table-columns.ts';
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
import { STATE_WORDS } from './texts.ts';

/** What the page of streams shows. */
export interface StreamPage {
  readonly filter: Ref<StreamFilter>;
  readonly order: ComputedRef<Order>;
  readonly rows: ComputedRef<readonly StreamRow[]>;
  /** The stream whose details are shown; empty for none. */
  readonly shown: Ref<string>;
  readonly chosen: Ref<ReadonlySet<string>>;
  readonly table: TableColumns;
  sortBy(column: Column): void;
  choose(names: readonly string[], isChosen: boolean): void;
  /** Shows the stream above or below the one that is shown. */
  step(by: 1 | -1): void;
}

/** How seldom figures move rows: a table that jumps cannot be clicked. */
const ORDER_MS = 1_000;

/** The state of the page, inside a component: filter, order and the stream that is shown stand in the address, and the order on this machine. */
export function useStreamPage(): StreamPage {
  const streams = useStreamsStore();
  const server = useServerStore();
  const { pageMs } = useNow();
  const route = useRoute();
  const router = useRouter();
  const saved = useLocalStorage('airdesk.streams.order', 'name');

  const filter = ref(readFilter(route.query));
  const sort = ref(textOf(route.query['sort']) || saved.value);
  const shown = ref(textOf(route.query['name']));
  const chosen = ref<ReadonlySet<string>>(new Set());

  watch([filter, sort, shown], ([{ text, condition }, by, name]) => {
    saved.value = by;
    void router.replace({
      query: {
        ...(text === '' ? {} : { find: text }),
        ...(condition === '' ? {} : { state: condition }),
        ...(by === 'name' ? {} : { sort: by }),
        ...(name === '' ? {} : { name }),
      },
    });
  });
  // The page is not made anew by a link that leads from it to itself.
  watch(
    () => route.query['name'],
    (name) => {
      if (name !== undefined) shown.value = textOf(name);
    },
  );

  const table = useTableColumns('streams', STREAM_COLUMNS, () => (server.mayOperate ? { before: '1.4rem' } : {}));
  const order = computed(() => readOrder(sort.value));
  const heard = refThrottled(
    computed(() => streams.byName),
    ORDER_MS,
  );
  const names = computed<NameOrder>((before) => orderOf([...heard.value.keys()], before));
  const rows = computed(() => {
    // While nothing is heard, frames may come unseen: they do not grow old.
    const nowMs = server.isStale ? 0 : pageMs.value;
    return rowsOf(heard.value.values(), filter.value, order.value, nowMs, names.value);
  });
  // What is gone cannot be chosen.
  watch(heard, (all) => {
    const left = [...chosen.value].filter((name) => all.has(name));
    if (left.length !== chosen.value.size) chosen.value = new Set(left);
  });

  return {
    filter,
    order,
    rows,
    shown,
    chosen,
    table,
    sortBy(column) {
      const isDown = order.value.by === column ? !order.value.isDown : COLUMNS[column];
      sort.value = `${isDown ? '-' : ''}${column}`;
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

function readFilter(query: LocationQuery): StreamFilter {
  const state = textOf(query['state']);
  const isKnown = state === 'trouble' || Object.hasOwn(STATE_WORDS, state);
  // What is known is of the type.
  return { text: textOf(query['find']), condition: isKnown ? (state as StreamFilter['condition']) : '' };
}

function readOrder(text: string): Order {
  const by = text.replace(/^-/, '');
  // Own keys of the table are its key type.
  return Object.hasOwn(COLUMNS, by)
    ? { by: by as Column, isDown: text.startsWith('-') }
    : { by: 'name', isDown: false };
}
