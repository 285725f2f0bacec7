import { MpegTsReader, type MpegTsReaderOptions } from '../../media/containers/mpegts/reader.ts';
import type { MpegTsStats } from '../../media/containers/mpegts/pid-state.ts';
import type { ByteBudget, ByteShare } from '../byte-budget.ts';
import type { InputEnd, InputSink } from '../input.ts';

/** Bytes in a row without packets of a transport stream, after which an input is none. */
const MAX_BYTES_WITHOUT_GRID = 64 * 1024;

/** How a transport stream is taken in. */
export interface TsIntakeOptions extends MpegTsReaderOptions {
  /** What all inputs of the thread share for what is half received; default: no limit beyond that of each. */
  readonly budget?: ByteBudget;
}

/**
 * The way of one transport stream into its sink: counts and reads its bytes, and ends once. Bytes that are no transport
 * stream end it with `ts_not_mpegts`. After its end, and after `cancel`, the sink hears nothing more.
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
    // The reader may still have much to say of the chunk in which the intake is cancelled.
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

  /** Takes the next bytes. Returns whether more are wanted. */
  push(bytes: Uint8Array): boolean {
    if (this.#isOver) return false;
    this.#sink.received(bytes.length);
    this.#reader.push(bytes);
    this.#share?.hold(this.#reader.heldBytes);
    if (this.#reader.bytesWithoutGrid > MAX_BYTES_WITHOUT_GRID) {
      this.end({
        code: 'ts_not_mpegts',
        detail: `No packets of a transport stream in ${this.#reader.bytesWithoutGrid} bytes`,
      });
    }
    return !this.isOver;
  }

  /** Hands on what is half read, and ends. */
  end(reason: InputEnd): void {
    if (this.#isOver) return;
    this.#reader.flush();
    this.#finish(reason);
  }

  /** Ends without a word. */
  cancel(): void {
    this.#isOver = true;
    this.#share?.close();
  }

  #finish(reason: InputEnd): void {
    // The sink may have cancelled meanwhile.
    if (this.#isOver) return;
    this.cancel();
    this.#sink.ended(reason);
  }
}
