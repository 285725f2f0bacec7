import type { ByteBudget } from '../ingest/byte-budget.ts';
import type { InputEnd, InputSink, PublishDecision, PublishRequest } from '../ingest/input.ts';
import { TsPublisher } from '../ingest/mpegts/ts-publisher.ts';
import type { Clock } from '../lib/clock.ts';
import type { Channel } from '../lib/channel/channel.ts';
import type { FeedTaker, TakenFeed } from '../lib/channel/feeds.ts';
import type { AcceptedPublisher, FromMediaThread, StreamSpec, ToMediaThread } from './messages.ts';
import { relaySink, takeRelay } from './publisher-relay.ts';
import { markedSink, publishPlace, type WorkMark } from './work-mark.ts';

/** Functions that publishers need from their media thread. */
export interface PublishersOptions {
  readonly clock: Clock;
  readonly channel: Pick<Channel<FromMediaThread, ToMediaThread>, 'ask'>;
  readonly mark: WorkMark;
  /** Budget of partly received data, shared by all inputs of the thread. */
  readonly budget: ByteBudget;
  /**
   * Adds a publisher to its stream, which opens if necessary.
   * @param label address and software of the publisher
   */
  publish(stream: StreamSpec, label: string, publisher: { close(reason: InputEnd): void }): InputSink;
}

/** Encoders of a media thread: those connected to it, to other threads, and to the server thread. */
export class Publishers {
  readonly #options: PublishersOptions;

  constructor(options: PublishersOptions) {
    this.#options = options;
  }

  /** Asks the server thread about an encoder connected to this thread. */
  async open(request: PublishRequest, publisher: { close(reason: InputEnd): void }): Promise<PublishDecision> {
    const { channel, clock, mark } = this.#options;
    const decided = await channel.ask('publish', request);
    if (!decided.accepted) return decided;
    const { stream, relay } = decided;
    return {
      accepted: true,
      sink: relay
        ? markedSink(relaySink(relay, clock, publisher), mark, publishPlace(stream))
        : this.#publish({ stream, request }, publisher),
    };
  }

  /** Takes an encoder connected to another media thread. */
  takeRelayed(accepted: ToMediaThread['calls']['take-relay'][0]): void {
    takeRelay(accepted.relay, this.#options.clock, (publisher) => this.#publish(accepted, publisher));
  }

  /** Takes an encoder that sends MPEG-TS as the body of an HTTP request. */
  takeHttp(accepted: AcceptedPublisher, feed: TakenFeed): FeedTaker<Uint8Array> {
    let publisher: TsPublisher | undefined = undefined;
    const close = (reason: InputEnd): void => publisher?.end(reason);
    const sink = this.#publish(accepted, { close });
    const ended = (end: InputEnd): void => {
      sink.ended(end);
      feed.close(end);
    };
    const made = new TsPublisher({ ...sink, ended }, { budget: this.#options.budget });
    publisher = made;
    return {
      take: (bytes) => {
        made.push(bytes);
      },
      ended: (end) => {
        made.end(end);
      },
    };
  }

  #publish({ stream, request }: AcceptedPublisher, publisher: { close(reason: InputEnd): void }): InputSink {
    const label = request.agent === undefined ? request.peer : `${request.peer} ${request.agent}`;
    return this.#options.publish(stream, label, publisher);
  }
}
