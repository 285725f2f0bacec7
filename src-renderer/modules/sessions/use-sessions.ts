import { useLocalStorage, watchDebounced } from '@vueuse/core';
import { computed, ref, shallowRef, watch, type ComputedRef, type Ref } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import type { CallOutput, ErrorValue, Reply } from '../../../src-preload/contract/index.ts';
import { SESSIONS_MAX, type SessionRow } from '../../../src-preload/contract/operations/session-calls.ts';
import { useBridge } from '../../server/bridge.ts';
import { errorSentence } from '../../lib/error-advice.ts';
import { useWhileLive } from '../../server/use-while-live.ts';
import { useConfirmStore } from '../../ui/confirm-store.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import { TEXTS } from './texts.ts';
import { readViewerOrder, VIEWER_ORDERS, type ViewerColumn, type ViewerOrder } from './viewer-columns.ts';

/** State of the viewers page. */
export interface ShownSessions {
  /** Stream or file by which the list is filtered; empty for all. */
  readonly name: Ref<string>;
  readonly find: Ref<string>;
  readonly order: ComputedRef<ViewerOrder>;
  /** All matching viewers; only rows near the visible ones are loaded. Undefined before the first answer. */
  readonly sessions: ComputedRef<readonly (SessionRow | undefined)[] | undefined>;
  readonly failure: Ref<ErrorValue | null>;
  /** Ids of the selected sessions. */
  readonly chosen: Ref<ReadonlySet<string>>;
  sortBy(column: ViewerColumn): void;
  /** Reports the range of drawn rows. */
  drawn(from: number, to: number): void;
  choose(ids: readonly string[], isChosen: boolean): void;
  /** Loads all matching viewers, page by page. */
  loadAll(): Promise<readonly SessionRow[]>;
  close(session: SessionRow): Promise<void>;
  closeChosen(): Promise<void>;
}

const POLL_MS = 3_000;
/** Number of rows loaded above and below the drawn ones. */
const MARGIN_ROWS = 60;

/** Name of a viewer: the user if a backend has named one, otherwise the address. */
export function viewerOf({ user_id: user, ip }: SessionRow): string {
  return user === null ? ip : `${user} (${ip})`;
}

/** Viewers, for use inside a component; polled every three seconds, with the filter in the URL. */
export function useSessions(): ShownSessions {
  const bridge = useBridge();
  const confirm = useConfirmStore();
  const toasts = useToastStore();
  const route = useRoute();
  const router = useRouter();
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const saved = useLocalStorage('airdesk.viewers.order', '-since');
  const name = ref(text(route.query['name']));
  const find = ref(text(route.query['find']));
  const sort = ref(text(route.query['sort']) || saved.value);
  const order = computed(() => readViewerOrder(sort.value));
  const chosen = ref<ReadonlySet<string>>(new Set());
  const reply = shallowRef<{
    readonly from: number;
    readonly sessions: readonly SessionRow[];
    readonly total: number;
  }>();
  const failure = shallowRef<ErrorValue | null>(null);
  let drawnRows = { from: 0, to: MARGIN_ROWS };

  function call(from: number, count: number): Promise<Reply<CallOutput<'sessions.list'>>> {
    const { column, isDescending } = order.value;
    const { by, isReversed = false } = VIEWER_ORDERS[column];
    return bridge.call('sessions.list', {
      ...(name.value.trim() === '' ? {} : { name: name.value.trim() }),
      ...(find.value.trim() === '' ? {} : { find: find.value.trim() }),
      by,
      is_down: isDescending !== isReversed,
      from,
      count,
    });
  }

  /** Number of the last request; late answers to earlier requests are dropped. */
  let lastRequest = 0;
  async function load(): Promise<void> {
    const ownRequest = ++lastRequest;
    const from = Math.max(0, drawnRows.from - MARGIN_ROWS);
    const answer = await call(from, Math.min(SESSIONS_MAX, drawnRows.to + MARGIN_ROWS - from));
    if (ownRequest !== lastRequest) return;
    if (answer.ok) [reply.value, failure.value] = [{ from, ...answer.value }, null];
    else if (answer.error.code !== 'unavailable') failure.value = answer.error;
  }
  watchDebounced(
    [name, find],
    () => {
      chosen.value = new Set();
      void load();
    },
    { debounce: 250 },
  );
  watch(sort, () => {
    saved.value = sort.value;
    void load();
  });
  watch([name, find, sort], () => {
    void router.replace({
      query: {
        ...(name.value ? { name: name.value } : {}),
        ...(find.value ? { find: find.value } : {}),
        ...(sort.value === '-since' ? {} : { sort: sort.value }),
      },
    });
  });
  useWhileLive(() => void load(), POLL_MS);

  async function loadAll(): Promise<readonly SessionRow[]> {
    const found: SessionRow[] = [];
    for (;;) {
      const answer = await call(found.length, SESSIONS_MAX);
      if (!answer.ok) {
        showError(answer.error);
        return [];
      }
      found.push(...answer.value.sessions);
      if (answer.value.sessions.length < SESSIONS_MAX) return found;
    }
  }

  function showError(error: ErrorValue): void {
    toasts.show({ kind: 'error', text: errorSentence(error), durationMs: 10_000 });
  }

  async function closeChosen(): Promise<void> {
    const ids = [...chosen.value];
    const isSure = await confirm.requestAnswer({
      title: TEXTS.closeManyTitle(ids.length),
      body: TEXTS.closeManyBody,
      confirmLabel: TEXTS.close,
      isDestructive: true,
    });
    if (!isSure) return;
    let closed = 0;
    for (let at = 0; at < ids.length; at += SESSIONS_MAX) {
      const answer = await bridge.call('sessions.close_all', { ids: ids.slice(at, at + SESSIONS_MAX) });
      if (!answer.ok) {
        showError(answer.error);
        break;
      }
      closed += answer.value.closed;
    }
    chosen.value = new Set();
    if (closed > 0) toasts.show({ kind: 'info', text: TEXTS.closedMany(closed), durationMs: 4_000 });
    await load();
  }

  async function close(session: SessionRow): Promise<void> {
    const viewer = viewerOf(session);
    const isSure = await confirm.requestAnswer({
      title: TEXTS.closeTitle,
      body: TEXTS.closeBody(session.name, viewer),
      confirmLabel: TEXTS.close,
      isDestructive: true,
    });
    if (!isSure) return;
    const answer = await bridge.call('sessions.close', { id: session.id });
    if (answer.ok) toasts.show({ kind: 'info', text: TEXTS.closed(viewer), durationMs: 4_000 });
    else showError(answer.error);
    await load();
  }

  return {
    name,
    find,
    order,
    failure,
    chosen,
    loadAll,
    close,
    closeChosen,
    sessions: computed(() => {
      if (!reply.value) return undefined;
      const rows = new Array<SessionRow | undefined>(reply.value.total).fill(undefined);
      for (const [at, session] of reply.value.sessions.entries()) rows[reply.value.from + at] = session;
      return rows;
    }),
    sortBy(column) {
      const isFirst = order.value.column !== column;
      sort.value = `${(isFirst ? column === 'since' || column === 'duration' || column === 'bytes' : !order.value.isDescending) ? '-' : ''}${column}`;
    },
    drawn(from, to) {
      drawnRows = { from, to };
      const known = reply.value;
      if (known && (from < known.from || to > known.from + known.sessions.length)) void load();
    },
    choose(ids, isChosen) {
      const next = new Set(chosen.value);
      for (const id of ids)
        if (isChosen) next.add(id);
        else next.delete(id);
      chosen.value = next;
    },
  };
}
