import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { PathNotAllowedError } from '../../lib/allowed-paths.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ConnectionLimits } from '../../lib/connection-limits.ts';
import { messageOf } from '../../lib/error-message.ts';
import { ClosableSink } from '../file/closable-sink.ts';
import { Pacer } from '../file/pacer.ts';
import type { ByteBudget } from '../byte-budget.ts';
import type { Input, InputEnd, InputSink } from '../input.ts';
import type { ConnectedFeed, ExpectedFeed, FeedServer } from '../../lib/feed/feed-server.ts';
import { FeedMedia } from './feed-media.ts';
import type { ExternalAddress } from './external-address.ts';
import type { ExternalReaderPort, ExternalReading } from './external-reader-port.ts';

export interface ExternalInputOptions {
  /** Name of the stream, for reports about refused callers of an SRT listener. */
  readonly stream?: string;
  readonly address: ExternalAddress;
  readonly port: ExternalReaderPort;
  readonly feeds: FeedServer;
  readonly clock: Clock;
  /** Number of the programme in a transport stream (SRT); default: the first with audio or video. */
  readonly program?: number;
  /** Whether a file restarts at its end; default true. */
  readonly loop?: boolean;
  /** Time at which the first frame of a file is due, in epoch milliseconds; default: at once. */
  readonly firstDueMs?: number;
  /** Resolves the path of the file to an address when the file is opened. Rejects if the file must not be read. */
  readonly locate?: () => Promise<string>;
  /**
   * Determines the allowed connections when the input is opened. Rejects if the host cannot be found or is not allowed
   * (`EACCES`).
   */
  readonly limits?: () => Promise<ConnectionLimits>;
  /** Budget for incomplete data, shared by all inputs of the thread. */
  readonly budget?: ByteBudget;
}

/** Maximum time until the peer answers, in milliseconds. */
const OPEN_MS = 10_000;

/**
 * Input read by a codec process, which handles protocol and container and sends packets over a local socket. Ends with
 * `input_unreachable`, `input_refused`, `input_unreadable`, `input_file_not_found`, `path_not_allowed`, `input_no_tracks`,
 * `input_stalled`, `input_ended`, `ts_not_mpegts`, or `codec_process_failed` if the process crashed.
 */
export class ExternalInput implements Input {
  readonly #options: ExternalInputOptions;
  readonly #sink: InputSink;
  readonly #media: FeedMedia;
  readonly #pacer: Pacer | undefined;
  #starting: Promise<void> | undefined;
  #expected: ExpectedFeed | undefined;
  #reading: ExternalReading | undefined;
  #feed: ConnectedFeed | undefined;
  #isWaiting = false;
  #isClosed = false;
  #hasEnded = false;

  constructor(options: ExternalInputOptions, sink: InputSink) {
    const { address, clock, firstDueMs } = options;
    this.#options = options;
    this.#sink = new ClosableSink(sink, () => this.#isClosed || this.#hasEnded);
    this.#media = new FeedMedia(this.#sink, { ...options, kind: address.kind }, (end) => {
      this.#end(end);
    });
    if (address.kind === 'file') this.#pacer = new Pacer(clock, firstDueMs);
  }

  /** Duration of a file, if its container states one. */
  get durationMs(): number | undefined {
    return this.#media.durationMs;
  }

  start(): void {
    this.#starting ??= this.#start();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#starting;
    this.#release();
    await this.#reading?.ended;
  }

  async #start(): Promise<void> {
    const { stream, address, port, feeds, loop, locate, limits: findLimits } = this.#options;
    try {
      const url = locate ? await locate() : address.url;
      const limits = await findLimits?.();
      const expected = await feeds.expect((feed) => {
        this.#connect(feed);
      });
      if (this.#isClosed) {
        expected.cancel();
        return;
      }
      this.#expected = expected;
      this.#reading = port.open({
        ...address,
        ...(stream === undefined ? {} : { stream }),
        url,
        loop: loop !== false,
        ...(limits ? { limits } : {}),
        openTimeoutMs: address.options.mode === 'listener' ? 0 : OPEN_MS,
        feed: { path: expected.path, token: expected.token },
      });
    } catch (error) {
      this.#end(startFailure(error));
      return;
    }
    void this.#reading.ended.then((reason) => {
      // A connected feed reports its end itself, after its remaining packets.
      if (!this.#feed) this.#end(crash(reason));
    });
  }

  #connect(feed: ConnectedFeed): void {
    if (this.#isClosed || this.#hasEnded) {
      feed.socket.destroy();
      return;
    }
    this.#feed = feed;
    feed.socket.on('data', (bytes: Buffer) => {
      this.#sink.received(bytes.length);
      feed.reader.push(bytes);
      if (!this.#isWaiting) this.#pull(feed);
    });
    feed.socket.once('close', () => {
      // During a pause, the unread records are processed first. Without a record of the end, the process crashed.
      if (!this.#isWaiting)
        void this.#reading?.ended.then((reason) => {
          this.#end(crash(reason));
        });
    });
    this.#pull(feed);
    if (!this.#isWaiting) feed.socket.resume();
  }

  #pull({ socket, reader }: ConnectedFeed): void {
    for (let record = reader.next(); record && !this.#hasEnded; record = reader.next()) {
      const before = this.#media.units;
      this.#media.take(record);
      const wait =
        this.#media.units > before ? this.#pacer?.pace(this.#media.lastTicks, this.#media.units - before) : undefined;
      if (wait) {
        this.#pauseUntil(wait, { socket, reader });
        return;
      }
    }
    if (reader.isBroken)
      this.#end({
        code: 'codec_process_failed',
        ...because('reader_output_damaged'),
      });
  }

  /** Pauses reading until `wait` resolves. */
  #pauseUntil(wait: Promise<void>, feed: ConnectedFeed): void {
    this.#isWaiting = true;
    feed.socket.pause();
    void wait.then(() => {
      this.#isWaiting = false;
      if (this.#isClosed) return;
      this.#pull(feed);
      if (this.#isWaiting) return;
      if (feed.socket.destroyed)
        void this.#reading?.ended.then((reason) => {
          this.#end(crash(reason));
        });
      else feed.socket.resume();
    });
  }

  #end(end: InputEnd): void {
    if (this.#hasEnded) return;
    this.#media.cancel();
    this.#sink.ended(end);
    this.#hasEnded = true;
    this.#release();
  }

  #release(): void {
    this.#pacer?.close();
    this.#expected?.cancel();
    this.#feed?.socket.destroy();
    this.#reading?.close();
  }
}

function startFailure(error: unknown): InputEnd {
  if (!(error instanceof Error)) return { code: 'internal', detail: messageOf(error) };
  if (error instanceof PathNotAllowedError) return { code: error.code, detail: error.message };
  if ('syscall' in error && error.syscall === 'getaddrinfo')
    return { code: 'input_unreachable', detail: error.message };
  return { code: 'code' in error && error.code === 'EACCES' ? 'input_refused' : 'internal', detail: error.message };
}

function crash(reason: string | undefined): InputEnd {
  return {
    code: 'codec_process_failed',
    ...(reason === undefined ? because('reader_ended') : { detail: reason }),
  };
}
