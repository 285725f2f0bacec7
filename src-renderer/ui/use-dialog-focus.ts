import { useEventListener } from '@vueuse/core';
import { watch } from 'vue';

/** Dialog that keeps the focus. */
interface FocusedDialog {
  isOpen(): boolean;
  /** Whether no other dialog was opened after it. */
  isOnTop(): boolean;
  element(): HTMLElement | null;
  close(): void;
}

const FIELDS = 'input:not([type=hidden], [type=file]), select, textarea';
const FOCUSABLE = `${FIELDS}, input[type=file], button, a[href], [tabindex]:not([tabindex="-1"]), [contenteditable=true]`;

/**
 * Keeps the focus in a dialog while it is open: first in the marked field, else in the first field. When the dialog closes, the
 * focus returns to the previous element, unless it has moved elsewhere: the operator may already type in another field while
 * the dialog fades.
 */
export function useDialogFocus({ isOpen, isOnTop, element, close }: FocusedDialog): void {
  let before: Element | null = null;
  watch(isOpen, (isNowOpen) => isNowOpen && (before = document.activeElement), { immediate: true, flush: 'sync' });
  watch(
    () => (isOpen() ? element() : null),
    (dialog, left) => {
      if (dialog) focusFirst(dialog);
      else if (left && mayReturnFocus(left)) returnFocus(before);
    },
    { immediate: true, flush: 'post' },
  );
  useEventListener(document, 'focusin', ({ target }) => {
    const dialog = isOpen() && isOnTop() ? element() : null;
    if (dialog && target instanceof Node && !dialog.contains(target)) focusFirst(dialog);
  });
  // A listener of the window runs after the listeners of the page, which must still see the dialog as open.
  useEventListener(window, 'keydown', (event) => {
    const dialog = isOpen() && isOnTop() ? element() : null;
    if (!dialog || event.defaultPrevented || event.isComposing) return;
    if (event.key === 'Escape') close();
    if (event.key === 'Tab') wrapFocus(dialog, event);
  });
}

/** True if the focus is in the dialog or nowhere. */
function mayReturnFocus(dialog: HTMLElement): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || dialog.contains(activeElement);
}

/** Returns the focus. If no element had the focus before, none gets it, and keys go to the page. */
function returnFocus(before: Element | null): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement) activeElement.blur();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
}

function focusFirst(dialog: HTMLElement): void {
  const first = dialog.querySelector<HTMLElement>('[autofocus]') ?? focusableIn(dialog, FIELDS)[0] ?? dialog;
  first.focus({ preventScroll: true });
}

/** Focusable elements in tab order. */
function focusableIn(dialog: HTMLElement, selector: string): HTMLElement[] {
  return [...dialog.querySelectorAll<HTMLElement>(selector)].filter(
    (one) => !one.matches(':disabled, [tabindex="-1"]') && one.checkVisibility(),
  );
}

/** Wraps the tab order: from the last element to the first, and back. */
function wrapFocus(dialog: HTMLElement, event: KeyboardEvent): void {
  const all = focusableIn(dialog, FOCUSABLE);
  const { activeElement } = document;
  const isAtEnd = activeElement === (event.shiftKey ? all[0] : all.at(-1)) || activeElement === dialog;
  if (!isAtEnd) return;
  event.preventDefault();
  (event.shiftKey ? all.at(-1) : all[0])?.focus();
}
