import type { ByteBudget } from '../ingest/byte-budget.ts';
import type { InputEnd, InputSink, PublishDecision, PublishRequest } from '../ingest/input.ts';
import { TsPublisher } from '../ingest/mpegts/ts-publisher.ts';
import type { Clock } from '../lib/clock.ts';
import type { Channel } from '../lib/channel/channel.ts';
import type { ReceiverPort, FeedReceiver } from '../lib/channel/feeds.ts';
import type { AcceptedPublisher, FromMediaThread, StreamSpec, ToMediaThread } from './messages.ts';
import { relaySink, takeRelay } from './publisher-relay.ts';
import { markedSink, publishInput, type WorkMark } from './work-mark.ts';

/** Functions that publishers need from their media thread. */
export interface PublishersOptions {
  readonly clock: Clock;
  readonly channel: Pick<Channel<FromMediaThread, ToMediaThread>, 'call'>;
  readonly mark: WorkMark;
  /** Memory budget for incomplete data, shared by all inputs of the thread. */
  readonly budget: ByteBudget;
  /**
   * Adds a publisher to its stream, which is opened if necessary.
   * @param label address and software of the publisher
   */
  publish(stream: StreamSpec, label: string, publisher: { close(reason: InputEnd): void }): InputSink;
}

/** Publishers of the streams of a media thread. They may be connected to this thread, to another one, or to the server thread. */
export class Publishers {
  readonly #options: PublishersOptions;

  constructor(options: PublishersOptions) {
    this.#options = options;
  }

  /** Asks the server thread whether an encoder that is connected to this thread may publish. */
  async open(request: PublishRequest, publisher: { close(reason: InputEnd): void }): Promise<PublishDecision> {
    const { channel, clock, mark } = this.#options;
    const decided = await channel.call('publish', request);
    if (!decided.accepted) return decided;
    const { stream, relay } = decided;
    return {
      accepted: true,
      sink: relay
        ? markedSink(relaySink(relay, clock, publisher), mark, publishInput(stream))
        : this.#publish({ stream, request }, publisher),
    };
  }

  /** Adds an encoder that is connected to another media thread. */
  takeRelayed(accepted: ToMediaThread['calls']['take-relay'][0]): void {
    takeRelay(accepted.relay, this.#options.clock, (publisher) => this.#publish(accepted, publisher));
  }

  /** Adds an encoder that sends MPEG-TS as the body of an HTTP request. */
  takeHttp(accepted: AcceptedPublisher, feed: FeedReceiver): ReceiverPort<Uint8Array> {
    let publisher: TsPublisher | undefined = undefined;
    const close = (reason: InputEnd): void => publisher?.end(reason);
    const sink = this.#publish(accepted, { close });
    const ended = (end: InputEnd): void => {
      sink.ended(end);
      feed.close(end);
    };
    const tsPublisher = new TsPublisher({ ...sink, ended }, { budget: this.#options.budget });
    publisher = tsPublisher;
    return {
      take: (bytes) => {
        tsPublisher.push(bytes);
      },
      ended: (end) => {
        tsPublisher.end(end);
      },
    };
  }

  #publish({ stream, request }: AcceptedPublisher, publisher: { close(reason: InputEnd): void }): InputSink {
    const label = request.agent === undefined ? request.peer : `${request.peer} ${request.agent}`;
    return this.#options.publish(stream, label, publisher);
  }
}
