import { watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { useWallStore } from '../store.ts';

/**
 * Keeps what the wall shows in the address, so that a link or a second monitor shows the same: `?page=2`, counted from 1, and `?solo=cam1`.
 * An address without them leaves the wall as it is. What it asks for is done as soon as the streams are there.
 */
export function useWallAddress(): void {
  const wall = useWallStore();
  const route = useRoute();
  const router = useRouter();

  watch(
    [() => route.query, () => wall.order.length > 0],
    ([{ page, solo }, isFilled]) => {
      if (!isFilled) return;
      if (page !== undefined) wall.setPage(Math.trunc(Number(page)) - 1 || 0);
      if (typeof solo === 'string' && wall.order.includes(solo)) wall.setSolo(solo);
    },
    { immediate: true },
  );
  watch([() => wall.page, () => wall.solo], ([page, solo]) => {
    void router.replace({ query: { ...(page > 0 ? { page: page + 1 } : {}), ...(solo === null ? {} : { solo }) } });
  });
}
