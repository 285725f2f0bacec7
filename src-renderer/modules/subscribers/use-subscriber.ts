import { onMounted, ref, type Ref } from 'vue';
import type { Operation } from '../../../src-preload/contract/api/subscribers/operation-object.ts';
import type { Subscriber } from '../../../src-preload/contract/api/subscribers/subscriber-objects.ts';
import type { CallInput } from '../../../src-preload/contract/index.ts';
import { useCall } from '../../server/use-call.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import { TEXTS } from './texts.ts';
import { usePackageNames, type PackageNames } from './use-package-names.ts';

type Change = CallInput<'subscribers.change'>['change'];
const UNDO_MS = 10_000;

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
  const call = useCall();
  const toasts = useToastStore();
  const subscriber = ref<Subscriber>();
  const operations = ref<readonly Operation[]>([]);
  const isMore = ref(false);
  const isBusy = ref(false);
  const names = usePackageNames(() => ids.portalId);
  const currentIds = () => ({ portalId: ids.portalId, subscriberId: ids.subscriberId });

  async function load(): Promise<void> {
    const [found, history] = await Promise.all([
      call('subscribers.get', currentIds()),
      call('subscribers.operations', currentIds()),
    ]);
    if (found) await names.loadNames([...found.packageIds, ...found.plans.map(({ packageId }) => packageId)]);
    else emit.gone();
    subscriber.value = found ?? subscriber.value;
    operations.value = history?.operations ?? [];
    isMore.value = history?.isMore ?? false;
  }
  onMounted(load);
  async function loadOlder(): Promise<void> {
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
