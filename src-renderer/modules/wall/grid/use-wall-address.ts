import { computed, watch } from 'vue';
import { useRoute, useRouter, type LocationQuery } from 'vue-router';
import { useWallStore } from '../store.ts';
import { useWallsStore } from './walls-store.ts';

/**
 * Keeps the view of the wall in the URL, so that a link or a second monitor shows the same: `?wall=Gallery`, `?page=2` from 1,
 * and `?solo=cam1`. `?group=news` and `?find=cam` filter streams, `?carousel=10` rotates the pages every ten seconds,
 * `?window=left` names the window for production systems, and `?alone=1` hides rail and toolbar. A URL without parameters keeps
 * the present view, and then gets the parameters of that view. Parameters apply once the streams are loaded; a named wall once
 * the list of walls is loaded.
 */
export function useWallAddress(): void {
  const wall = useWallStore();
  const walls = useWallsStore();
  const route = useRoute();
  const router = useRouter();

  watch(
    [() => route.query, () => wall.present.length > 0, () => walls.isAnswered],
    ([{ wall: name, page, solo, carousel, group, find }, isFilled, isAnswered]) => {
      if (!isFilled || (name !== undefined && !isAnswered)) return;
      const named = walls.list.find((one) => one.name === name);
      if (named !== undefined && wall.named?.name !== name) wall.recall(named);
      if (typeof group === 'string' || typeof find === 'string')
        wall.setFilter(typeof group === 'string' ? group : null, typeof find === 'string' ? find : '');
      if (carousel !== undefined) wall.setCarousel(Number(carousel));
      if (page !== undefined) wall.setPage(Math.trunc(Number(page)) - 1 || 0);
      if (typeof solo === 'string' && wall.order.includes(solo)) wall.setSolo(solo);
    },
    { immediate: true },
  );
  const shown = computed(() => ({
    ...(wall.named === null ? {} : { wall: wall.named.name }),
    ...(wall.page > 0 ? { page: String(wall.page + 1) } : {}),
    ...(wall.solo === null ? {} : { solo: wall.solo }),
    ...(wall.group === null ? {} : { group: wall.group }),
    ...(wall.find === '' ? {} : { find: wall.find }),
    ...(wall.carouselSeconds === 0 ? {} : { carousel: String(wall.carouselSeconds) }),
  }));
  const writeAddress = (): void => {
    const { window, alone } = route.query;
    const query = {
      ...shown.value,
      ...(typeof window === 'string' ? { window } : {}),
      ...(alone === undefined ? {} : { alone: '1' }),
    };
    void router.replace({ query });
  };
  watch(() => JSON.stringify(shown.value), writeAddress);
  // A link to the wall without parameters returns to the last view.
  watch(
    () => isRequesting(route.query) || route.name !== 'wall',
    (isOther) => {
      if (!isOther && Object.keys(shown.value).length > 0) writeAddress();
    },
    { immediate: true },
  );
}

/** True if a URL selects a view. */
function isRequesting({ wall, page, solo, carousel, group, find }: LocationQuery): boolean {
  return [wall, page, solo, carousel, group, find].some((one) => one !== undefined);
}
