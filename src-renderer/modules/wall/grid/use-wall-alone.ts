import { computed, type ComputedRef } from 'vue';
import { useRoute, useRouter } from 'vue-router';

/** Wall without rail and toolbar, as on a screen of its own: `?alone=1` in the URL. */
export function useWallAlone(): {
  readonly isAlone: ComputedRef<boolean>;
  /** Hides or shows rail and toolbar. */
  readonly toggle: () => void;
  /** Opens the same wall without rail and toolbar in a new window. */
  readonly openWindow: () => void;
} {
  const route = useRoute();
  const router = useRouter();
  const isAlone = computed(() => route.name === 'wall' && route.query['alone'] !== undefined);
  return {
    isAlone,
    toggle() {
      const { alone, ...query } = route.query;
      void router.replace({ query: alone === undefined ? { ...query, alone: '1' } : query });
    },
    openWindow() {
      const { window: _name, ...query } = route.query;
      const { href } = router.resolve({ name: 'wall', query: { ...query, alone: '1' } });
      window.open(href, '_blank', 'popup,width=1280,height=768');
    },
  };
}
