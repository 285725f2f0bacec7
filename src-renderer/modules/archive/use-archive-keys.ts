import { useEventListener } from '@vueuse/core';
import { useOverlayStore } from '../../ui/overlay-store.ts';

/** Actions by `event.key` in lower case; with Shift, prefixed by `shift+`. */
export type ArchiveKeys = Readonly<Record<string, () => unknown>>;

/** Handles the keys of the page. Dialogs and fields keep their own keys. */
export function useArchiveKeys(keys: ArchiveKeys): void {
  const overlays = useOverlayStore();
  useEventListener(document, 'keydown', (event) => {
    if (overlays.isAnyOpen || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLElement) {
      if (event.target.matches('input, textarea, select') || event.target.isContentEditable) return;
      // Space and Enter press the focused button.
      if (event.target.matches('button, a') && (event.key === ' ' || event.key === 'Enter')) return;
    }
    const key = event.key.toLowerCase();
    const run = (event.shiftKey ? keys[`shift+${key}`] : undefined) ?? keys[key];
    if (!run) return;
    event.preventDefault();
    run();
  });
}
