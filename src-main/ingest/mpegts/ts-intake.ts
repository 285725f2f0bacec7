import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { MpegTsReader, type MpegTsReaderOptions } from '../../media/containers/mpegts/reader.ts';
import type { MpegTsStats } from '../../media/containers/mpegts/pid-state.ts';
import type { ByteBudget, ByteShare } from '../byte-budget.ts';
import type { InputEnd, InputSink } from '../input.ts';

/** Bytes without transport stream packets after which an input is refused. */
const MAX_BYTES_WITHOUT_GRID = 64 * 1024;

export interface TsIntakeOptions extends MpegTsReaderOptions {
  /** Budget for incomplete data, shared by all inputs of the thread; default: no limit beyond that of each. */
  readonly budget?: ByteBudget;
}

/**
 * Feeds one transport stream into its sink: counts and parses its bytes, and ends once. Other bytes end it with `ts_not_mpegts`.
 * After its end, and after `cancel`, the sink is not called any more.
 */
export class TsIntake {
  readonly #reader: MpegTsReader;
  readonly #sink: InputSink;
  readonly #share: ByteShare | undefined;
  #isOver = false;

  constructor(sink: InputSink, options: TsIntakeOptions = {}) {
    this.#sink = sink;
    this.#share = options.budget?.open((end) => {
      this.#finish(end);
    });
    // A separate sink that closes with the intake, because the reader may still emit units of the current chunk.
    this.#reader = new MpegTsReader(
      {
        tracks: (tracks) => {
          if (!this.#isOver) sink.tracks(tracks);
        },
        accessUnit: (unit) => {
          if (!this.#isOver) sink.accessUnit(unit);
        },
        splice: (message) => {
          if (!this.#isOver) sink.splice(message);
        },
        problem: (problem) => {
          if (!this.#isOver) sink.problem(problem);
        },
      },
      { ...options, isLive: true },
    );
  }

  /** Whether it has ended or was cancelled. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Counters of the transport stream. */
  get stats(): MpegTsStats {
    return this.#reader.stats;
  }

  /** Processes the next bytes. Returns false after the end. */
  push(bytes: Uint8Array): boolean {
    if (this.#isOver) return false;
    this.#sink.received(bytes.length);
    this.#reader.push(bytes);
    this.#share?.setBytes(this.#reader.bufferedBytes);
    if (this.#reader.bytesWithoutGrid > MAX_BYTES_WITHOUT_GRID) {
      this.end({
        code: 'ts_not_mpegts',
        ...because('ts_none', { bytes: this.#reader.bytesWithoutGrid }),
      });
    }
    return !this.isOver;
  }

  /** Emits incomplete data, and ends. */
  end(reason: InputEnd): void {
    if (this.#isOver) return;
    this.#reader.flush();
    this.#finish(reason);
  }

  /** Ends silently. */
  cancel(): void {
    this.#isOver = true;
    this.#share?.close();
  }

  #finish(reason: InputEnd): void {
    // The sink may have cancelled the intake in the meantime.
    if (this.#isOver) return;
    this.cancel();
    this.#sink.ended(reason);
  }
}
