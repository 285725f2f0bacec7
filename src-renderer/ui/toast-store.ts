import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

/** Short message at the bottom of the desk, with at most one action. */
export interface Toast {
  readonly id: number;
  readonly kind: 'info' | 'error';
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
  readonly durationMs: number;
}

const MAX_TOASTS = 4;

/** Entry of the message history. */
export interface Notice {
  readonly id: number;
  readonly kind: Toast['kind'];
  readonly text: string;
  /** Epoch milliseconds. */
  readonly atMs: number;
}

/** Maximum number of messages in the history. */
const MAX_NOTICES = 200;

/** Messages on screen, oldest first, and the message history, newest first. */
export const useToastStore = defineStore('toasts', () => {
  const toasts = shallowRef<readonly Toast[]>([]);
  const past = shallowRef<readonly Notice[]>([]);
  let nextId = 1;

  /** Shows a message, and removes it after its time. */
  function show(toast: Omit<Toast, 'id'>): void {
    const id = nextId++;
    toasts.value = [...toasts.value, { ...toast, id }].slice(-MAX_TOASTS);
    const { kind, text } = toast;
    past.value = [{ id, kind, text, atMs: Date.now() }, ...past.value].slice(0, MAX_NOTICES);
    setTimeout(() => dismiss(id), toast.durationMs);
  }

  function dismiss(id: number): void {
    toasts.value = toasts.value.filter((toast) => toast.id !== id);
  }

  return { toasts, past, show, dismiss };
});
