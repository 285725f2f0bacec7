import { MpegTsReader } from '../../media/containers/mpegts/reader.ts';
import type { InputEnd, InputSink } from '../input.ts';

/** A publisher that sends MPEG-TS as a body of bytes. */
export class TsPublisher {
  readonly #sink: InputSink;
  readonly #reader: MpegTsReader;

  constructor(sink: InputSink) {
    this.#sink = sink;
    this.#reader = new MpegTsReader(sink);
  }

  push(bytes: Uint8Array): void {
    this.#sink.received(bytes.length);
    this.#reader.push(bytes);
  }

  /** Nothing more comes. */
  end(reason: InputEnd): void {
    this.#reader.flush();
    this.#sink.ended(reason);
  }
}
