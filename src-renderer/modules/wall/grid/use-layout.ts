import { useLocalStorage, useMediaQuery, useWindowSize } from '@vueuse/core';
import { watch } from 'vue';
import { useRoute } from 'vue-router';
import { wallLayoutSchema, wallOverlaysSchema } from '../../../../src-preload/contract/operations/wall-calls.ts';
import { useBridge } from '../../../server/bridge.ts';
import { useServerStore } from '../../../server/server-store.ts';
import { useBridgeFeed } from '../../../server/use-bridge-feed.ts';
import { usePenaltyBox } from './use-penalty-box.ts';
import { usePicturesStore } from '../stills/pictures-store.ts';
import { useWallStore } from '../store.ts';
import { useLabelsStore } from '../tile/labels-store.ts';
import { useCarousel } from './use-carousel.ts';
import { useWallAddress } from './use-wall-address.ts';
import { useWallsStore } from './walls-store.ts';

/** Below this window width, in CSS pixels, the tiles form a single column. */
const NARROW_PX = 600;

/**
 * Stores the operator's layout on this machine, so that the wall looks the same after a restart; keeps page and solo
 * in the URL; and switches to a single column in a narrow window.
 */
export function useLayout(): void {
  const wall = useWallStore();
  const saved = useLocalStorage('airdesk.wall.layout', '');
  const known = wallLayoutSchema.nullable().catch(null).parse(jsonOf(saved.value));
  if (known !== null) wall.restore({ chosenLayout: known, named: wall.named, places: wall.places });
  watch(
    () => wall.chosenLayout,
    (layout) => {
      saved.value = layout === null ? '' : JSON.stringify(layout);
    },
  );
  const overlays = useLocalStorage('airdesk.wall.overlays', '');
  wall.setOverlays(wallOverlaysSchema.catch([]).parse(jsonOf(overlays.value)));
  watch(
    () => wall.overlays,
    (chosen) => {
      overlays.value = JSON.stringify(chosen);
    },
  );
  const pictures = usePicturesStore();
  const savedPictures = useLocalStorage('airdesk.wall.pictures', '');
  if (savedPictures.value === 'video' || savedPictures.value === 'stills') pictures.setPictures(savedPictures.value);
  watch(
    () => pictures.pictures,
    (chosen) => {
      savedPictures.value = chosen;
    },
  );
  const { width, height } = useWindowSize();
  watch([width, height], () => wall.setAspect(width.value / Math.max(1, height.value)), { immediate: true });
  const isNarrow = useMediaQuery(`(max-width: ${NARROW_PX}px)`);
  watch(isNarrow, (isNow) => wall.setNarrow(isNow), { immediate: true });
  useWallAddress();
  useCarousel();
  usePenaltyBox();
  const bridge = useBridge();
  const walls = useWallsStore();
  const loadWalls = async (): Promise<void> => {
    const reply = await bridge.call('walls.list', {});
    walls.set(reply.ok ? reply.value.walls : []);
  };
  const labels = useLabelsStore();
  const route = useRoute();
  /**
   * Shows the wall that a production system selected for this window. It may have been saved just now, so the list is loaded
   * again.
   */
  const recall = async (name: string, window: string | undefined): Promise<void> => {
    if (window !== undefined && window !== route.query['window']) return;
    await loadWalls();
    const named = walls.list.find((one) => one.name === name);
    if (named) wall.recall(named);
  };
  const server = useServerStore();
  // Once the login is known, and after each lost connection.
  watch(
    () => server.link.phase === 'live' && server.may('walls', 'view'),
    (mayLoad) => {
      if (mayLoad) void loadWalls();
    },
    { immediate: true },
  );
  useBridgeFeed({
    topics: {
      wall: (message) => {
        labels.apply(message);
        if (message.recalled) void recall(message.recalled.wall, message.recalled.window);
      },
    },
  });
}

/** Parses JSON; null for invalid text. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
