import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { AV_LOG_VERBOSE, AV_LOG_WARNING, AV_PKT_DATA_NEW_EXTRADATA, AVERROR_EXIT } from 'node-av/constants';
import { Log, Packet } from 'node-av/lib';
import type { ConnectionLimits } from '../../lib/connection-limits.ts';
import { type FeedEnd, printFeedDescription, printFeedEnd } from '../../lib/feed/feed-description.ts';
import { FeedKind } from '../../lib/feed/feed-record.ts';
import { FeedWriter } from '../url/feed-writer.ts';
import { checkedUrls } from '../url/checked-url.ts';
import { ConnectionWatch } from '../url/connection-watch.ts';
import { LiveTurns, untilTickMs } from '../url/live-turns.ts';
import { FfmpegLog, openFailure, readFailure } from '../url/read-failure.ts';
import { trustedCertificates } from '../url/trusted-certificates.ts';
import { isOverTls, type UrlKind, type UrlOptions } from '../url/url-options.ts';
import { SrtSource } from '../url/srt-source.ts';
import { UrlSource } from '../url/url-source.ts';

/** Address to read until it ends, and the receiver of its packets. */
export interface ReadUrlInput {
  readonly url: string;
  readonly kind: UrlKind;
  readonly options: UrlOptions;
  /** Cache folder for trusted certificates. */
  readonly cacheFolder: string;
  /** True to repeat a file without end. */
  readonly loop: boolean;
  /** Timeout of opening, in milliseconds; 0 for none. */
  readonly openTimeoutMs: number;
  /** Addresses that it may connect to; undefined allows all. */
  readonly limits?: ConnectionLimits;
  /** Socket that waits for the packets, and the token that it expects first. */
  readonly feed: { readonly path: string; readonly token: string };
}

/** Reason for the end; it was also sent through the feed. */
export type ReadUrlOutput = FeedEnd;

/** Time for the log lines of FFmpeg to arrive, in milliseconds. */
const DELIVERY_MS = 20;
/** Number of bytes of a file read per turn of the event loop. */
const FILE_TURN_BYTES = 1 << 20;
/** Maximum interval between turns of the event loop during direct reads of a live source, in milliseconds. */
const MAX_TURN_INTERVAL_MS = 100;
/** Shared memory for `Atomics.wait`; it is never notified, so the wait ends with its timeout. */
const NEVER = new Int32Array(new SharedArrayBuffer(4));

/** Reads an address and writes its packets into a feed, until the address or the feed ends. */
export async function readUrl(input: ReadUrlInput): Promise<ReadUrlOutput> {
  const log = new FfmpegLog();
  const reading = new UrlReading(input, log);
  Log.setCallback(
    (level, line) => {
      if (level <= AV_LOG_WARNING) log.read(line);
      else reading.connections?.read(line);
    },
    { maxLevel: input.limits ? AV_LOG_VERBOSE : AV_LOG_WARNING },
  );
  const feed = await FeedWriter.connect(input.feed.path, input.feed.token, () => {
    reading.stop();
  });
  const end = await reading.run(feed);
  feed.text(FeedKind.end, printFeedEnd(end));
  await feed.close();
  return end;
}

/** One address from its opening to its end. */
class UrlReading {
  readonly #input: ReadUrlInput;
  readonly #log: FfmpegLog;
  readonly #packet = new Packet();
  readonly connections: ConnectionWatch | undefined;
  #source: UrlSource | SrtSource;
  #isStopped = false;
  #turnBytes = 0;
  #lastMessageMs = 0;

  constructor(input: ReadUrlInput, log: FfmpegLog) {
    this.#input = input;
    this.#log = log;
    this.#source = this.#newSource();
    this.connections =
      input.limits &&
      new ConnectionWatch(input.limits, () => {
        this.#source.interrupt();
      });
    this.#packet.alloc();
  }

  /** Interrupts a waiting call. */
  stop(): void {
    this.#isStopped = true;
    this.#source.interrupt();
  }

  async run(feed: FeedWriter): Promise<FeedEnd> {
    for (;;) {
      const failure = await this.#open();
      if (failure) return failure;
      const source = this.#source;
      const { packets, end } =
        source instanceof SrtSource ? await this.#readBytes(source, feed) : await this.#readAll(source, feed);
      await this.#source.close();
      if (end.code !== 'input_ended' || this.#isStopped || this.#input.kind !== 'file') return end;
      if (packets === 0) return { code: 'input_no_tracks', ...because('file_without_media') };
      if (!this.#input.loop) return { code: 'input_ended', ...because('file_ended') };
      feed.text(FeedKind.restart, Buffer.alloc(0));
      this.#source = this.#newSource();
    }
  }

  async #open(): Promise<FeedEnd | undefined> {
    const { url, kind, options, openTimeoutMs, cacheFolder } = this.#input;
    const urls = checkedUrls(this.#input, this.#input.limits);
    const caFile = isOverTls(url) && !options.isInsecure ? await trustedCertificates(cacheFolder) : undefined;
    let isLate = false;
    const timer =
      openTimeoutMs > 0
        ? setTimeout(() => {
            isLate = true;
            this.#source.interrupt();
          }, openTimeoutMs)
        : undefined;
    const startMs = performance.now();
    let result = -1;
    for (const [index, opened] of urls.entries()) {
      if (index > 0) this.#source = this.#newSource();
      result = await this.#source.open(opened, options, caFile);
      if (result >= 0 || isLate || this.#isStopped || this.connections?.refused !== undefined) break;
    }
    const tookMs = performance.now() - startMs;
    clearTimeout(timer);
    if (result >= 0 && !this.connections) return undefined;
    // The log lines of FFmpeg arrive in separate messages.
    await new Promise((resolve) => setTimeout(resolve, DELIVERY_MS));
    const refused = this.connections?.refused;
    if (refused !== undefined)
      return {
        code: 'input_refused',
        ...because('redirect_forbidden', { address: refused }),
      };
    if (result >= 0) return undefined;
    if (isLate) return { code: 'input_unreachable', ...because('source_no_answer', { seconds: openTimeoutMs / 1000 }) };
    return openFailure(kind, result, this.#log, tookMs);
  }

  #newSource(): UrlSource | SrtSource {
    const { kind, options } = this.#input;
    return kind === 'srt' && SrtSource.canContain(options) ? new SrtSource() : new UrlSource(kind);
  }

  /** Reads the available bytes once per tick. */
  async #readBytes(source: SrtSource, feed: FeedWriter): Promise<{ packets: number; end: FeedEnd }> {
    let packets = 0;
    for (;;) {
      const result = source.read();
      if (typeof result === 'number' || this.#isStopped)
        return { packets, end: readFailure(typeof result === 'number' ? result : AVERROR_EXIT, this.#log) };
      for (const bytes of result) feed.bytes(bytes);
      packets += result.length;
      const turn = this.#pause(feed);
      if (turn) await turn;
      const room = feed.room();
      if (room) await room;
    }
  }

  async #readAll(source: UrlSource, feed: FeedWriter): Promise<{ packets: number; end: FeedEnd }> {
    const isFile = this.#input.kind === 'file';
    const canChange = this.#input.kind === 'rtmp';
    const live = isFile ? undefined : new LiveTurns();
    let packets = 0;
    if (!source.isBytes) feed.text(FeedKind.streams, printFeedDescription(source.describe()));
    for (;;) {
      const isBeside = live?.isDirect === false;
      if (live?.mayWait) feed.flush();
      const startMs = live ? performance.now() : 0;
      const result = isBeside ? await source.read(this.#packet) : source.readSync(this.#packet);
      const next = live?.ended(startMs, performance.now()) ?? 'at-once';
      if (result < 0 || this.#isStopped) return { packets, end: readFailure(result, this.#log) };
      packets++;
      const bytes = source.isBytes ? this.#writeBytes(feed) : this.#writeUnit(source, feed, canChange);
      this.#packet.unref();
      this.#turnBytes += bytes;
      if (next === 'after-turn' || (isFile && this.#turnBytes > FILE_TURN_BYTES)) await this.#turn(feed);
      else if (next === 'pause') {
        const turn = this.#pause(feed);
        if (turn) await turn;
      }
      const room = feed.room();
      if (room) await room;
    }
  }

  #writeBytes(feed: FeedWriter): number {
    const { data } = this.#packet;
    if (data) feed.bytes(data);
    return data?.length ?? 0;
  }

  #writeUnit(source: UrlSource, feed: FeedWriter, canChange: boolean): number {
    const packet = this.#packet;
    // RTMP sends a new configuration with the first frame that needs it.
    const config = canChange ? packet.getSideData(AV_PKT_DATA_NEW_EXTRADATA) : null;
    if (config) source.learn(packet.streamIndex, config);
    if (config || !source.knows(packet.streamIndex))
      feed.text(FeedKind.streams, printFeedDescription(source.describe()));
    const { streamIndex, data } = packet;
    if (!data) return 0;
    feed.unit(streamIndex, source.ticks(streamIndex, packet.dts), source.ticks(streamIndex, packet.pts), data);
    return data.length;
  }

  /**
   * Sends the packets that were read, and waits for the next tick; returns a promise if the event loop needs a turn.
   */
  #pause(feed: FeedWriter): Promise<void> | undefined {
    feed.flush();
    // Cheaper than a timer, which costs a turn of the event loop.
    Atomics.wait(NEVER, 0, 0, untilTickMs(Date.now()));
    return performance.now() - this.#lastMessageMs >= MAX_TURN_INTERVAL_MS ? this.#turn(feed) : undefined;
  }

  /** Gives the event loop a turn between two packets, for the feed and the parent. */
  async #turn(feed: FeedWriter): Promise<void> {
    this.#turnBytes = 0;
    feed.flush();
    await new Promise((resolve) => setImmediate(resolve));
    this.#lastMessageMs = performance.now();
  }
}
