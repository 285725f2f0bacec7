import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { nextTurn, runAtOnce, runInTurns } from '../lib/turns.ts';
import type { RenderStep } from '../packaging/segment-steps.ts';
import type { ChangingWindow } from '../segment/segment-window.ts';

/** Renders a text in short steps; undefined while there is nothing to play. */
export type TextSteps = () => Generator<RenderStep, string | undefined>;

/** A cached long text, with the version of the window and the second that it is valid for. */
interface CachedText<T> {
  readonly version: number;
  readonly second: number;
  readonly value: T;
  readonly sizeBytes: number;
}

/** Length of a window above which its texts are long, in milliseconds: rendering an hour takes a millisecond or two. */
const LONG_MS = 3_600_000;
/** Maximum number of attempts to render a text whose window keeps changing; the last one is in one turn. */
const MAX_ATTEMPTS = 4;
const MAX_BYTES = 64 << 20;
const packed = promisify(gzip);

/**
 * Long texts of several outputs: rendered in short turns of the thread and compressed outside it, once for all concurrent
 * requests. The most recently used texts are cached, up to a size.
 */
export class LongTexts {
  readonly #maxBytes: number;
  /** By window and key, least recently used first. */
  readonly #cache = new Map<string, CachedText<unknown>>();
  readonly #making = new Map<string, Promise<unknown>>();
  readonly #numbers = new WeakMap<ChangingWindow, number>();
  #lastNumber = 0;
  #bytes = 0;

  /** @param maxBytes size limit of the cache, default 64 MiB; larger texts are not cached */
  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Number of cached bytes. */
  get cachedBytes(): number {
    return this.#bytes;
  }

  /** Reports whether the texts of a window are long. */
  isLong(window: ChangingWindow): boolean {
    const bounds = window.bounds();
    return bounds !== undefined && bounds.toMs - bounds.fromMs > LONG_MS;
  }

  /**
   * Value made from a text, cached while the version of the window and the second stay the same.
   * @param key key of the value, unique for the window
   * @param make makes the value from the text
   */
  async cachedOrMade<T>(
    window: ChangingWindow,
    key: string,
    second: number,
    render: TextSteps,
    make: (text: string) => Promise<{ readonly value: T; readonly sizeBytes: number }>,
  ): Promise<T | undefined> {
    const name = `${this.#numberOf(window)} ${key}`;
    const cached = this.#cache.get(name);
    if (cached?.version === window.version && cached.second === second) {
      this.#cache.delete(name);
      this.#cache.set(name, cached);
      // All values with the same key have the same type.
      return cached.value as T;
    }
    // A rendering of an earlier version of the window may lack the requested content.
    const work = `${name} ${window.version} ${second}`;
    const making = this.#making.get(work);
    if (making) return making as Promise<T | undefined>;
    const running = this.#make(name, window, second, render, make);
    this.#making.set(work, running);
    try {
      return await running;
    } finally {
      this.#making.delete(work);
    }
  }

  /** Drops the texts of a window that is no longer used. */
  forget(window: ChangingWindow): void {
    const number = this.#numbers.get(window);
    if (number === undefined) return;
    for (const name of [...this.#cache.keys()]) if (name.startsWith(`${number} `)) this.#drop(name);
  }

  async #make<T>(
    name: string,
    window: ChangingWindow,
    second: number,
    render: TextSteps,
    make: (text: string) => Promise<{ readonly value: T; readonly sizeBytes: number }>,
  ): Promise<T | undefined> {
    const { text, version } = await renderWhole(window, render);
    if (text === undefined) return undefined;
    await nextTurn();
    const { value, sizeBytes } = await make(text);
    this.#drop(name);
    if (sizeBytes > this.#maxBytes) return value;
    this.#cache.set(name, { version, second, value, sizeBytes });
    this.#bytes += sizeBytes;
    for (const oldest of this.#cache.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest);
    }
    return value;
  }

  #drop(name: string): void {
    this.#bytes -= this.#cache.get(name)?.sizeBytes ?? 0;
    this.#cache.delete(name);
  }

  #numberOf(window: ChangingWindow): number {
    const number = this.#numbers.get(window) ?? ++this.#lastNumber;
    this.#numbers.set(window, number);
    return number;
  }
}

/** Compresses a text outside the thread of the caller. */
export async function pack(text: Buffer): Promise<Buffer> {
  return packed(text, { level: 5 });
}

/** Renders a text of one version of its window. */
async function renderWhole(window: ChangingWindow, render: TextSteps): Promise<RenderedWhole> {
  for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
    const found = await runInTurns(ofOneVersion(window, render()));
    if (found) return found;
  }
  const { version } = window;
  return { text: runAtOnce(render()), version };
}

/** A text with the version of its window. */
interface RenderedWhole {
  readonly text: string | undefined;
  readonly version: number;
}

/** Runs the steps; ends with undefined if the window changed between two steps that need one version. */
function* ofOneVersion(
  window: ChangingWindow,
  steps: ReturnType<TextSteps>,
): Generator<void, RenderedWhole | undefined> {
  let { version } = window;
  let isRead = false;
  for (;;) {
    const step = steps.next();
    if (step.done) return { text: step.value, version };
    const isTolerant = step.value === 'reading';
    isRead ||= step.value === 'read';
    yield;
    if (isRead) continue;
    if (window.version !== version && !isTolerant) return undefined;
    ({ version } = window);
  }
}
