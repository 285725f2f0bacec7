import type { InputEnd } from '../input.ts';
import { MAX_BARREN_IN_A_ROW } from './limits.ts';
import { LoadAhead } from './load-ahead.ts';
import type { LoadAheadOptions } from './load-ahead.ts';
import { PlaylistSplices } from './playlist-splices.ts';
import { RenditionQueue } from './rendition-queue.ts';
import type { RenditionContent, RenditionEntry, RenditionUnit } from './rendition-queue.ts';
import { RenditionUnits } from './rendition-units.ts';

/** One rendition and how it is read. */
export interface RenditionReaderOptions extends LoadAheadOptions {
  readonly content: RenditionContent;
  /** Language of audio tracks that state none. */
  readonly language?: string;
}

/** Media in milliseconds without an access unit after which a rendition counts as empty. */
const MAX_BARREN_MS = 10_000;
/** Steps of a reader in one turn without an access unit; then others get a turn. */
const MAX_BARREN_STEPS = 64;

/** One rendition on its way in: gives access units of what was loaded ahead when they are asked for. */
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

  /** Whether times have 33 bits and begin again at 0. */
  get isWrapping(): boolean {
    return this.#reader.isWrapping;
  }

  /** Whether all was read, or nothing can be read any more. */
  get isDone(): boolean {
    return this.end !== undefined && this.#items.isEmpty && this.#queue.head === undefined;
  }

  /** Why it is over: all was read (`input_ended`), or it cannot go on. */
  get end(): InputEnd | undefined {
    return this.#items.end;
  }

  /** Where it began, once it has; for the renditions beside it. */
  get started(): LoadAhead['started'] {
    return this.#items.started;
  }

  /** Number of the run of times that was listed last. */
  get era(): number {
    return this.#items.era;
  }

  start(): void {
    this.#items.start();
  }

  /** Resolves when nothing of it runs any more. */
  close(): Promise<void> {
    return this.#items.close();
  }

  /** The access unit or splice message that comes next; reads on until there is one. */
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

  /** The first access unit of each track that waits, in a run of times. */
  firsts(era: number): readonly RenditionUnit[] {
    return this.#queue.firsts(era);
  }

  /** Removes what `head` gave. */
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
      detail: `Segment ${next.item.msn} is neither MPEG-TS nor fragmented MP4 nor packed audio.`,
    });
    return true;
  }

  /** Gives a rendition up that brings bytes and nothing in them. */
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
        ? { code: 'input_unreadable', detail: 'The segments are neither MPEG-TS nor fragmented MP4 nor packed audio.' }
        : {
            code: 'input_no_tracks',
            detail: `${this.#barrenInARow} segments in a row hold neither audio nor video that Airdesk can read.`,
          },
    );
  }
}
