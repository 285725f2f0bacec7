import { useEventListener } from '@vueuse/core';
import { watch } from 'vue';

/** What a dialog holds the focus with. */
interface FocusedDialog {
  isOpen(): boolean;
  /** Whether no other one was opened since. */
  isOnTop(): boolean;
  element(): HTMLElement | null;
  close(): void;
}

const FIELDS = 'input:not([type=hidden], [type=file]), select, textarea';
const REACHED = `${FIELDS}, input[type=file], button, a[href], [tabindex]:not([tabindex="-1"]), [contenteditable=true]`;

/**
 * Holds the focus in a dialog for as long as it is open: at first in the field that is meant, else in the first one. It goes back once, when the dialog closes, and only if nobody has put it
 * elsewhere: an operator types on while the dialog is still seen to go.
 */
export function useDialogFocus({ isOpen, isOnTop, element, close }: FocusedDialog): void {
  let before: Element | null = null;
  watch(isOpen, (isNowOpen) => isNowOpen && (before = document.activeElement), { immediate: true, flush: 'sync' });
  watch(
    () => (isOpen() ? element() : null),
    (dialog, left) => {
      if (dialog) begin(dialog);
      else if (left && isLoose(left)) giveBack(before);
    },
    { immediate: true, flush: 'post' },
  );
  useEventListener(document, 'focusin', ({ target }) => {
    const dialog = isOpen() && isOnTop() ? element() : null;
    if (dialog && target instanceof Node && !dialog.contains(target)) begin(dialog);
  });
  // Behind those of the page, for which the dialog is still open then.
  useEventListener(window, 'keydown', (event) => {
    const dialog = isOpen() && isOnTop() ? element() : null;
    if (!dialog || event.defaultPrevented || event.isComposing) return;
    if (event.key === 'Escape') close();
    if (event.key === 'Tab') goRound(dialog, event);
  });
}

/** Whether nobody has put the focus elsewhere than into a dialog. */
function isLoose(dialog: HTMLElement): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || dialog.contains(activeElement);
}

/** Gives the focus back; where nothing had it nothing has it again, and keys are those of the page. */
function giveBack(before: Element | null): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement) activeElement.blur();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
}

function begin(dialog: HTMLElement): void {
  const first = dialog.querySelector<HTMLElement>('[autofocus]') ?? reached(dialog, FIELDS)[0] ?? dialog;
  first.focus({ preventScroll: true });
}

/** What can have the focus, in the order of the keyboard. */
function reached(dialog: HTMLElement, selector: string): HTMLElement[] {
  return [...dialog.querySelectorAll<HTMLElement>(selector)].filter(
    (one) => !one.matches(':disabled, [tabindex="-1"]') && one.checkVisibility(),
  );
}

/** Goes from the last one to the first, and back. */
function goRound(dialog: HTMLElement, event: KeyboardEvent): void {
  const all = reached(dialog, REACHED);
  const { activeElement } = document;
  const isAtEnd = activeElement === (event.shiftKey ? all[0] : all.at(-1)) || activeElement === dialog;
  if (!isAtEnd) return;
  event.preventDefault();
  (event.shiftKey ? all.at(-1) : all[0])?.focus();
}
