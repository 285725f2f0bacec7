import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { parseFeedDescription, parseFeedEnd } from '../../lib/feed/feed-description.ts';
import { FeedKind, type FeedRecord } from '../../lib/feed/feed-record.ts';
import type { ByteBudget } from '../byte-budget.ts';
import { LoopSink } from '../file/loop-sink.ts';
import type { InputEnd, InputSink } from '../input.ts';
import { TsIntake } from '../mpegts/ts-intake.ts';
import { sinkMethods } from '../sink-methods.ts';
import type { ExternalKind } from './external-address.ts';
import { FeedUnits } from './feed-units.ts';

export interface FeedMediaOptions {
  readonly kind: ExternalKind;
  /** Number of the programme in a transport stream (SRT); default: the first with audio or video. */
  readonly program?: number;
  /** Budget for incomplete data, shared by all inputs of the thread. */
  readonly budget?: ByteBudget;
}

/**
 * Converts the records of a feed to media: packets of a container, or a transport stream (SRT). A file may be played in many
 * passes.
 */
export class FeedMedia {
  /** Duration of a file in milliseconds, if its container states one. */
  durationMs: number | undefined;
  readonly #media: LoopSink;
  readonly #units: FeedUnits;
  readonly #intake: TsIntake | undefined;
  readonly #end: (end: InputEnd) => void;

  /** @param end called with the reason when the media ends, possibly several times */
  constructor(sink: InputSink, { kind, program, budget }: FeedMediaOptions, end: (end: InputEnd) => void) {
    this.#end = end;
    this.#media = new LoopSink(sink);
    this.#units = new FeedUnits(kind === 'file' ? this.#media : sink);
    if (kind === 'srt')
      this.#intake = new TsIntake(
        // The bytes were already counted on arrival.
        { ...sinkMethods(sink), received: () => undefined, ended: end },
        { ...(program === undefined ? {} : { program }), ...(budget ? { budget } : {}) },
      );
  }

  /** Access units of a file so far, in all passes. */
  get units(): number {
    return this.#media.units;
  }

  /** Decoding time of the newest access unit. */
  get lastTicks(): number {
    return this.#media.lastTicks;
  }

  /** Drops incomplete data. */
  cancel(): void {
    this.#intake?.cancel();
  }

  /** Processes the next record. */
  take(record: FeedRecord): void {
    switch (record.kind) {
      case FeedKind.unit:
        this.#units.unit(record);
        return;
      case FeedKind.bytes:
        this.#intake?.push(record.data);
        return;
      case FeedKind.streams:
        this.#describe(record);
        return;
      case FeedKind.restart:
        this.#units.restart();
        this.#media.nextPass();
        return;
      case FeedKind.end:
        this.#units.flush();
        this.#end(parseFeedEnd(record.data) ?? { code: 'codec_process_failed', ...because('reader_ended') });
        return;
      case FeedKind.hello:
      case FeedKind.message:
        return;
      default:
        record.kind satisfies never;
    }
  }

  #describe(record: FeedRecord): void {
    const description = parseFeedDescription(record.data);
    if (!description) return;
    this.durationMs = description.durationMs;
    this.#units.describe(description);
    if (!this.#units.hasNoTracks) return;
    const { refused } = this.#units;
    this.#end({
      code: 'input_no_tracks',
      ...(refused.length === 0
        ? because('input_without_media')
        : because('input_with_other_codecs', { codecs: refused.join(', ') })),
    });
  }
}
