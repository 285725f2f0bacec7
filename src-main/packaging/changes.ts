import type { ChangingWindow } from '../segment/segment-window.ts';

/** Waits for changes of a window. Must be closed. */
export interface Changes {
  /** True once the signal has been aborted. */
  readonly isOver: boolean;
  /** Resolves at the next change, when the signal is aborted, or at once if the window has changed since the last call. */
  next(): Promise<void>;
  close(): void;
}

/** Reports changes of a window to a reader that reads at its own pace. */
export function changesOf(window: ChangingWindow, signal: AbortSignal | undefined): Changes {
  let hasChanged = false;
  let wake: (() => void) | undefined;
  const notify = (): void => {
    hasChanged = true;
    wake?.();
  };
  const stop = window.onChange(notify);
  signal?.addEventListener('abort', notify);
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
      signal?.removeEventListener('abort', notify);
    },
  };
}
