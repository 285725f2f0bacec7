import { crc32, gzipSync } from 'node:zlib';
import { partMsOf } from '../packaging/dash/listed-periods.ts';
import { hasCompleteSegment, playableTracks } from '../packaging/playable-tracks.ts';
import type { SpliceMarks } from '../packaging/hls/splice-marks.ts';
import type { ChangingWindow } from '../segment/segment-window.ts';
import type { Reply } from './exchange.ts';
import { dateLine, statusLine } from './http-head.ts';
import { pack, type LongTexts, type TextSteps } from './long-texts.ts';
import { runAtOnce } from '../lib/turns.ts';

/**
 * Media that a starting stream needs before an answer: the first `part` of every track, a complete `segment`, the first
 * media of a DASH `manifest` (either of them), or `nothing` if the answer waits itself, or if the address comes from a
 * playlist.
 */
export type StartNeed = 'part' | 'segment' | 'manifest' | 'nothing';

/** A waiting request. */
interface Waiter {
  readonly isDone: () => boolean;
  readonly wake: (isInTime: boolean) => void;
  readonly deadlineMs: number;
}

interface CachedReply {
  readonly version: number;
  readonly second: number;
  readonly reply: Reply;
}

/** A rendered text without the parts that differ between viewers. */
export interface CachedPieces {
  readonly version: number;
  readonly second: number;
  readonly pieces: readonly string[];
  readonly etag: string;
}

/** Maximum number of waiting requests answered in one turn of the event loop: about 3 ms. */
const SETTLED_AT_ONCE = 128;

/** Memory of a piece of a text besides its characters, in bytes. */
const PIECE_OVERHEAD_BYTES = 40;
/** Maximum number of cached texts. */
const MAX_CACHED = 64;

/** Delivery state of one stream: rendered playlists, waiting requests, and viewers. */
export class StreamOutput {
  readonly name: string;
  readonly window: ChangingWindow;
  bytesOut = 0;
  /** Epoch milliseconds of the last request; 0 before the first. */
  lastActiveMs = 0;
  readonly #plain = new Map<string, CachedReply>();
  readonly #packed = new Map<string, CachedReply>();
  readonly #pieces = new Map<string, CachedPieces>();
  readonly #waiters = new Set<Waiter>();
  #found: { readonly version: number; readonly part: boolean; readonly segment: boolean } | undefined;
  /** Number of viewers with a session; written by the owner of the sessions. */
  viewerCount = 0;
  /** Number of running continuous replies. */
  #watcherCount = 0;
  readonly #unsubscribe: () => void;
  readonly #marks: () => SpliceMarks;
  readonly #onClose = new Set<() => void>();

  readonly #live: () => StreamOutput | undefined;
  /** Cache of the texts of a long window. */
  readonly texts: LongTexts | undefined;

  /**
   * @param marks style of splice points in HLS; default RFC 8216
   * @param live output of the complete stream: bytes sent count there, too
   * @param texts cache for the texts of a long window; without it all texts are rendered at once
   */
  constructor(
    name: string,
    window: ChangingWindow,
    marks: () => SpliceMarks = () => 'rfc8216',
    live: () => StreamOutput | undefined = () => undefined,
    texts?: LongTexts,
  ) {
    this.name = name;
    this.window = window;
    this.#marks = marks;
    this.#live = live;
    this.texts = texts;
    this.#unsubscribe = window.onChange(() => {
      this.#wakeWaiters();
    });
  }

  /** True if rendered texts are cached for the next viewer. */
  protected get cachesTexts(): boolean {
    return true;
  }

  /** Style of splice points in HLS. */
  get marks(): SpliceMarks {
    return this.#marks();
  }

  /** Counts bytes on their way to viewers. */
  sent(bytes: number): void {
    this.bytesOut += bytes;
    this.#live()?.sent(bytes);
  }

  /**
   * Records a segment that was sent to its end.
   * @param part number in the segment, if requested separately
   */
  delivered(_trackId: string, _address: string, _part?: number): void {
    // Overridden by outputs with media of one viewer.
  }

  /** Whether a segment belongs to one viewer: other viewers get other media at its address, and each load counts. */
  isOfViewer(_trackId: string, _address: string): boolean {
    return false;
  }

  /** Reports that media of a segment cannot be read. @returns true if other media replaces it from now on */
  unreadable(_trackId: string, _address: string): boolean {
    return false;
  }

  /** Reports whether the window has the media that an answer needs; evaluated once per version. */
  has(need: StartNeed): boolean {
    if (need === 'nothing') return true;
    const { window } = this;
    if (this.#found?.version !== window.version)
      this.#found = {
        version: window.version,
        part: playableTracks(window).length > 0,
        segment: hasCompleteSegment(window),
      };
    if (need === 'manifest') return this.#found[partMsOf(window) > 0 ? 'part' : 'segment'];
    return this.#found[need];
  }

  /** Ends every wait, because the stream was closed. Does not close the window, which belongs to its creator. */
  close(): void {
    this.#unsubscribe();
    this.texts?.forget(this.window);
    for (const callback of this.#onClose) callback();
    this.#settle(() => true, false);
  }

  /** Calls back when the stream is closed. Returns a function that unsubscribes. */
  onClose(callback: () => void): () => void {
    this.#onClose.add(callback);
    return () => {
      this.#onClose.delete(callback);
    };
  }

  /** Number of callbacks for the end of the stream. */
  get closeListenerCount(): number {
    return this.#onClose.size;
  }

  /**
   * Rendered text as a reply, cached for each version of the window and each second.
   * @param key key of the text, unique for the stream
   * @param headers header lines that depend only on the key
   */
  rendered(key: string, isGzip: boolean, nowMs: number, headers: string, render: TextSteps): Reply | undefined {
    const cache = isGzip ? this.#packed : this.#plain;
    const second = this.#second(nowMs);
    const cached = cache.get(key);
    if (cached && cached.version === this.window.version && cached.second === second) return cached.reply;
    const text = runAtOnce(render());
    if (text === undefined) return undefined;
    const plain = Buffer.from(text);
    // A playlist has a few kilobytes: compressing it takes less time than passing it to another thread.
    const body = isGzip ? gzipSync(plain, { level: 5 }) : plain;
    const etag = this.#tag(text, second, isGzip ? '-gzip' : '');
    const lines = headersOf(headers, etag, isGzip);
    const head = `${statusLine(200)}${dateLine(nowMs)}${lines}Content-Length: ${body.length}\r\n\r\n`;
    const message = Buffer.concat([Buffer.from(head, 'latin1'), body]);
    const reply: Reply = { status: 200, headers: lines, body: [body], bodyBytes: body.length, etag, withHead: message };
    if (cache.size > MAX_CACHED) cache.clear();
    if (this.cachesTexts) cache.set(key, { version: this.window.version, second, reply });
    return reply;
  }

  /** True if its texts are long and rendered in turns (`renderedInTurns`, `piecesInTurns`). */
  get hasLongTexts(): boolean {
    return this.texts?.isLong(this.window) === true;
  }

  /** Version of `rendered` in short turns of the thread, with compression outside it. */
  async renderedInTurns(
    key: string,
    isGzip: boolean,
    nowMs: number,
    headers: string,
    render: TextSteps,
  ): Promise<Reply | undefined> {
    const second = this.#second(nowMs);
    return this.texts?.cachedOrMade(
      this.window,
      `${isGzip ? 'gzip' : 'plain'} ${key}`,
      second,
      render,
      async (text) => {
        const plain = Buffer.from(text);
        const body = isGzip ? await pack(plain) : plain;
        const etag = this.#tag(text, second, isGzip ? '-gzip' : '');
        const lines = headersOf(headers, etag, isGzip);
        const reply: Reply = { status: 200, headers: lines, body: [body], bodyBytes: body.length, etag };
        return { value: reply, sizeBytes: body.length };
      },
    );
  }

  /** Version of `pieces` in short turns of the thread. */
  async piecesInTurns(
    key: string,
    placeholder: string,
    nowMs: number,
    render: TextSteps,
  ): Promise<CachedPieces | undefined> {
    const second = this.#second(nowMs);
    return this.texts?.cachedOrMade(this.window, `own ${key}`, second, render, async (text) => {
      const { version } = this.window;
      const value = { version, second, pieces: text.split(placeholder), etag: this.#tag(text, second, '-own') };
      // One byte per character, and the overhead of a text.
      return Promise.resolve({ value, sizeBytes: text.length + value.pieces.length * PIECE_OVERHEAD_BYTES });
    });
  }

  /**
   * Rendered text in pieces, between which the viewer's query goes; cached for each version of the window and each second.
   *
   * @param key key of the text, unique for the stream
   * @param render renders the text with `placeholder` in the positions of the viewer's query
   */
  pieces(key: string, placeholder: string, nowMs: number, render: TextSteps): CachedPieces | undefined {
    const second = this.#second(nowMs);
    const cached = this.#pieces.get(key);
    if (cached && cached.version === this.window.version && cached.second === second) return cached;
    const text = runAtOnce(render());
    if (text === undefined) return undefined;
    const pieces = {
      version: this.window.version,
      second,
      pieces: text.split(placeholder),
      etag: this.#tag(text, second, '-own'),
    };
    if (this.#pieces.size > MAX_CACHED) this.#pieces.clear();
    if (this.cachesTexts) this.#pieces.set(key, pieces);
    return pieces;
  }

  /** Second for which a text is valid; constant if the text changes only with the window. */
  #second(nowMs: number): number {
    return this.window.mutability === 'live' ? Math.floor(nowMs / 1000) : 0;
  }

  /** Entity tag of a text. For an archive, equal texts have equal tags, even from different windows. */
  #tag(text: string, second: number, end: string): string {
    const name =
      this.window.mutability === 'live'
        ? `${this.window.version.toString(36)}-${second.toString(36)}`
        : crc32(text).toString(36);
    return `"${name}${end}"`;
  }

  /**
   * Calls `wake` once `isDone` holds, or with `false` when the deadline passes or the stream is closed; returns a function that
   * cancels.
   */
  wait(isDone: () => boolean, deadlineMs: number, wake: (isInTime: boolean) => void): () => void {
    const waiter: Waiter = { isDone, wake, deadlineMs };
    this.#waiters.add(waiter);
    return () => {
      this.#waiters.delete(waiter);
    };
  }

  /** Number of requests that wait for the window to grow. */
  get waitCount(): number {
    return this.#waiters.size;
  }

  /** Records activity of a viewer. */
  recordActivity(nowMs: number): void {
    this.lastActiveMs = nowMs;
  }

  /** Records the start of an endless reply; returns a function that records its end. */
  watch(): () => void {
    this.#watcherCount++;
    let isHere = true;
    return () => {
      if (isHere) this.#watcherCount--;
      isHere = false;
    };
  }

  /** True while an endless reply is open. */
  get hasWatchers(): boolean {
    return this.#watcherCount > 0;
  }

  /**
   * Ends waits whose deadline has passed, and waits whose condition became true without a change of the window.
   * Called about once a second.
   */
  sweep(nowMs: number): void {
    this.#settle(({ deadlineMs }) => deadlineMs <= nowMs, false);
    this.#wakeWaiters();
  }

  #wakeWaiters(): void {
    this.#settle((waiter) => waiter.isDone(), true);
  }

  /** Ends some waits: a limited number per turn of the event loop. */
  #settle(which: (waiter: Waiter) => boolean, isInTime: boolean): void {
    if (this.#waiters.size === 0) return;
    const settled: Waiter[] = [];
    for (const waiter of this.#waiters) if (which(waiter)) settled.push(waiter);
    const settleFrom = (from: number): void => {
      const end = Math.min(settled.length, from + SETTLED_AT_ONCE);
      for (let at = from; at < end; at++) {
        const waiter = settled[at];
        // A wait cancelled meanwhile is not in the set any more.
        if (waiter && this.#waiters.delete(waiter)) waiter.wake(isInTime);
      }
      if (end < settled.length) setImmediate(settleFrom, end);
    };
    settleFrom(0);
  }
}

function headersOf(headers: string, etag: string, isGzip: boolean): string {
  return `${headers}ETag: ${etag}\r\n${isGzip ? 'Content-Encoding: gzip\r\n' : ''}`;
}
