import { because } from '../../../../src-preload/contract/explanations/explanations.ts';
import type { AccessUnit, MediaSink, SpliceMessage } from '../../access-unit.ts';
import { isSameFormat, type Track } from '../../track.ts';
import type { ElementarySink, ElementaryStream } from './elementary-stream.ts';

/** Maximum wait for the parameter sets of all tracks, in media time: 4 s, enough for a GOP of 2 s. */
const MAX_WAIT_TICKS = 4 * 90_000;

/** Maximum bytes of access units kept while waiting for parameter sets. */
const MAX_WAIT_QUEUE_BYTES = 8 * 1024 * 1024;

/** Memory of a waiting unit besides its bytes. */
const UNIT_OVERHEAD_BYTES = 256;

/** Maximum wait for parameter sets, in bytes of the transport stream. */
const MAX_WAIT_STREAM_BYTES = 32 * 1024 * 1024;

/** Maximum number of splice messages before the first access unit. */
const MAX_TIMELESS = 16;

/** Stream of the programme and its language. */
interface NamedStream {
  readonly stream: ElementaryStream;
  readonly language: string | undefined;
}

type Waiting = { readonly stream: ElementaryStream; readonly unit: AccessUnit } | { readonly splice: SpliceMessage };

/**
 * Announces the tracks of a programme before their access units. While the parameter sets of some tracks are missing, units of
 * all tracks that are not announced wait in a bounded queue. Announced tracks continue meanwhile.
 */
export class Announcer implements ElementarySink {
  readonly #sink: MediaSink;
  #streams: readonly ElementaryStream[] = [];
  readonly #waiting = new Set<ElementaryStream>();
  #languages: ReadonlyMap<ElementaryStream, string | undefined> = new Map();
  #queue: Waiting[] = [];
  #queueBytes = 0;
  #announced: readonly Track[] = [];
  /** Splice messages before the first access unit. */
  readonly #timeless: Omit<SpliceMessage, 'atTicks'>[] = [];
  /** Whether the programme may have further tracks. */
  #expectsMore = false;
  #waitFromTicks: number | undefined;
  #waitFromBytes: number | undefined;

  constructor(sink: MediaSink) {
    this.#sink = sink;
  }

  /** Memory of the waiting units. */
  get bufferedBytes(): number {
    return this.#queueBytes;
  }

  /** Whether tracks were announced. */
  get hasTracks(): boolean {
    return this.#announced.length > 0;
  }

  /**
   * Sets the streams of a new programme map, in the order of their tracks. Existing streams continue.
   *
   * @param expectsMore whether further tracks are likely, so that the first announcement waits
   */
  setStreams(named: readonly NamedStream[], expectsMore: boolean): void {
    this.#expectsMore = expectsMore;
    const streams = named.map(({ stream }) => stream);
    this.#languages = new Map(named.map(({ stream, language }) => [stream, language]));
    const old = new Set(this.#streams);
    this.#streams = streams;
    for (const stream of this.#waiting) if (!streams.includes(stream)) this.#waiting.delete(stream);
    for (const stream of streams) if (!old.has(stream)) this.#waiting.add(stream);
    this.#waitFromTicks = undefined;
    this.#waitFromBytes = undefined;
    if (this.#waiting.size > 0 && this.#hasUnknown()) return;
    if (streams.length > 0) this.settle();
  }

  /**
   * Marks a stream as unreadable: other streams do not wait for it. The stream is announced later if its format becomes known.
   */
  giveUp(stream: ElementaryStream): void {
    if (stream.track || !this.#waiting.delete(stream)) return;
    if (this.#waiting.size > 0 && !this.#hasUnknown()) this.settle();
  }

  /** Reports the progress of media time and bytes: ends the wait when it has lasted long enough. */
  progress(ticks: number, streamBytes: number): void {
    if (this.#waiting.size === 0) return;
    this.#waitFromBytes ??= streamBytes;
    this.#waitFromTicks ??= ticks;
    if (ticks - this.#waitFromTicks < MAX_WAIT_TICKS && streamBytes - this.#waitFromBytes < MAX_WAIT_STREAM_BYTES)
      return;
    this.settle();
  }

  format(stream: ElementaryStream): void {
    if (!this.#streams.includes(stream)) return;
    if (!this.#waiting.has(stream)) this.#announce();
    else if (!this.#hasUnknown()) this.settle();
  }

  unit(stream: ElementaryStream, unit: AccessUnit): void {
    if (this.#timeless.length > 0)
      for (const message of this.#timeless.splice(0)) this.splice({ ...message, atTicks: unit.dtsTicks });
    if (this.#waiting.size === 0 || !this.#waiting.has(stream)) {
      this.#sink.accessUnit(unit);
      return;
    }
    // A real copy: `slice` of a Buffer would be a view of memory that is used again.
    const data = Uint8Array.prototype.slice.call(unit.data);
    this.#queue.push({ stream, unit: { ...unit, data } });
    this.#queueBytes += data.length + UNIT_OVERHEAD_BYTES;
    if (this.#queueBytes > MAX_WAIT_QUEUE_BYTES) this.settle();
  }

  /**
   * Processes a splice message. Without a time it waits for the first access unit, which determines the wrap of a 33-bit time.
   */
  splice({ atTicks, ...message }: Omit<SpliceMessage, 'atTicks'> & { readonly atTicks: number | undefined }): void {
    if (atTicks !== undefined) this.#giveSplice({ ...message, atTicks });
    else if (this.#timeless.length < MAX_TIMELESS)
      this.#timeless.push({ ...message, section: Uint8Array.prototype.slice.call(message.section) });
  }

  #giveSplice(message: SpliceMessage): void {
    if (this.#waiting.size === 0 || this.#announced.length > 0) {
      this.#sink.splice(message);
      return;
    }
    const section = Uint8Array.prototype.slice.call(message.section);
    this.#queue.push({ splice: { ...message, section } });
    this.#queueBytes += section.length + UNIT_OVERHEAD_BYTES;
    if (this.#queueBytes > MAX_WAIT_QUEUE_BYTES) this.settle();
  }

  /** Ends the wait: announces the known tracks and emits waiting units. Further tracks are announced when they become known. */
  settle(): void {
    for (const stream of this.#waiting) {
      if (stream.track) continue;
      this.#sink.problem({
        code: 'codec_no_config',
        ...because('ts_no_parameter_sets', { track: stream.trackId }),
      });
    }
    this.#waiting.clear();
    this.#announce();
    const queue = this.#queue;
    this.#queue = [];
    this.#queueBytes = 0;
    for (const waiting of queue) {
      if ('splice' in waiting) this.#sink.splice(waiting.splice);
      else if (this.#streams.includes(waiting.stream)) this.#sink.accessUnit(waiting.unit);
    }
  }

  #hasUnknown(): boolean {
    if (this.#expectsMore && this.#announced.length === 0) return true;
    for (const stream of this.#waiting) if (!stream.track) return true;
    return false;
  }

  #announce(): void {
    const tracks: Track[] = [];
    for (const stream of this.#streams) {
      if (!stream.track || this.#waiting.has(stream)) continue;
      tracks.push(this.#inLanguage(stream.track, this.#languages.get(stream)));
    }
    if (tracks.length === 0) return;
    if (tracks.length === this.#announced.length && tracks.every((track, index) => track === this.#announced[index]))
      return;
    this.#announced = tracks;
    this.#sink.tracks(tracks);
  }

  /** Track in the current language of the programme map; the announced object if it is unchanged. */
  #inLanguage(track: Track, language: string | undefined): Track {
    if (track.language === language) return track;
    const { language: _, ...rest } = track;
    const next = language === undefined ? rest : { ...rest, language };
    const announced = this.#announced.find(({ id }) => id === track.id);
    return announced && announced.language === language && isSameFormat(announced, next) ? announced : next;
  }
}
