import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { BackOff } from '../../lib/back-off.ts';
import type { FormatProblem } from '../../media/access-unit.ts';
import type { InputEnd } from '../input.ts';
import { ItemLoader } from './item-loader.ts';
import type { ItemLoaderOptions, LoadedItem } from './item-loader.ts';
import { MAX_LOST_IN_A_ROW, MAX_QUEUED_BYTES, MAX_QUEUED_ITEMS } from './limits.ts';
import type { MediaItem } from './media-item.ts';
import { PlaylistFollower } from './playlist-follower.ts';
import type { PlaylistFollowerOptions } from './playlist-follower.ts';
import { Wakeable } from '../../lib/timers.ts';

/** Rendition to load: `url` is the playlist, `first` its content if loaded already. */
export interface LoadAheadOptions
  extends Omit<PlaylistFollowerOptions, 'pause' | 'aheadMs' | 'take'>, Pick<ItemLoaderOptions, 'keys'> {
  /** Called when there is more to read, or at the end. */
  readonly changed: () => void;
}

/** Follows the playlist of a rendition and loads its segments ahead, within limits. */
export class LoadAhead {
  /** Reason for the end: everything was loaded (`input_ended`), or loading failed. */
  end: InputEnd | undefined;
  readonly #options: LoadAheadOptions;
  readonly #items: ItemLoader;
  readonly #follower: PlaylistFollower;
  readonly #pause: Wakeable;
  readonly #room: Wakeable;
  #loaded: LoadedItem[] = [];
  #loadedBytes = 0;
  #takenMs = 0;
  #openedMs = 0;
  #lostInARow = 0;
  #isAfterGap = false;
  #running: Promise<void> | undefined;

  constructor(options: LoadAheadOptions) {
    this.#options = options;
    const { clock, loader, keys } = options;
    this.#pause = new Wakeable(clock);
    this.#room = new Wakeable(clock);
    this.#items = new ItemLoader({
      loader,
      keys,
      backOff: new BackOff({ firstMs: 300, maxMs: 2000 }),
      sleep: (ms) => this.#pause.sleep(ms),
      isClosed: () => this.#pause.isClosed,
    });
    this.#follower = new PlaylistFollower({
      ...options,
      pause: this.#pause,
      aheadMs: () => this.#takenMs - this.#openedMs,
      take: (item, base) => this.#take(item, base),
    });
  }

  /** Whether no loaded item is waiting. */
  get isEmpty(): boolean {
    return this.#loaded.length === 0;
  }

  /** Start position of the rendition, once known. */
  get started(): PlaylistFollower['started'] {
    return this.#follower.started;
  }

  /** Number of the last listed era of continuous times. */
  get era(): number {
    return this.#follower.era;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves when no request is running any more. */
  async close(): Promise<void> {
    this.#pause.close();
    this.#room.close();
    await this.#running;
  }

  /** Removes and returns the next item. */
  shift(): LoadedItem | undefined {
    const next = this.#loaded.shift();
    if (!next) return undefined;
    this.#loadedBytes -= next.bytes.length;
    this.#openedMs += next.item.durationMs;
    this.#room.notify();
    return next;
  }

  /** Stops loading, and drops waiting items. */
  giveUp(end: InputEnd): void {
    this.#loaded = [];
    this.end ??= end;
    this.#room.notify();
  }

  async #run(): Promise<void> {
    const end = await this.#follower.run();
    if (this.#pause.isClosed) return;
    this.end ??= end;
    this.#options.changed();
  }

  /** Loads an item as soon as there is room in the queue. Resolves with the reason if the rendition failed. */
  async #take(item: MediaItem, base: URL): Promise<InputEnd | undefined> {
    this.#takenMs += item.durationMs;
    while (!this.#hasRoom() && !this.#pause.isClosed) await this.#room.wait();
    if (this.end) return this.end;
    if (item.uri === undefined) {
      this.#skip(item, { code: 'hls_gap', ...because('hls_gap', { number: item.msn }) });
      return undefined;
    }
    const loaded = await this.#items.load(item, base);
    if (this.#pause.isClosed) return undefined;
    if ('code' in loaded) return this.#lose(item, loaded);
    this.#lostInARow = 0;
    this.#loaded.push(
      this.#isAfterGap && !item.isAfterGap ? { ...loaded, item: { ...item, isAfterGap: true } } : loaded,
    );
    this.#isAfterGap = false;
    this.#loadedBytes += loaded.bytes.length;
    this.#options.changed();
    return undefined;
  }

  #hasRoom(): boolean {
    return this.#loaded.length < MAX_QUEUED_ITEMS && this.#loadedBytes < MAX_QUEUED_BYTES;
  }

  #lose(item: MediaItem, reason: InputEnd): InputEnd | undefined {
    if (reason.code === 'hls_encryption_unsupported') return reason;
    const code =
      reason.code === 'hls_segment_too_large' || reason.code === 'hls_key_unavailable'
        ? reason.code
        : 'hls_segment_lost';
    this.#skip(item, { code, ...because('hls_segment_skipped', { number: item.msn, explanation: reason }) });
    return ++this.#lostInARow >= MAX_LOST_IN_A_ROW ? reason : undefined;
  }

  #skip(item: MediaItem, problem: FormatProblem): void {
    this.#openedMs += item.durationMs;
    this.#isAfterGap = true;
    this.#options.problem(problem);
  }
}
