import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

/** A short message at the foot of the desk, with at most one thing to do about it. */
export interface Toast {
  readonly id: number;
  readonly kind: 'info' | 'error';
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
  readonly lastsMs: number;
}

const MAX_TOASTS = 4;

/** A message that was shown. */
export interface Notice {
  readonly id: number;
  readonly kind: Toast['kind'];
  readonly text: string;
  /** Epoch milliseconds. */
  readonly atMs: number;
}

/** Messages that are kept. */
const MAX_NOTICES = 200;

/** The messages that are shown now, oldest first, and those that were shown, newest first. */
export const useToastStore = defineStore('toasts', () => {
  const toasts = shallowRef<readonly Toast[]>([]);
  const past = shallowRef<readonly Notice[]>([]);
  let nextId = 1;

  /** Shows a message and takes it away after its time. */
  function show(toast: Omit<Toast, 'id'>): void {
    const id = nextId++;
    toasts.value = [...toasts.value, { ...toast, id }].slice(-MAX_TOASTS);
    const { kind, text } = toast;
    past.value = [{ id, kind, text, atMs: Date.now() }, ...past.value].slice(0, MAX_NOTICES);
    setTimeout(() => dismiss(id), toast.lastsMs);
  }

  function dismiss(id: number): void {
    toasts.value = toasts.value.filter((toast) => toast.id !== id);
  }

  return { toasts, past, show, dismiss };
});
