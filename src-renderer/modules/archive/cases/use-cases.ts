import { shallowRef, ref, type Ref, type ShallowRef } from 'vue';
import type { CaseItemBody, CaseObject } from '../../../../src-preload/contract/api/archive/case-object.ts';
import { useBridge } from '../../../server/bridge.ts';
import { errorSentence } from '../../../lib/error-advice.ts';
import { useCall } from '../../../server/use-call.ts';
import { useToastStore } from '../../../ui/toast-store.ts';
import { TEXTS } from './texts.ts';

/** Cases of the server and the actions on them; each action shows its error. */
export interface ShownCases {
  /** Newest first; undefined before the first answer. */
  readonly cases: Readonly<ShallowRef<readonly CaseObject[] | undefined>>;
  /** Reason why loading failed; empty after a success. */
  readonly failure: Ref<string>;
  refresh(): Promise<void>;
  create(title: string): Promise<CaseObject | undefined>;
  /** @returns true after success */
  rename(id: string, about: Pick<CaseObject, 'title' | 'note'>): Promise<boolean>;
  /** Deletes a case; can be undone. @returns true after success */
  remove(item: CaseObject): Promise<boolean>;
  /** Adds items to a case; can be undone. @returns true after success */
  add(item: CaseObject, items: CaseItemBody[]): Promise<boolean>;
}

/** Time for which the Undo button of a change is shown, in milliseconds. */
export const UNDO_MS = 10_000;

/** Cases, for use inside a component; loaded on demand. */
export function useCases(): ShownCases {
  const bridge = useBridge();
  const call = useCall();
  const toasts = useToastStore();
  const cases = shallowRef<readonly CaseObject[]>();
  const failure = ref('');

  async function refresh(): Promise<void> {
    const reply = await bridge.call('cases.list', {});
    failure.value = reply.ok ? '' : errorSentence(reply.error);
    if (reply.ok) cases.value = reply.value.cases;
  }
  function offer(text: string, undo: () => Promise<unknown>): void {
    const run = (): void => void undo().then(refresh);
    toasts.show({ kind: 'info', text, action: { label: TEXTS.undo, run }, durationMs: UNDO_MS });
  }
  return {
    cases,
    failure,
    refresh,
    async create(title) {
      const created = await call('cases.create', { title, note: '' });
      if (created) await refresh();
      return created;
    },
    async rename(id, about) {
      const done = await call('cases.rename', { id, ...about });
      if (done) await refresh();
      return done !== undefined;
    },
    async remove({ id, title }) {
      if (!(await call('cases.remove', { id }))) return false;
      offer(TEXTS.removed(title), async () => call('cases.restore', { id }));
      await refresh();
      return true;
    },
    async add({ id, title }, items) {
      const added = await call('cases.add', { id, items });
      if (!added) return false;
      offer(TEXTS.added(title), async () =>
        Promise.all(added.items.map(async (item) => call('cases.take_out', { id, item: item.id }))),
      );
      await refresh();
      return true;
    },
  };
}
