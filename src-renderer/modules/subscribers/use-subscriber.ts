import { onMounted, ref, type Ref } from 'vue';
import type { Operation } from '../../../src-preload/contract/api/subscribers/operation-object.ts';
import type { Subscriber } from '../../../src-preload/contract/api/subscribers/subscriber-objects.ts';
import type { CallInput } from '../../../src-preload/contract/index.ts';
import { useBridge } from '../../server/bridge.ts';
import { useCall } from '../../server/use-call.ts';
import { useWhileLive } from '../../server/use-while-live.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import { TEXTS } from './texts.ts';
import { usePackageNames, type PackageNames } from './use-package-names.ts';

type Change = CallInput<'subscribers.change'>['change'];
const UNDO_MS = 10_000;
/** Interval at which the card follows changes by others, in milliseconds. */
const POLL_MS = 5_000;

/** One subscriber with its history. */
export interface ShownSubscriber {
  readonly subscriber: Ref<Subscriber | undefined>;
  /** Newest first. */
  readonly operations: Ref<readonly Operation[]>;
  /** Whether there are older operations. */
  readonly isMore: Ref<boolean>;
  readonly isBusy: Ref<boolean>;
  readonly names: PackageNames;
  load(): Promise<void>;
  loadOlder(): Promise<void>;
  /** Applies a change, and offers to undo it. @param undoing change that undoes the first one */
  applyChange(change: Change, done?: string, undoing?: Change): Promise<boolean>;
}

/** Loads a subscriber and its history, for use inside a component. */
export function useSubscriber(
  ids: { readonly portalId: string; readonly subscriberId: string },
  emit: { changed(): void; gone(): void },
): ShownSubscriber {
  const bridge = useBridge();
  const call = useCall();
  const toasts = useToastStore();
  const subscriber = ref<Subscriber>();
  const operations = ref<readonly Operation[]>([]);
  const isMore = ref(false);
  const isBusy = ref(false);
  /** Whether operations of further pages are shown; they would be lost by loading the first page again. */
  let areOlderShown = false;
  const names = usePackageNames(() => ids.portalId);
  const currentIds = () => ({ portalId: ids.portalId, subscriberId: ids.subscriberId });

  async function load(): Promise<void> {
    const [found, history] = await Promise.all([
      bridge.call('subscribers.get', currentIds()),
      bridge.call('subscribers.operations', currentIds()),
    ]);
    if (found.ok) {
      const { packageIds, plans } = found.value;
      await names.loadNames([...packageIds, ...plans.map(({ packageId }) => packageId)]);
      subscriber.value = found.value;
    } else if (found.error.code === 'subscriber_not_found') emit.gone();
    // The last values stay while the server is away; the page shows that they are stale.
    if (!history.ok) return;
    operations.value = history.value.operations;
    isMore.value = history.value.isMore;
    areOlderShown = false;
  }
  onMounted(load);
  useWhileLive(() => {
    if (subscriber.value && !areOlderShown && !isBusy.value) void load();
  }, POLL_MS);
  async function loadOlder(): Promise<void> {
    areOlderShown = true;
    const afterId = operations.value.at(-1)?.operationId;
    const history = await call('subscribers.operations', { ...currentIds(), ...(afterId ? { afterId } : {}) });
    operations.value = [...operations.value, ...(history?.operations ?? [])];
    isMore.value = history?.isMore ?? false;
  }
  async function applyChange(change: Change, done?: string, undoing?: Change): Promise<boolean> {
    isBusy.value = true;
    const reply = await call('subscribers.change', { portalId: ids.portalId, change });
    isBusy.value = false;
    if (!reply) return false;
    const action = undoing && { action: { label: TEXTS.undo, run: () => void applyChange(undoing) } };
    if (done !== undefined) toasts.show({ kind: 'info', text: done, durationMs: UNDO_MS, ...action });
    emit.changed();
    if (change.type !== 'deleteSubscriber') await load();
    return true;
  }
  return { subscriber, operations, isMore, isBusy, names, load, loadOlder, applyChange };
}
