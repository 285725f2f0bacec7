import { useDocumentVisibility, useIntersectionObserver, useTimeoutFn } from '@vueuse/core';
import { onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue';

/** Newest picture of a stream while its element is visible. */
export interface Still {
  /** The loaded picture; null before the first one. */
  readonly picture: Readonly<Ref<Picture | null>>;
  /** Whether the server has no picture of the stream. */
  readonly isMissing: Readonly<Ref<boolean>>;
}

/** Delay between the arrival of a picture and the next request. */
const RELOAD_MS = 5_000;
/** Delay before the first request, so that rows that scroll past load nothing. */
const FIRST_DELAY_MS = 200;
/** Maximum number of pictures that load at the same time on the whole page. */
const MAX_LOADING = 2;

/** Maximum number of cached pictures. A row that moves, or a stream that is lost, shows the cached one. */
const MAX_CACHED = 200;

interface Picture {
  /** Address inside the page. */
  readonly source: string;
  /** Time of the picture by the server, in epoch milliseconds; null if unknown. */
  readonly takenAtMs: number | null;
}

const cached = new Map<string, Picture>();
let loading = 0;
const waiting: (() => void)[] = [];

/**
 * Reloads the picture at an address periodically, for use inside a component. Nothing loads while the element or the page
 * is not visible, or without an address.
 *
 * @param stream key of the picture in the cache
 */
export function useStill(stream: string, element: Ref<HTMLElement | null>, url: () => string | null): Still {
  const picture = shallowRef(cached.get(stream) ?? null);
  const isMissing = ref(false);
  const isVisible = ref(false);
  const documentState = useDocumentVisibility();
  const { start, stop } = useTimeoutFn(() => void load(), FIRST_DELAY_MS, { immediate: false });
  const delayed = useTimeoutFn(start, RELOAD_MS, { immediate: false });
  let abort = new AbortController();

  useIntersectionObserver(element, ([entry]) => {
    isVisible.value = entry?.isIntersecting === true;
  });
  const pause = (): void => {
    abort.abort();
    abort = new AbortController();
    stop();
    delayed.stop();
  };
  watch(
    [url, isVisible, documentState],
    ([address, isElementVisible, state]) => {
      pause();
      if (address !== null && isElementVisible && state === 'visible') start();
    },
    { immediate: true },
  );
  onScopeDispose(pause);

  async function load(): Promise<void> {
    const [address, { signal }] = [url(), abort];
    if (address === null || !(await startTurn(signal))) return;
    try {
      const reply = await fetch(address, { signal, cache: 'no-store' });
      const blob = reply.status === 200 ? await reply.blob() : null;
      if (signal.aborted) return;
      isMissing.value = reply.status === 204 || reply.status === 404;
      if (blob) picture.value = cachePicture(stream, blob, timeOf(reply.headers.get('last-modified')));
    } catch {
      // The old picture stays, and shows its age.
    } finally {
      endTurn();
    }
    if (!signal.aborted) delayed.start();
  }
  return { picture, isMissing };
}

/** Replaces the cached picture of a stream. */
function cachePicture(stream: string, blob: Blob, takenAtMs: number | null): Picture {
  const picture = { source: URL.createObjectURL(blob), takenAtMs };
  const before = cached.get(stream);
  cached.delete(stream);
  cached.set(stream, picture);
  const [oldest] = cached;
  if (before) URL.revokeObjectURL(before.source);
  else if (cached.size > MAX_CACHED && oldest) {
    cached.delete(oldest[0]);
    URL.revokeObjectURL(oldest[1].source);
  }
  return picture;
}

function timeOf(text: string | null): number | null {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? null : ms;
}

/** Waits until fewer than `MAX_LOADING` pictures load. Resolves to false if the request was aborted meanwhile. */
async function startTurn(signal: AbortSignal): Promise<boolean> {
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
