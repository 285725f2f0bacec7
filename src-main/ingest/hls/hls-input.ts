import type { Clock } from '../../lib/clock.ts';
import type { OutgoingHosts } from '../../lib/outgoing-hosts.ts';
import type { MediaPlaylist } from '../../media/manifests/hls/media-playlist.ts';
import type { ByteBudget, ByteShare } from '../byte-budget.ts';
import { ClosableSink } from '../file/closable-sink.ts';
import type { Input, InputEnd, InputSink } from '../input.ts';
import { EvenPace } from './even-pace.ts';
import type { HlsSettings } from './hls-address.ts';
import { HttpLoader } from './http-loader.ts';
import { KeyStore } from './key-store.ts';
import { RenditionMerge } from './rendition-merge.ts';
import type { MergeStep } from './rendition-merge.ts';
import { openPresentation } from './presentation.ts';
import type { Presentation } from './presentation.ts';
import { holdBackMs, isLowLatency } from './start-position.ts';
import { Wakeable } from './wakeable.ts';

/** What an `hls://` input is made with. */
export interface HlsInputOptions {
  readonly settings: HlsSettings;
  readonly clock: Clock;
  /** What may be asked; by default any host but private ones that a public one leads to. */
  readonly hosts?: OutgoingHosts;
  /** What all inputs of the thread share for what is half received; default: no limit beyond that of each. */
  readonly budget?: ByteBudget;
}

/** How long one rendition is waited for at the start while the other is there. */
const START_GRACE_MS = 8000;
/** How long it is waited for later: bounds of its target duration. */
const LEAST_GRACE_MS = 500;
const MOST_GRACE_MS = 4000;
/** Pieces that media comes in are at least this long for the pace, in milliseconds. */
const LEAST_SLACK_MS = 1000;

/**
 * A presentation of HTTP Live Streaming as an input (RFC 8216, RFC 8216bis): live near its edge, a recording from its start.
 *
 * Ends with `hls_bad_playlist`, `hls_no_variant`, `hls_encryption_unsupported`, `input_no_tracks` and `input_unreadable` for what
 * cannot be played, `input_stalled` for a playlist that stands still, `input_ended` at the end of a recording, and the codes of a
 * connection that fails.
 */
export class HlsInput implements Input {
  readonly #options: HlsInputOptions;
  readonly #sink: InputSink;
  readonly #loader: HttpLoader;
  readonly #wake: Wakeable;
  readonly #pace: EvenPace;
  #presentation: Presentation | undefined;
  #graceMs = MOST_GRACE_MS;
  /** When the first rendition had something. */
  #readyMs: number | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;
  readonly #share: ByteShare | undefined;
  /** Why it had to give its memory back. */
  #evicted: InputEnd | undefined;

  constructor(options: HlsInputOptions, sink: InputSink) {
    const { clock, settings, hosts, budget } = options;
    this.#options = options;
    this.#sink = new ClosableSink(sink, () => this.#isClosed);
    this.#wake = new Wakeable(clock);
    this.#pace = new EvenPace(clock);
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
      held: (bytes) => {
        this.#share?.hold(bytes);
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
    const { clock, settings } = this.#options;
    const presentation = await openPresentation({
      clock,
      settings,
      loader: this.#loader,
      keys: new KeyStore(this.#loader),
      problem: this.#sink.problem.bind(this.#sink),
      changed: () => {
        this.#wake.notify();
      },
      listed: (playlist, aheadMs) => {
        this.#listed(playlist, aheadMs);
      },
    });
    if ('code' in presentation) return presentation;
    this.#presentation = presentation;
    if (!this.#isClosed) presentation.start();
    const merge = new RenditionMerge(presentation.sources, this.#sink);
    while (!this.#isClosed && !this.#evicted) {
      const step = merge.look();
      const end = presentation.leader.isDone ? presentation.leader.end : undefined;
      // The last frames of the sound may lie behind those of the picture.
      if (end && (step.kind !== 'unit' || end.code !== 'input_ended')) return end;
      const waitMs = this.#waitFor(step, merge);
      if (waitMs > 0) await this.#wake.wait(waitMs);
    }
    return { code: 'input_ended', detail: 'The input was closed.' };
  }

  /** Does the next step, unless it has to wait: then for how long at most. */
  #waitFor(step: MergeStep, merge: RenditionMerge): number {
    const now = this.#options.clock.now();
    if (step.kind === 'starved' || step.kind === 'done') return Infinity;
    const { missing } = step;
    this.#readyMs ??= now;
    if (missing.length > 0) {
      const dueMs = step.kind === 'unit' ? this.#pace.dueMs(step.ticks) : this.#pace.dueMs(merge.endTicks ?? 0);
      const untilMs = merge.endTicks === undefined ? this.#readyMs + START_GRACE_MS : dueMs + this.#graceMs;
      if (now < untilMs) return untilMs - now;
      for (const rendition of missing) rendition.isAbsent = true;
    }
    if (step.kind === 'cross') {
      merge.cross();
      return 0;
    }
    const waitMs = this.#pace.waitMs(step.ticks);
    if (waitMs === 0) merge.hand(step);
    return waitMs;
  }

  #listed(playlist: MediaPlaylist, aheadMs: number): void {
    const pieceMs = isLowLatency(playlist) ? (playlist.partTargetMs ?? 0) : playlist.targetMs;
    this.#graceMs = Math.min(MOST_GRACE_MS, Math.max(LEAST_GRACE_MS, pieceMs));
    if (!playlist.isEnded) this.#pace.settle(aheadMs, holdBackMs(playlist), Math.max(LEAST_SLACK_MS, pieceMs));
  }
}
