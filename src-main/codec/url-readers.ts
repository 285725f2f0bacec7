import { messageOf } from '../lib/error-message.ts';
import type { Log } from '../lib/log.ts';
import { CodecProcess, type CodecProcessOptions } from './codec-process.ts';
import type { ReadUrlInput } from './jobs/read-url.ts';
import { type SrtRefusal, SrtRefusals } from './url/srt-refusals.ts';

export interface UrlReadersOptions extends Omit<CodecProcessOptions, 'printed'> {
  /** Cache folder of the readers. */
  readonly cacheFolder: string;
  readonly log: Log;
  /** Maximum number of processes; default 256. */
  readonly limit?: number;
}

/** A running reader of one address. */
export interface UrlReader {
  /** Resolves when its process has ended, with the reason; `undefined` for an orderly end. */
  readonly ended: Promise<string | undefined>;
  /** Ends the reading. The process gets a short time to close its connection, then it is killed. */
  close(): void;
}

/** Number of readers: currently running; and started, crashed and refused since the start of the server. */
export interface UrlReadersStats {
  readonly processes: number;
  readonly started: number;
  readonly crashed: number;
  readonly refused: number;
}

/** Time for an SRT reader to end by itself, in milliseconds: it must close its connection, otherwise the peer would wait. */
const GRACE_MS = 1000;
/**
 * Time for readers of other protocols to end by themselves, in milliseconds: FFmpeg may block while the peer is silent. After
 * the kill, the system closes the connection.
 */
const SHORT_GRACE_MS = 250;

/** Codec processes that read addresses, one each. A process is not restarted. */
export class UrlReaders {
  readonly #options: UrlReadersOptions;
  readonly #processes = new Set<CodecProcess>();
  #counts = { started: 0, crashed: 0, refused: 0 };
  #isClosed = false;

  constructor(options: UrlReadersOptions) {
    this.#options = options;
  }

  get stats(): UrlReadersStats {
    return { processes: this.#processes.size, ...this.#counts };
  }

  /** Process ids of the running children, for monitoring. */
  get pids(): number[] {
    return [...this.#processes].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  /**
   * Starts to read; the packets go to the feed named by the input.
   * @param onSrtRefusal called for each caller that an SRT listener refuses
   */
  open(options: Omit<ReadUrlInput, 'cacheFolder'>, onSrtRefusal: (refusal: SrtRefusal) => void = () => {}): UrlReader {
    const input: ReadUrlInput = { ...options, cacheFolder: this.#options.cacheFolder };
    if (this.#isClosed || this.#processes.size >= (this.#options.limit ?? 256)) {
      this.#counts.refused++;
      return {
        ended: Promise.resolve(
          this.#isClosed ? 'the server is closing' : 'too many inputs are read by codec processes',
        ),
        close: () => {},
      };
    }
    const { clock, log } = this.#options;
    const refusals = options.options.mode === 'listener' ? new SrtRefusals(onSrtRefusal) : undefined;
    const process = new CodecProcess({
      ...this.#options,
      printed: (text) => {
        refusals?.push(text);
      },
    });
    this.#processes.add(process);
    this.#counts.started++;
    let isOver = false;
    const failed = process.run('read-url', input, undefined).then(() => undefined, messageOf);
    const ended = failed.then(async (reason) => {
      isOver = true;
      if (reason !== undefined && !process.isEnding) {
        this.#counts.crashed++;
        log.warn('the codec process of an input ended unexpectedly', { kind: options.kind, how: reason });
      }
      await process.close();
      this.#processes.delete(process);
      return reason;
    });
    return {
      ended,
      close: () => {
        // The feed is already closed, so a reader that still runs after this time hangs inside FFmpeg.
        clock.after(options.kind === 'srt' ? GRACE_MS : SHORT_GRACE_MS, () => {
          if (!isOver) void process.close();
        });
      },
    };
  }

  /** Ends all readers; resolves when no child is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#processes].map((process) => process.close()));
  }
}
