import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { nextTurn, runAtOnce, runInTurns } from '../lib/turns.ts';
import type { RenderStep } from '../packaging/segment-steps.ts';
import type { ChangingWindow } from '../segment/segment-window.ts';

/** Renders a text in short steps; undefined as long as there is nothing to play. */
export type TextSteps = () => Generator<RenderStep, string | undefined>;

/** What is kept of a long text, with the version of the window and the second that it is true for. */
interface KeptText<T> {
  readonly version: number;
  readonly second: number;
  readonly value: T;
  readonly sizeBytes: number;
}

/** A window that is longer has long texts, in milliseconds: rendering an hour takes a millisecond or two. */
const LONG_MS = 3_600_000;
/** A text whose window changes again and again while it is rendered is rendered in one turn at last. */
const MOST_ATTEMPTS = 4;
const MOST_BYTES = 64 << 20;
const packed = promisify(gzip);

/**
 * Texts of long windows of all outputs that share it: rendered in short turns of the thread and packed beside it, once for all who ask at the same time. Those
 * that were asked for last are kept, up to a number of bytes.
 */
export class LongTexts {
  readonly #mostBytes: number;
  /** By window and key, the longest unused first. */
  readonly #kept = new Map<string, KeptText<unknown>>();
  readonly #making = new Map<string, Promise<unknown>>();
  readonly #numbers = new WeakMap<ChangingWindow, number>();
  #lastNumber = 0;
  #bytes = 0;

  /** @param mostBytes that are kept in all, default 64 MiB; a text that is larger is not kept */
  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes;
  }

  /** Bytes that are kept. */
  get keptBytes(): number {
    return this.#bytes;
  }

  /** Whether the texts of a window are long. */
  isLong(window: ChangingWindow): boolean {
    const bounds = window.bounds();
    return bounds !== undefined && bounds.toMs - bounds.fromMs > LONG_MS;
  }

  /**
   * What is made of a text: kept for as long as the window has the same version, and the second is the same.
   *
   * @param key what is made of which text, unique for the window
   * @param make gets the text
   */
  async made<T>(
    window: ChangingWindow,
    key: string,
    second: number,
    render: TextSteps,
    make: (text: string) => Promise<{ readonly value: T; readonly sizeBytes: number }>,
  ): Promise<T | undefined> {
    const name = `${this.#numberOf(window)} ${key}`;
    const known = this.#kept.get(name);
    if (known?.version === window.version && known.second === second) {
      this.#kept.delete(name);
      this.#kept.set(name, known);
      // What is kept by a name is what was made for it.
      return known.value as T;
    }
    // What was begun for an earlier version may not have what is asked for.
    const work = `${name} ${window.version} ${second}`;
    const making = this.#making.get(work);
    if (making) return making as Promise<T | undefined>;
    const own = this.#make(name, window, second, render, make);
    this.#making.set(work, own);
    try {
      return await own;
    } finally {
      this.#making.delete(work);
    }
  }

  /** A window is given up: nothing of it is kept. */
  forget(window: ChangingWindow): void {
    const number = this.#numbers.get(window);
    if (number === undefined) return;
    for (const name of [...this.#kept.keys()]) if (name.startsWith(`${number} `)) this.#drop(name);
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
    if (sizeBytes > this.#mostBytes) return value;
    this.#kept.set(name, { version, second, value, sizeBytes });
    this.#bytes += sizeBytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#mostBytes) break;
      this.#drop(oldest);
    }
    return value;
  }

  #drop(name: string): void {
    this.#bytes -= this.#kept.get(name)?.sizeBytes ?? 0;
    this.#kept.delete(name);
  }

  #numberOf(window: ChangingWindow): number {
    const number = this.#numbers.get(window) ?? ++this.#lastNumber;
    this.#numbers.set(window, number);
    return number;
  }
}

/** Packs a text beside the thread. */
export async function pack(text: Buffer): Promise<Buffer> {
  return packed(text, { level: 5 });
}

/** Renders a text of one version of its window. */
async function renderWhole(window: ChangingWindow, render: TextSteps): Promise<RenderedWhole> {
  for (let attempt = 1; attempt < MOST_ATTEMPTS; attempt++) {
    const found = await runInTurns(ofOneVersion(window, render()));
    if (found) return found;
  }
  const { version } = window;
  return { text: runAtOnce(render()), version };
}

/** A text, and the version of the window that it is of. */
interface RenderedWhole {
  readonly text: string | undefined;
  readonly version: number;
}

/** The same steps; undefined where the window changed between two of them, and that must not be. */
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
