import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { InputEnd } from '../input.ts';
import { MAX_BARREN_IN_A_ROW } from './limits.ts';
import { LoadAhead } from './load-ahead.ts';
import type { LoadAheadOptions } from './load-ahead.ts';
import { PlaylistSplices } from './playlist-splices.ts';
import { RenditionQueue } from './rendition-queue.ts';
import type { RenditionContent, RenditionEntry, RenditionUnit } from './rendition-queue.ts';
import { RenditionUnits } from './rendition-units.ts';

export interface RenditionReaderOptions extends LoadAheadOptions {
  readonly content: RenditionContent;
  /** Language of audio tracks that state none. */
  readonly language?: string;
}

/** Duration of media without an access unit after which a rendition counts as empty, in milliseconds. */
const MAX_BARREN_MS = 10_000;
/** Number of steps of a reader without an access unit after which other renditions get a turn. */
const MAX_BARREN_STEPS = 64;

/** Rendition that reads loaded items into access units on request. */
export class RenditionReader {
  readonly #options: RenditionReaderOptions;
  readonly #items: LoadAhead;
  readonly #queue: RenditionQueue;
  readonly #reader: RenditionUnits;
  #barrenInARow = 0;
  #barrenMs = 0;
  #unitsBefore = 0;
  #openMs = 0;
  #hasUnknownKind = false;

  constructor(options: RenditionReaderOptions) {
    this.#options = options;
    const splices = new PlaylistSplices(options.problem);
    this.#items = new LoadAhead({
      ...options,
      versioned: (playlist) => {
        splices.listed(playlist);
      },
    });
    this.#queue = new RenditionQueue({ ...options, splices });
    this.#reader = new RenditionUnits(this.#queue);
  }

  /** Whether times have 33 bits and wrap. */
  get isWrapping(): boolean {
    return this.#reader.isWrapping;
  }

  /** Whether everything was read, or reading failed. */
  get isDone(): boolean {
    return this.end !== undefined && this.#items.isEmpty && this.#queue.head === undefined;
  }

  /** Reason for the end: everything was read (`input_ended`), or reading failed. */
  get end(): InputEnd | undefined {
    return this.#items.end;
  }

  /** Start position, once known, for the other renditions. */
  get started(): LoadAhead['started'] {
    return this.#items.started;
  }

  /** Number of the last listed era. */
  get era(): number {
    return this.#items.era;
  }

  start(): void {
    this.#items.start();
  }

  /** Resolves when no request is running any more. */
  close(): Promise<void> {
    return this.#items.close();
  }

  /** Next access unit or splice message; reads until there is one. */
  head(): RenditionEntry | undefined {
    for (let step = 0; !this.#queue.isReady; step++) {
      if (step > MAX_BARREN_STEPS) {
        setImmediate(this.#options.changed);
        break;
      }
      if (!this.#reader.step() && !this.#openNext()) break;
    }
    return this.#queue.head;
  }

  /** First waiting access unit of each track in an era. */
  firsts(era: number): readonly RenditionUnit[] {
    return this.#queue.firsts(era);
  }

  /** Removes the entry returned by `head`. */
  shift(): void {
    this.#queue.shift();
  }

  #openNext(): boolean {
    this.#countBarren();
    const next = this.#items.shift();
    if (!next) {
      if (this.end) this.#reader.finish();
      return false;
    }
    this.#openMs = next.item.durationMs;
    this.#unitsBefore = this.#queue.units;
    if (this.#reader.open(next)) return true;
    this.#hasUnknownKind = true;
    this.#options.problem({
      code: 'input_unreadable',
      ...because('hls_segment_form', { number: next.item.msn }),
    });
    return true;
  }

  /** Ends a rendition that delivers bytes without access units. */
  #countBarren(): void {
    const openMs = this.#openMs;
    this.#openMs = 0;
    if (openMs === 0) return;
    if (this.#queue.units > this.#unitsBefore) {
      this.#barrenInARow = 0;
      this.#barrenMs = 0;
      return;
    }
    this.#barrenInARow++;
    this.#barrenMs += openMs;
    if (this.#barrenInARow < MAX_BARREN_IN_A_ROW || this.#barrenMs < MAX_BARREN_MS) return;
    this.#items.giveUp(
      this.#hasUnknownKind
        ? { code: 'input_unreadable', ...because('hls_segments_form') }
        : {
            code: 'input_no_tracks',
            ...because('hls_segments_empty', { count: this.#barrenInARow }),
          },
    );
  }
}
