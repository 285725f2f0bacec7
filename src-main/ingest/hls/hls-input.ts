import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { Clock } from '../../lib/clock.ts';
import type { OutgoingHosts } from '../../lib/outgoing-hosts.ts';
import type { ByteBudget, ByteShare } from '../byte-budget.ts';
import { ClosableSink } from '../file/closable-sink.ts';
import type { Input, InputEnd, InputSink } from '../input.ts';
import type { HlsSettings } from './hls-address.ts';
import { HttpLoader } from './http-loader.ts';
import { KeyStore } from './key-store.ts';
import { openPresentation } from './presentation.ts';
import type { Presentation } from './presentation.ts';
import { Playout } from './playout.ts';
import { Wakeable } from '../../lib/timers.ts';

/** Maximum number of variants that may fail during playback before the input ends. */
const MAX_FAILED_VARIANTS = 10;

export interface HlsInputOptions {
  readonly settings: HlsSettings;
  readonly clock: Clock;
  /** Allowed hosts; default: any, except that a public host must not lead to a private one. */
  readonly hosts?: OutgoingHosts;
  /** Budget for incomplete data, shared by all inputs of the thread; default: no limit beyond that of each. */
  readonly budget?: ByteBudget;
}

/**
 * HTTP Live Streaming presentation as an input (RFC 8216, RFC 8216bis): a live one from near its edge, a recording from its
 * start. Ends with `hls_bad_playlist`, `hls_no_variant`, `hls_encryption_unsupported`, `input_no_tracks` and `input_unreadable`
 * for unplayable content, `input_stalled` for a stalled playlist, `input_ended` at the end of a recording, and the codes of a
 * failed connection.
 */
export class HlsInput implements Input {
  readonly #options: HlsInputOptions;
  readonly #sink: InputSink;
  readonly #loader: HttpLoader;
  readonly #wake: Wakeable;
  #presentation: Presentation | undefined;
  #playout: Playout | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;
  readonly #share: ByteShare | undefined;
  /** Reason for which the budget disconnected this input. */
  #evicted: InputEnd | undefined;

  constructor(options: HlsInputOptions, sink: InputSink) {
    const { clock, settings, hosts, budget } = options;
    this.#options = options;
    this.#sink = new ClosableSink(sink, () => this.#isClosed);
    this.#wake = new Wakeable(clock);
    this.#share = budget?.open((end) => {
      this.#evicted = end;
      this.#loader.close();
      this.#wake.notify();
    });
    this.#loader = new HttpLoader({
      clock,
      userAgent: settings.userAgent,
      headers: settings.headers,
      isInsecure: settings.isInsecure === true,
      home: settings.url,
      ...(hosts ? { hosts } : {}),
      received: (bytes) => {
        this.#sink.received(bytes);
      },
      buffered: (bytes) => {
        this.#share?.setBytes(bytes);
      },
    });
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake.close();
    this.#loader.close();
    this.#share?.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    const end = await this.#play();
    this.#loader.close();
    this.#share?.close();
    await this.#presentation?.close();
    this.#sink.ended(this.#evicted ?? end);
  }

  async #play(): Promise<InputEnd> {
    const failed = new Set<string>();
    let presentation = await this.#open(failed);
    while (!('code' in presentation)) {
      this.#presentation = presentation;
      const end = await this.#playOut(presentation);
      const { variantUri } = presentation;
      const hasFailed = !this.#isClosed && !this.#evicted && end.code !== 'input_ended';
      if (!hasFailed || variantUri === undefined || failed.size >= MAX_FAILED_VARIANTS) return end;
      // The playlist of another variant may still work.
      failed.add(variantUri);
      await presentation.close();
      const next = await this.#open(failed);
      if ('code' in next) return end;
      this.#sink.problem(end);
      presentation = next;
    }
    return presentation;
  }

  /** @param failed variants that are not opened */
  async #open(failed: ReadonlySet<string>): Promise<Presentation | InputEnd> {
    const { clock, settings } = this.#options;
    return openPresentation({
      clock,
      settings,
      failed,
      loader: this.#loader,
      keys: new KeyStore(this.#loader),
      problem: this.#sink.problem.bind(this.#sink),
      changed: () => {
        this.#wake.notify();
      },
      listed: (playlist, aheadMs) => {
        this.#playout?.listed(playlist, aheadMs);
      },
    });
  }

  /** Plays a presentation until its leading rendition ends. */
  async #playOut(presentation: Presentation): Promise<InputEnd> {
    const playout = new Playout(this.#options.clock, presentation.sources, this.#sink);
    this.#playout = playout;
    if (!this.#isClosed) presentation.start();
    while (!this.#isClosed && !this.#evicted) {
      const step = playout.next();
      const end = presentation.leader.isDone ? presentation.leader.end : undefined;
      // Some audio frames may follow the last picture.
      if (end && (step.kind !== 'unit' || end.code !== 'input_ended')) return end;
      const waitMs = playout.take(step);
      if (waitMs > 0) await this.#wake.wait(waitMs);
    }
    return { code: 'input_ended', ...because('input_closed') };
  }
}
