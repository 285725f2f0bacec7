import type { ByteBudget } from '../ingest/byte-budget.ts';
import type { InputEnd, InputSink } from '../ingest/input.ts';
import { TsPublisher } from '../ingest/mpegts/ts-publisher.ts';

/** Publishers that send MPEG-TS as the body of an HTTP request; their bytes come from the server thread. */
export class HttpPublishers {
  readonly #publishers = new Map<number, TsPublisher>();
  readonly #closed: (requestId: number, end: InputEnd) => void;

  readonly #budget: ByteBudget;

  /** @param closed hears when the engine is done with a publisher: the request has to end */
  constructor(budget: ByteBudget, closed: (requestId: number, end: InputEnd) => void) {
    this.#budget = budget;
    this.#closed = closed;
  }

  open(requestId: number, sink: InputSink): void {
    const ended = (end: InputEnd): void => {
      this.#publishers.delete(requestId);
      sink.ended(end);
      this.#closed(requestId, end);
    };
    this.#publishers.set(requestId, new TsPublisher({ ...sink, ended }, { budget: this.#budget }));
  }

  push(requestId: number, bytes: Uint8Array): void {
    this.#publishers.get(requestId)?.push(bytes);
  }

  /** The request is over. */
  end(requestId: number, detail: string): void {
    this.#publishers.get(requestId)?.end({ code: 'publish_closed', detail });
  }

  /** Disconnects a publisher. */
  kick(requestId: number, reason: InputEnd): void {
    const publisher = this.#publishers.get(requestId);
    if (!publisher) return;
    publisher.end(reason);
  }
}
