import { BackOff } from '../../lib/back-off.ts';
import type { Clock } from '../../lib/clock.ts';
import type { FormatProblem } from '../../media/access-unit.ts';
import type { MediaPlaylist } from '../../media/manifests/hls/media-playlist.ts';
import type { InputEnd } from '../input.ts';
import type { HttpLoader } from './http-loader.ts';
import { ItemLoader } from './item-loader.ts';
import type { LoadedItem } from './item-loader.ts';
import type { KeyStore } from './key-store.ts';
import { RenditionQueue } from './rendition-queue.ts';
import type { RenditionContent, RenditionEntry, RenditionUnit } from './rendition-queue.ts';
import { RenditionUnits } from './rendition-units.ts';
import { MAX_BARREN_IN_A_ROW, MAX_LOST_IN_A_ROW, MAX_QUEUED_BYTES, MAX_QUEUED_ITEMS } from './limits.ts';
import type { MediaItem } from './media-item.ts';
import { PlaylistFollower } from './playlist-follower.ts';
import type { LoadedPlaylist } from './playlist-loader.ts';
import type { StartWish } from './start-position.ts';
import { Wakeable } from './wakeable.ts';

/** One rendition and how it is read. */
export interface RenditionReaderOptions {
  readonly clock: Clock;
  readonly loader: HttpLoader;
  readonly keys: KeyStore;
  readonly url: URL;
  /** The playlist, where it was loaded already. */
  readonly first?: LoadedPlaylist<MediaPlaylist>;
  readonly imports?: ReadonlyMap<string, string>;
  readonly content: RenditionContent;
  /** Language of audio tracks that state none. */
  readonly language?: string;
  readonly loop: boolean;
  /** Where to begin, known once the leading rendition has begun. */
  readonly wish?: () => Promise<StartWish>;
  /** Number of the run of times that it begins in. */
  readonly firstEra?: () => number;
  readonly problem: (problem: FormatProblem) => void;
  /** Something has changed: there is more to read, or it is over. */
  readonly changed: () => void;
  /** A version of the playlist came in; so many milliseconds of media wait, loaded or listed. */
  readonly listed?: (playlist: MediaPlaylist, aheadMs: number) => void;
}

/** Media in milliseconds without an access unit after which a rendition counts as empty. */
const MOST_BARREN_MS = 10_000;
/** Steps of a reader in one turn without an access unit; then others get a turn. */
const MOST_BARREN_STEPS = 64;

/** One rendition on its way in: follows its playlist, loads ahead within limits, and gives access units when they are asked for. */
export class RenditionReader {
  /** Why it is over: all was read (`input_ended`), or it cannot go on. */
  end: InputEnd | undefined;
  readonly #options: RenditionReaderOptions;
  readonly #queue: RenditionQueue;
  readonly #reader: RenditionUnits;
  readonly #items: ItemLoader;
  readonly #follower: PlaylistFollower;
  readonly #pause: Wakeable;
  readonly #room: Wakeable;
  #loaded: LoadedItem[] = [];
  #loadedBytes = 0;
  #takenMs = 0;
  #openedMs = 0;
  #lostInARow = 0;
  #barrenInARow = 0;
  #barrenMs = 0;
  #unitsBefore = 0;
  #openMs = 0;
  #hasUnknownKind = false;
  #isAfterHole = false;
  #running: Promise<void> | undefined;

  constructor(options: RenditionReaderOptions) {
    this.#options = options;
    const { clock, loader, keys, content, language, problem } = options;
    this.#pause = new Wakeable(clock);
    this.#room = new Wakeable(clock);
    this.#queue = new RenditionQueue(content, language, problem);
    this.#reader = new RenditionUnits(this.#queue);
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
      aheadMs: () => this.aheadMs,
      take: (item, base) => this.#take(item, base),
    });
  }

  /** Whether times have 33 bits and begin again at 0. */
  get isWrapping(): boolean {
    return this.#reader.isWrapping;
  }

  /** Whether all was read, or nothing can be read any more. */
  get isDone(): boolean {
    return this.end !== undefined && this.#loaded.length === 0 && this.#queue.head === undefined;
  }

  /** Media that is known and was not begun yet, in milliseconds. */
  get aheadMs(): number {
    return this.#takenMs - this.#openedMs;
  }

  /** Where it began, once it has; for the renditions beside it. */
  get started(): Promise<StartWish> {
    return this.#follower.started;
  }

  /** Number of the run of times that was listed last. */
  get era(): number {
    return this.#follower.era;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves when nothing of it runs any more. */
  async close(): Promise<void> {
    this.#pause.close();
    this.#room.close();
    await this.#running;
  }

  /** The access unit or splice message that comes next; reads on until there is one. */
  head(): RenditionEntry | undefined {
    for (let step = 0; !this.#queue.isReady; step++) {
      if (step > MOST_BARREN_STEPS) {
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

  async #run(): Promise<void> {
    const end = await this.#follower.run();
    if (this.#pause.isClosed) return;
    this.end ??= end;
    this.#options.changed();
  }

  /** Loads an item as soon as there is room for it. Resolves with the reason where the rendition is given up. */
  async #take(item: MediaItem, base: URL): Promise<InputEnd | undefined> {
    this.#takenMs += item.durationMs;
    while (!this.#hasRoom() && !this.#pause.isClosed) await this.#room.wait();
    if (this.end) return this.end;
    if (item.uri === undefined) {
      this.#skip(item, { code: 'hls_gap', detail: `The playlist has a gap in the place of segment ${item.msn}.` });
      return undefined;
    }
    const loaded = await this.#items.load(item, base);
    if (this.#pause.isClosed) return undefined;
    if ('code' in loaded) return this.#lose(item, loaded);
    this.#lostInARow = 0;
    this.#loaded.push(
      this.#isAfterHole && !item.isAfterHole ? { ...loaded, item: { ...item, isAfterHole: true } } : loaded,
    );
    this.#isAfterHole = false;
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
    this.#skip(item, { code, detail: `Segment ${item.msn} is left out. ${reason.detail}` });
    return ++this.#lostInARow >= MAX_LOST_IN_A_ROW ? reason : undefined;
  }

  #skip(item: MediaItem, problem: FormatProblem): void {
    this.#openedMs += item.durationMs;
    this.#isAfterHole = true;
    this.#options.problem(problem);
  }

  #openNext(): boolean {
    this.#countBarren();
    const next = this.#loaded.shift();
    if (!next) {
      if (this.end) this.#reader.finish();
      return false;
    }
    this.#loadedBytes -= next.bytes.length;
    this.#room.notify();
    const { durationMs } = next.item;
    this.#openedMs += durationMs;
    this.#openMs = durationMs;
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
    if (this.#barrenInARow < MAX_BARREN_IN_A_ROW || this.#barrenMs < MOST_BARREN_MS) return;
    this.#loaded = [];
    this.end ??= this.#hasUnknownKind
      ? { code: 'input_unreadable', detail: 'The segments are neither MPEG-TS nor fragmented MP4 nor packed audio.' }
      : {
          code: 'input_no_tracks',
          detail: `${this.#barrenInARow} segments in a row hold neither audio nor video that Airdesk can read.`,
        };
    this.#room.notify();
  }
}
