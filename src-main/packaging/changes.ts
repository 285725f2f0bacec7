import type { ChangingWindow } from '../segment/segment-window.ts';

/** Waits for changes of a window. Must be closed. */
export interface Changes {
  /** Whether the signal has fired. */
  readonly isOver: boolean;
  /** Resolves with the next change or the signal; at once if something has changed since the last call. */
  next(): Promise<void>;
  close(): void;
}

/** Listens to a window on behalf of a reader with its own pace. */
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
