import { useIntervalFn, watchDebounced } from '@vueuse/core';
import { computed, ref, shallowRef, type ComputedRef, type Ref } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import type { ErrorValue } from '../../../src-preload/contract/index.ts';
import type { SessionRow } from '../../../src-preload/contract/session-calls.ts';
import { useBridge } from '../../bridge.ts';
import { errorSentence } from '../../lib/error-advice.ts';
import { useServerStore } from '../../server/server-store.ts';
import { useConfirmStore } from '../../ui/confirm-store.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import { TEXTS } from './texts.ts';

/** What the page of viewers shows. */
export interface ShownSessions {
  /** Of this stream or file alone; empty for all. */
  readonly name: Ref<string>;
  readonly find: Ref<string>;
  /** Newest first; undefined before the first answer. */
  readonly sessions: ComputedRef<readonly SessionRow[] | undefined>;
  /** How many fit, listed or not. */
  readonly total: ComputedRef<number>;
  readonly failure: Ref<ErrorValue | null>;
  close(session: SessionRow): Promise<void>;
}

const ASK_MS = 3_000;

/** The name of a viewer: the user where a backend named one, or the address. */
export function viewerOf({ user_id: user, ip }: SessionRow): string {
  return user === null ? ip : `${user} (${ip})`;
}

/** The viewers, inside a component: asked for again every three seconds, with the filter in the address of the page. */
export function useSessions(): ShownSessions {
  const bridge = useBridge();
  const server = useServerStore();
  const confirm = useConfirmStore();
  const toasts = useToastStore();
  const route = useRoute();
  const router = useRouter();
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const name = ref(text(route.query['name']));
  const find = ref(text(route.query['find']));
  const reply = shallowRef<{ readonly sessions: readonly SessionRow[]; readonly total: number }>();
  const failure = shallowRef<ErrorValue | null>(null);

  /** Counts questions: an answer that comes late is of no use. */
  let asked = 0;
  async function ask(): Promise<void> {
    const turn = ++asked;
    const answer = await bridge.call('sessions.list', {
      ...(name.value.trim() === '' ? {} : { name: name.value.trim() }),
      ...(find.value.trim() === '' ? {} : { find: find.value.trim() }),
    });
    if (turn !== asked) return;
    if (answer.ok) [reply.value, failure.value] = [answer.value, null];
    else if (answer.error.code !== 'unavailable') failure.value = answer.error;
  }
  watchDebounced(
    [name, find],
    () => {
      void router.replace({
        query: { ...(name.value ? { name: name.value } : {}), ...(find.value ? { find: find.value } : {}) },
      });
      void ask();
    },
    { debounce: 250 },
  );
  useIntervalFn(
    () => {
      if (server.link.phase === 'live') void ask();
    },
    ASK_MS,
    { immediateCallback: true },
  );

  async function close(session: SessionRow): Promise<void> {
    const viewer = viewerOf(session);
    const isSure = await confirm.ask({
      title: TEXTS.closeTitle,
      body: TEXTS.closeBody(session.name, viewer),
      confirmLabel: TEXTS.close,
      isDanger: true,
    });
    if (!isSure) return;
    const answer = await bridge.call('sessions.close', { id: session.id });
    if (answer.ok) toasts.show({ kind: 'info', text: TEXTS.closed(viewer), lastsMs: 4_000 });
    else toasts.show({ kind: 'error', text: errorSentence(answer.error), lastsMs: 10_000 });
    await ask();
  }

  return {
    name,
    find,
    sessions: computed(() => reply.value?.sessions),
    total: computed(() => reply.value?.total ?? 0),
    failure,
    close,
  };
}
