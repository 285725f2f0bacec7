import { ref, type Ref } from 'vue';
import type { Package } from '../../../src-preload/contract/api/subscribers/subscriber-objects.ts';
import { useCall } from '../../server/use-call.ts';

/** Maximum number of packages in one request. */
const MAX_IDS = 1000;

/** Names of the packages on the page. A portal may have any number of packages. */
export interface PackageNames {
  /** Name of a package; its id while the name is unknown. */
  nameOf(packageId: string): string;
  /** Requests unknown names. */
  loadNames(packageIds: readonly string[]): Promise<void>;
  /** Adds names from the answer to another request. */
  addNames(packages: readonly Package[]): void;
}

/** Cache of the package names of a portal. */
export function usePackageNames(portalId: () => string): PackageNames {
  const call = useCall();
  const names: Ref<ReadonlyMap<string, string>> = ref(new Map());
  const addNames = (packages: readonly Package[]): void => {
    names.value = new Map([...names.value, ...packages.map(({ packageId, name }) => [packageId, name] as const)]);
  };
  return {
    nameOf: (packageId) => names.value.get(packageId) ?? packageId,
    addNames,
    async loadNames(packageIds) {
      const unknown = [...new Set(packageIds)].filter((id) => !names.value.has(id));
      for (let at = 0; at < unknown.length; at += MAX_IDS) {
        const found = await call('subscribers.packages', {
          portalId: portalId(),
          ids: unknown.slice(at, at + MAX_IDS),
        });
        if (found) addNames(found.packages);
      }
    },
  };
}
