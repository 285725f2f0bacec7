import { ref, type Ref } from 'vue';
import type { Package } from '../../../src-preload/contract/api/subscriber-objects.ts';
import { useCall } from '../../server/use-call.ts';

/** Packages that are asked for at once. */
const AT_ONCE = 1000;

/** Names of the packages that are shown: a portal may have any number of them. */
export interface PackageNames {
  /** The name of a package; its id while it is not known. */
  nameOf(packageId: string): string;
  /** Asks for the names that are not known. */
  learn(packageIds: readonly string[]): Promise<void>;
  /** Takes what another question gave. */
  take(packages: readonly Package[]): void;
}

/** Keeps the names of the packages of a portal. */
export function usePackageNames(portalId: () => string): PackageNames {
  const call = useCall();
  const names: Ref<ReadonlyMap<string, string>> = ref(new Map());
  const take = (packages: readonly Package[]): void => {
    names.value = new Map([...names.value, ...packages.map(({ packageId, name }) => [packageId, name] as const)]);
  };
  return {
    nameOf: (packageId) => names.value.get(packageId) ?? packageId,
    take,
    async learn(packageIds) {
      const unknown = [...new Set(packageIds)].filter((id) => !names.value.has(id));
      for (let at = 0; at < unknown.length; at += AT_ONCE) {
        const found = await call('subscribers.packages', {
          portalId: portalId(),
          ids: unknown.slice(at, at + AT_ONCE),
        });
        if (found) take(found.packages);
      }
    },
  };
}
