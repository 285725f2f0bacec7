import { watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { useWallStore } from '../store.ts';
import { useWallsStore } from './walls-store.ts';

/**
 * Keeps what the wall shows in the address, so that a link or a second monitor shows the same: `?wall=Gallery`, `?page=2`, counted from 1, and `?solo=cam1`.
 * `?group=news` and `?find=cam` leave some streams, `?carousel=10` turns the pages every ten seconds, and `?window=left` names the window, for production systems that choose what it shows; `?alone=1` stays.
 * An address without them leaves the wall as it is. What it asks for is done as soon as the streams are there, and the walls of the server where it names one.
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
  watch(
    [
      () => wall.named?.name,
      () => wall.page,
      () => wall.solo,
      () => wall.carouselSeconds,
      () => wall.group,
      () => wall.find,
    ],
    ([name, page, solo, carousel, group, find]) => {
      void router.replace({
        query: {
          ...(name === undefined ? {} : { wall: name }),
          ...(page > 0 ? { page: page + 1 } : {}),
          ...(solo === null ? {} : { solo }),
          ...(group === null ? {} : { group }),
          ...(find === '' ? {} : { find }),
          ...(carousel === 0 ? {} : { carousel }),
          ...(typeof route.query['window'] === 'string' ? { window: route.query['window'] } : {}),
          ...(route.query['alone'] === undefined ? {} : { alone: '1' }),
        },
      });
    },
  );
}
