import { ref, shallowRef, type Ref, type ShallowRef } from 'vue';
import type { CaseItem } from '../../../../src-preload/contract/api/archive/case-object.ts';
import { useBridge } from '../../../server/bridge.ts';
import { errorSentence } from '../../../lib/error-advice.ts';
import { useCall } from '../../../server/use-call.ts';
import { useToastStore } from '../../../ui/toast-store.ts';
import { idsByTime, movedIds } from './case-items.ts';
import { TEXTS } from './texts.ts';
import { UNDO_MS } from './use-cases.ts';

/** Items of a case and the actions on them; each action shows its error. */
export interface ShownCaseItems {
  /** Undefined before the first answer. */
  readonly items: Readonly<ShallowRef<readonly CaseItem[] | undefined>>;
  /** Reason why loading failed; empty after a success. */
  readonly failure: Ref<string>;
  load(): Promise<void>;
  /** Moves an item up (-1) or down (1) by one place. */
  move(item: CaseItem, by: 1 | -1): Promise<void>;
  orderByTime(): Promise<void>;
  /** Removes an item; can be undone. */
  remove(item: CaseItem): Promise<void>;
}

/** Items of a case, for use inside a component; loaded at once. @param changed called after a change of the number of items */
export function useCaseItems(id: string, changed: () => Promise<void>): ShownCaseItems {
  const bridge = useBridge();
  const call = useCall();
  const toasts = useToastStore();
  const items = shallowRef<readonly CaseItem[]>();
  const failure = ref('');

  async function load(): Promise<void> {
    const reply = await bridge.call('cases.items', { id });
    failure.value = reply.ok ? '' : errorSentence(reply.error);
    if (reply.ok) items.value = reply.value.items;
  }
  let lastOrder = 0;
  async function order(ids: string[]): Promise<void> {
    const before = items.value ?? [];
    // The order is changed before the server answers, so that the next click hits the button at the new place of the item.
    items.value = ids.flatMap((one) => before.find((item) => item.id === one) ?? []);
    const ownOrder = ++lastOrder;
    const ordered = await call('cases.order', { id, order: ids });
    if (ownOrder !== lastOrder) return;
    if (ordered) items.value = ordered.items;
    else await load();
  }
  async function refresh(): Promise<void> {
    await load();
    await changed();
  }
  void load();
  return {
    items,
    failure,
    load,
    move: async (item, by) => order(movedIds(items.value ?? [], item.id, by)),
    orderByTime: async () => order(idsByTime(items.value ?? [])),
    async remove({ id: item }) {
      if (!(await call('cases.take_out', { id, item }))) return;
      const run = (): void => void call('cases.put_back', { id, item }).then(refresh);
      toasts.show({ kind: 'info', text: TEXTS.takenOut, action: { label: TEXTS.undo, run }, durationMs: UNDO_MS });
      await refresh();
    },
  };
}
