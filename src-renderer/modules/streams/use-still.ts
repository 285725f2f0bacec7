import { useDocumentVisibility, useIntersectionObserver, useTimeoutFn } from '@vueuse/core';
import { onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue';

/** Newest picture of a stream while it is in sight. */
export interface Still {
  /** The loaded picture; null before the first one. */
  readonly picture: Readonly<Ref<Picture | null>>;
  /** Whether the server has no picture of the stream. */
  readonly isMissing: Readonly<Ref<boolean>>;
}

/** Interval between pictures, after the last one has arrived. */
const EVERY_MS = 5_000;
/** Delay before the first picture: rows that scroll past load none. */
const FIRST_MS = 200;
/** Pictures that load at the same time, over all stills of the desk. */
const MAX_LOADING = 2;

/** Number of pictures that stay loaded, so that a row that moves, or a stream that is lost, keeps its last one. */
const MAX_KEPT = 200;

interface Picture {
  /** Address inside the page. */
  readonly source: string;
  /** Time of the picture by the server, in epoch milliseconds; null if unknown. */
  readonly takenAtMs: number | null;
}

const kept = new Map<string, Picture>();
let loading = 0;
const waiting: (() => void)[] = [];

/**
 * Loads the picture at an address again and again, for use inside a component. Nothing loads while the element or the page is out of
 * sight, or without an address.
 *
 * @param stream name under which the last picture stays loaded
 */
export function useStill(stream: string, element: Ref<HTMLElement | null>, url: () => string | null): Still {
  const picture = shallowRef(kept.get(stream) ?? null);
  const isMissing = ref(false);
  const isInSight = ref(false);
  const documentState = useDocumentVisibility();
  const { start, stop } = useTimeoutFn(() => void load(), FIRST_MS, { immediate: false });
  const delayed = useTimeoutFn(start, EVERY_MS, { immediate: false });
  let abort = new AbortController();

  useIntersectionObserver(element, ([entry]) => {
    isInSight.value = entry?.isIntersecting === true;
  });
  const pause = (): void => {
    abort.abort();
    abort = new AbortController();
    stop();
    delayed.stop();
  };
  watch(
    [url, isInSight, documentState],
    ([address, isSeen, state]) => {
      pause();
      if (address !== null && isSeen && state === 'visible') start();
    },
    { immediate: true },
  );
  onScopeDispose(pause);

  async function load(): Promise<void> {
    const [address, { signal }] = [url(), abort];
    if (address === null || !(await turn(signal))) return;
    try {
      const reply = await fetch(address, { signal, cache: 'no-store' });
      const blob = reply.ok ? await reply.blob() : null;
      if (signal.aborted) return;
      isMissing.value = reply.status === 404;
      if (blob) picture.value = keep(stream, blob, timeOf(reply.headers.get('last-modified')));
    } catch {
      // The picture in sight keeps its time, so it is seen to be old.
    } finally {
      endTurn();
    }
    if (!signal.aborted) delayed.start();
  }
  return { picture, isMissing };
}

/** Keeps the picture of a stream in place of its last one. */
function keep(stream: string, blob: Blob, takenAtMs: number | null): Picture {
  const picture = { source: URL.createObjectURL(blob), takenAtMs };
  const before = kept.get(stream);
  kept.delete(stream);
  kept.set(stream, picture);
  const [oldest] = kept;
  if (before) URL.revokeObjectURL(before.source);
  else if (kept.size > MAX_KEPT && oldest) {
    kept.delete(oldest[0]);
    URL.revokeObjectURL(oldest[1].source);
  }
  return picture;
}

function timeOf(text: string | null): number | null {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? null : ms;
}

/** Waits for a turn; false if it is not needed any more. */
async function turn(signal: AbortSignal): Promise<boolean> {
  if (loading >= MAX_LOADING) await new Promise<void>((resolve) => waiting.push(resolve));
  else loading++;
  if (!signal.aborted) return true;
  endTurn();
  return false;
}

function endTurn(): void {
  const next = waiting.shift();
  if (next) next();
  else loading--;
}
