import { useIntervalFn } from '@vueuse/core';
import { computed, shallowRef, watch, type ComputedRef, type Ref } from 'vue';
import type {
  OperationExport,
  OperationExportCreate,
} from '../../../src-preload/contract/api/subscribers/operation-export-objects.ts';
import { joinAddress } from '../../lib/format.ts';
import { useServerStore } from '../../server/server-store.ts';
import { useCall } from '../../server/use-call.ts';
import type { OperationRange } from './operation-filter.ts';

/** Exports of a portal and their progress. */
export interface ShownExports {
  /** Newest first; empty before the first answer. */
  readonly exports: Readonly<Ref<readonly OperationExport[]>>;
  readonly isRequesting: ComputedRef<boolean>;
  /** Requests an export of the operations that match a filter. It is downloaded when complete, if the page is still open. */
  create(format: OperationExportCreate['format'], range: OperationRange): Promise<void>;
  remove(exportId: string): Promise<void>;
  /** Download address of a complete export. */
  addressOf(one: OperationExport): string;
}

const PERIOD_MS = 1000;

/** Exports of a portal, for use inside a component; polled while one is running. */
export function useOperationExports(portalId: () => string, download: (address: string) => void): ShownExports {
  const call = useCall();
  const server = useServerStore();
  const exports = shallowRef<readonly OperationExport[]>([]);
  const toSave = new Set<string>();
  const isUnfinished = ({ status }: OperationExport): boolean => status === 'queued' || status === 'running';
  const isRequesting = computed(() => exports.value.some(isUnfinished));
  const addressOf = ({ file }: OperationExport): string => joinAddress(server.mediaBase, file ?? '');

  async function load(): Promise<void> {
    const requestedPortal = portalId();
    const reply = await call('portals.exports', { portalId: requestedPortal });
    if (!reply || requestedPortal !== portalId()) return;
    exports.value = reply.exports;
    for (const one of reply.exports) if (one.status === 'done' && toSave.delete(one.exportId)) download(addressOf(one));
  }
  watch(
    portalId,
    () => {
      exports.value = [];
      void load();
    },
    { immediate: true },
  );
  useIntervalFn(() => {
    if (isRequesting.value) void load();
  }, PERIOD_MS);

  return {
    exports,
    isRequesting,
    addressOf,
    async create(format, { type, subscriberId, packageId, fromMs, beforeMs }) {
      const created = await call('portals.create_export', {
        portalId: portalId(),
        format,
        ...(type === undefined ? {} : { types: [type] }),
        ...(subscriberId === undefined ? {} : { subscriberIds: [subscriberId] }),
        ...(packageId === undefined ? {} : { packageId }),
        ...(fromMs === undefined ? {} : { from: new Date(fromMs).toISOString() }),
        ...(beforeMs === undefined ? {} : { before: new Date(beforeMs).toISOString() }),
      });
      if (!created) return;
      toSave.add(created.exportId);
      await load();
    },
    async remove(exportId) {
      toSave.delete(exportId);
      await call('portals.remove_export', { portalId: portalId(), exportId });
      await load();
    },
  };
}
