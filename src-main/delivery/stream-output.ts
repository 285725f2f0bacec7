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
 * What a stream that starts must have before it is answered: the first `part` of every track, a whole `segment`, what a `manifest` of DASH lists
 * first, which is either, or `nothing` where the answer waits by itself, or where only a playlist names the address.
 */
export type StartNeed = 'part' | 'segment' | 'manifest' | 'nothing';

/** What a request waits for: the window holds this part, or the wait is over. */
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

/** A rendered text without what differs for each viewer. */
export interface CachedPieces {
  readonly version: number;
  readonly second: number;
  readonly pieces: readonly string[];
  readonly etag: string;
}

/** Waiting requests that are answered in one turn of the event loop: some 3 ms. */
const SETTLED_AT_ONCE = 128;

/** What a piece of a text costs beside its characters. */
const PIECE_BYTES = 40;
/** Rendered texts that are kept. */
const MAX_CACHED = 64;

/** Everything that delivery keeps for one stream: rendered playlists, waiting requests, and whether it has viewers. */
export class StreamOutput {
  readonly name: string;
  readonly window: ChangingWindow;
  bytesOut = 0;
  /** Epoch milliseconds of the last request; 0 before the first. */
  lastSeenMs = 0;
  readonly #plain = new Map<string, CachedReply>();
  readonly #packed = new Map<string, CachedReply>();
  readonly #pieces = new Map<string, CachedPieces>();
  readonly #waiters = new Set<Waiter>();
  #found: { readonly version: number; readonly part: boolean; readonly segment: boolean } | undefined;
  /** Number of viewers with a session; written by the owner of the sessions. */
  viewerCount = 0;
  /** Continuous replies on their way. */
  #watcherCount = 0;
  readonly #unsubscribe: () => void;
  readonly #marks: () => SpliceMarks;
  readonly #onClose = new Set<() => void>();

  readonly #live: () => StreamOutput | undefined;
  /** Keeps the texts of the window where they are long. */
  readonly texts: LongTexts | undefined;

  /**
   * @param marks how splice points are marked in HLS; by default as RFC 8216 has it
   * @param live the output of the stream that this one plays something of: what is sent from here counts there, too
   * @param texts keeps the texts of this window where they are long; without it all are rendered at once
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

  /** Whether rendered texts are kept for the next viewer who asks. */
  protected get keepsTexts(): boolean {
    return true;
  }

  /** How splice points are marked in HLS. */
  get marks(): SpliceMarks {
    return this.#marks();
  }

  /** Counts bytes on their way to viewers. */
  sent(bytes: number): void {
    this.bytesOut += bytes;
    this.#live()?.sent(bytes);
  }

  /**
   * A segment went to a viewer to its end.
   *
   * @param part its number in the segment, where it was asked for by itself
   */
  delivered(_trackId: string, _address: string, _part?: number): void {
    // Those who show something of their own to a viewer count it.
  }

  /** Whether a segment is that of one viewer: others have other media at its address, and each load of it counts. */
  isOfViewer(_trackId: string, _address: string): boolean {
    return false;
  }

  /**
   * Media of a segment cannot be read.
   *
   * @returns whether there is other media in its place from now on
   */
  unreadable(_trackId: string, _address: string): boolean {
    return false;
  }

  /** Whether the window has what an answer needs; found once for each of its versions. */
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

  /** Ends every wait; the stream is gone. The window belongs to its maker. */
  close(): void {
    this.#unsubscribe();
    this.texts?.forget(this.window);
    for (const callback of this.#onClose) callback();
    this.#settle(() => true, false);
  }

  /** Calls back when the stream goes; returns the function that ends it. */
  onClose(callback: () => void): () => void {
    this.#onClose.add(callback);
    return () => {
      this.#onClose.delete(callback);
    };
  }

  /** Called when the stream ends. */
  get closeListenerCount(): number {
    return this.#onClose.size;
  }

  /**
   * A rendered text as a reply, made once for each version of the window and each second.
   *
   * @param key what was rendered, unique for the stream
   * @param headers header lines that depend on nothing but the key
   */
  rendered(key: string, isGzip: boolean, nowMs: number, headers: string, render: TextSteps): Reply | undefined {
    const cache = isGzip ? this.#packed : this.#plain;
    const second = this.#second(nowMs);
    const known = cache.get(key);
    if (known && known.version === this.window.version && known.second === second) return known.reply;
    const text = runAtOnce(render());
    if (text === undefined) return undefined;
    const plain = Buffer.from(text);
    // A playlist has a few kilobytes: packing it takes less time than handing it to another thread.
    const body = isGzip ? gzipSync(plain, { level: 5 }) : plain;
    const etag = this.#tag(text, second, isGzip ? '-gzip' : '');
    const lines = headersOf(headers, etag, isGzip);
    const head = `${statusLine(200)}${dateLine(nowMs)}${lines}Content-Length: ${body.length}\r\n\r\n`;
    const whole = Buffer.concat([Buffer.from(head, 'latin1'), body]);
    const reply: Reply = { status: 200, headers: lines, body: [body], bodyBytes: body.length, etag, whole };
    if (cache.size > MAX_CACHED) cache.clear();
    if (this.keepsTexts) cache.set(key, { version: this.window.version, second, reply });
    return reply;
  }

  /** Whether its texts are long: they are rendered in turns (`renderedInTurns`, `piecesInTurns`). */
  get hasLongTexts(): boolean {
    return this.texts?.isLong(this.window) === true;
  }

  /** The same as `rendered`, in short turns of the thread; it is packed beside the thread. */
  async renderedInTurns(
    key: string,
    isGzip: boolean,
    nowMs: number,
    headers: string,
    render: TextSteps,
  ): Promise<Reply | undefined> {
    const second = this.#second(nowMs);
    return this.texts?.made(this.window, `${isGzip ? 'gzip' : 'plain'} ${key}`, second, render, async (text) => {
      const plain = Buffer.from(text);
      const body = isGzip ? await pack(plain) : plain;
      const etag = this.#tag(text, second, isGzip ? '-gzip' : '');
      const lines = headersOf(headers, etag, isGzip);
      const reply: Reply = { status: 200, headers: lines, body: [body], bodyBytes: body.length, etag };
      return { value: reply, sizeBytes: body.length };
    });
  }

  /** The same as `pieces`, in short turns of the thread. */
  async piecesInTurns(key: string, mark: string, nowMs: number, render: TextSteps): Promise<CachedPieces | undefined> {
    const second = this.#second(nowMs);
    return this.texts?.made(this.window, `own ${key}`, second, render, async (text) => {
      const { version } = this.window;
      const value = { version, second, pieces: text.split(mark), etag: this.#tag(text, second, '-own') };
      // One byte a character, and what a text of its own costs.
      return Promise.resolve({ value, sizeBytes: text.length + value.pieces.length * PIECE_BYTES });
    });
  }

  /**
   * A rendered text in pieces, between which each viewer's own text belongs; made once for each version of the window and each second.
   *
   * @param key what was rendered, unique for the stream
   * @param render gives the text with `mark` where the own text belongs
   */
  pieces(key: string, mark: string, nowMs: number, render: TextSteps): CachedPieces | undefined {
    const second = this.#second(nowMs);
    const known = this.#pieces.get(key);
    if (known && known.version === this.window.version && known.second === second) return known;
    const text = runAtOnce(render());
    if (text === undefined) return undefined;
    const made = {
      version: this.window.version,
      second,
      pieces: text.split(mark),
      etag: this.#tag(text, second, '-own'),
    };
    if (this.#pieces.size > MAX_CACHED) this.#pieces.clear();
    if (this.keepsTexts) this.#pieces.set(key, made);
    return made;
  }

  /** The second that a text is made for; the same for all where only the window changes it. */
  #second(nowMs: number): number {
    return this.window.mutability === 'live' ? Math.floor(nowMs / 1000) : 0;
  }

  /** Names a text. Of an archive it is the same for the same text, however often the window was made. */
  #tag(text: string, second: number, end: string): string {
    const name =
      this.window.mutability === 'live'
        ? `${this.window.version.toString(36)}-${second.toString(36)}`
        : crc32(text).toString(36);
    return `"${name}${end}"`;
  }

  /** Calls `wake` once `isDone` holds, or with `false` when the deadline passes or the stream goes. Returns the way to give up. */
  wait(isDone: () => boolean, deadlineMs: number, wake: (isInTime: boolean) => void): () => void {
    const waiter: Waiter = { isDone, wake, deadlineMs };
    this.#waiters.add(waiter);
    return () => {
      this.#waiters.delete(waiter);
    };
  }

  /** Requests that wait for the window to grow. */
  get waitCount(): number {
    return this.#waiters.size;
  }

  /** Notes activity of a viewer. */
  seen(nowMs: number): void {
    this.lastSeenMs = nowMs;
  }

  /** Notes the begin of an endless reply; returns the function that notes its end. */
  watch(): () => void {
    this.#watcherCount++;
    let isHere = true;
    return () => {
      if (isHere) this.#watcherCount--;
      isHere = false;
    };
  }

  /** Whether an endless reply is open. */
  get hasWatchers(): boolean {
    return this.#watcherCount > 0;
  }

  /** Ends waits whose deadline has passed, or which are over for another reason than a change of the window; called once a second or so. */
  sweep(nowMs: number): void {
    this.#settle(({ deadlineMs }) => deadlineMs <= nowMs, false);
    this.#wakeWaiters();
  }

  #wakeWaiters(): void {
    this.#settle((waiter) => waiter.isDone(), true);
  }

  /** Ends some waits: as many at once as a turn of the event loop bears, the others in the next ones. */
  #settle(which: (waiter: Waiter) => boolean, isInTime: boolean): void {
    if (this.#waiters.size === 0) return;
    const settled: Waiter[] = [];
    for (const waiter of this.#waiters) if (which(waiter)) settled.push(waiter);
    const settleFrom = (from: number): void => {
      const end = Math.min(settled.length, from + SETTLED_AT_ONCE);
      for (let at = from; at < end; at++) {
        const waiter = settled[at];
        // One that was given up meanwhile is not among them any more.
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
