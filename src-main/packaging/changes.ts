import type { ChangingWindow } from '../segment/segment-window.ts';

/** Waits for changes of a window. To be closed. */
export interface Changes {
  /** Whether the signal has come. */
  readonly isOver: boolean;
  /** Comes with the next change, with the signal, or at once where something has changed since the last call. */
  next(): Promise<void>;
  close(): void;
}

/** Listens to a window for a reader at its own pace. */
export function changesOf(window: ChangingWindow, signal: AbortSignal | undefined): Changes {
  let hasChanged = false;
  let wake: (() => void) | undefined;
  const heard = (): void => {
    hasChanged = true;
    wake?.();
  };
  const stop = window.onChange(heard);
  signal?.addEventListener('abort', heard);
  return {
    get isOver() {
      return signal?.aborted === true;
    },
    async next() {
      if (!hasChanged && signal?.aborted !== true)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      wake = undefined;
      hasChanged = false;
    },
    close() {
      stop();
      signal?.removeEventListener('abort', heard);
    },
  };
}
