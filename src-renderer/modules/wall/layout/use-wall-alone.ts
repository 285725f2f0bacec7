import { computed, type ComputedRef } from 'vue';
import { useRoute, useRouter } from 'vue-router';

/** Whether the wall stands alone: without rail and toolbar, as on a screen of its own. The address says so: `?alone=1`. */
export function useWallAlone(): {
  readonly isAlone: ComputedRef<boolean>;
  /** Leaves rail and toolbar away, or brings them back. */
  readonly toggle: () => void;
  /** Shows the same wall alone in a window of its own: a further one of the browser, or of the application. */
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
