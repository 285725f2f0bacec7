import type { Transferable } from 'node:worker_threads';
import type { Clock } from '../clock.ts';
import { CallError, Calls, type Call, type CallMessage, type CallOptions, type ChannelEnd } from './calls.ts';
import {
  Feeds,
  type FeedMessage,
  type FeedSender,
  type ReceiverPort,
  type SenderPort,
  type FeedReceiver,
} from './feeds.ts';

/** Messages that one side of a channel sends, by kind and name. */
export interface Direction {
  /** Requests to the other side, each settled exactly once: `[request, answer]`. */
  readonly calls: Readonly<Record<string, readonly [request: unknown, answer: unknown]>>;
  /** Streams of bytes or units with credit, opened by the sender: `[opening, item]`. */
  readonly feeds: Readonly<Record<string, readonly [opening: unknown, item: unknown]>>;
  /** Streams of bytes or units with credit, opened by the receiver: `[opening, item]`. */
  readonly subscriptions: Readonly<Record<string, readonly [opening: unknown, item: unknown]>>;
  /** Events in order, without an answer. */
  readonly events: Readonly<Record<string, unknown>>;
}

/** A side that sends no messages. */
export interface Silence {
  readonly calls: Record<never, never>;
  readonly feeds: Record<never, never>;
  readonly subscriptions: Record<never, never>;
  readonly events: Record<never, never>;
}

/** Handlers of the messages. */
export interface ChannelHandlers<Out extends Direction, In extends Direction> {
  /** Handlers of calls. They answer with `call.answer`; any error refuses the call with its `code` and message. */
  readonly calls: {
    readonly [Name in keyof In['calls']]: (
      request: In['calls'][Name][0],
      call: Call<In['calls'][Name][1]>,
    ) => void | Promise<void>;
  };
  readonly feeds: {
    readonly [Name in keyof In['feeds']]: (
      opening: In['feeds'][Name][0],
      feed: FeedReceiver,
    ) => ReceiverPort<In['feeds'][Name][1]>;
  };
  readonly subscriptions: {
    readonly [Name in keyof Out['subscriptions']]: (
      opening: Out['subscriptions'][Name][0],
      feed: FeedSender<Out['subscriptions'][Name][1]>,
    ) => SenderPort;
  };
  readonly events: { readonly [Name in keyof In['events']]: (value: In['events'][Name]) => void };
}

/** One end of a connection between two threads, such as a message port. */
export interface MessagePipe {
  /** @param transfer objects to transfer instead of copying */
  post(message: unknown, transfer?: readonly Transferable[]): void;
  onMessage(listener: (message: unknown) => void): void;
  close(): void;
}

type Message = readonly [kind: 'event', name: string, value: unknown] | CallMessage | FeedMessage;

/** Handlers without the types of the tables. */
interface ErasedHandlers {
  readonly calls: Readonly<Record<string, (request: unknown, call: Call<unknown>) => void | Promise<void>>>;
  readonly feeds: Readonly<Record<string, (opening: unknown, feed: FeedReceiver) => ReceiverPort<unknown>>>;
  readonly subscriptions: Readonly<Record<string, (opening: unknown, feed: FeedSender<unknown>) => SenderPort>>;
  readonly events: Readonly<Record<string, (value: unknown) => void>>;
}

/**
 * One side of the communication between two threads: calls, feeds and events. Before the pipe is attached, calls wait for it
 * (at most their timeout), feeds send as much as their credit allows, and events are dropped.
 */
export class Channel<Out extends Direction, In extends Direction> {
  readonly #events: ErasedHandlers['events'];
  readonly #calls: Calls;
  readonly #feeds: Feeds;
  #unsent: { readonly message: Message; readonly transfer: readonly Transferable[] | undefined }[] = [];
  #pipe: MessagePipe | undefined;
  #end: ChannelEnd | undefined;

  constructor(clock: Clock, typed: ChannelHandlers<Out, In>) {
    // Types are erased here, because a pipe can transport any value. The other side sends names and values of the same tables.
    const handlers = typed as unknown as ErasedHandlers;
    const post = (message: Message, transfer?: readonly Transferable[]): void => {
      this.#post(message, transfer);
    };
    this.#events = handlers.events;
    this.#calls = new Calls({
      clock,
      post,
      unsend: (call) => this.#unsend(call),
      handle: (name, request, call) => handlers.calls[name]?.(request, call),
    });
    this.#feeds = new Feeds({
      post,
      opened: (name, opening, feed) => handlers.feeds[name]?.(opening, feed),
      subscribed: (name, opening, feed) => handlers.subscriptions[name]?.(opening, feed),
    });
  }

  /** Number of open calls and feeds, and of messages that wait for the pipe. */
  get openCount(): number {
    return this.#calls.openCount + this.#feeds.openCount + this.#unsent.length;
  }

  /** Connects the channel to its pipe and sends the waiting messages. */
  attach(pipe: MessagePipe): void {
    if (this.#end) return;
    this.#pipe = pipe;
    for (const { message, transfer } of this.#unsent.splice(0)) pipe.post(message, transfer);
    pipe.onMessage((message) => {
      // The other end of the pipe is a channel with the same tables.
      this.#take(message as Message);
    });
  }

  /** Emits an event; returns false if the channel has no pipe yet or is closed. */
  emit<Name extends keyof Out['events'] & string>(name: Name, value: Out['events'][Name]): boolean {
    if (!this.#pipe || this.#end) return false;
    this.#pipe.post(['event', name, value]);
    return true;
  }

  /**
   * Asks the other side. Rejects with a `CallError` if the other side refuses or does not answer, or if the channel is closed.
   */
  call<Name extends keyof Out['calls'] & string>(
    name: Name,
    request: Out['calls'][Name][0],
    options: CallOptions = {},
  ): Promise<Out['calls'][Name][1]> {
    if (this.#end) return Promise.reject(new CallError(this.#end));
    return this.#calls.call(name, request, options);
  }

  /**
   * Opens a feed to the other side.
   * @param creditBytes maximum number of bytes sent but not yet taken
   */
  feed<Name extends keyof Out['feeds'] & string>(
    name: Name,
    opening: Out['feeds'][Name][0],
    creditBytes: number,
    port: SenderPort,
  ): FeedSender<Out['feeds'][Name][1]> {
    return this.#feeds.open(name, opening, creditBytes, port, this.#end);
  }

  /**
   * Asks the other side to open a feed to this side.
   * @param creditBytes maximum number of bytes sent but not yet taken
   */
  subscribe<Name extends keyof In['subscriptions'] & string>(
    name: Name,
    opening: In['subscriptions'][Name][0],
    creditBytes: number,
    port: ReceiverPort<In['subscriptions'][Name][1]>,
  ): FeedReceiver {
    return this.#feeds.subscribe(name, opening, creditBytes, port, this.#end);
  }

  /** Closes the channel, because the other side has exited or is refused. Ends all calls and feeds with the reason. */
  close(end: ChannelEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.#unsent = [];
    this.#calls.close(end);
    this.#feeds.close(end);
  }

  #post(message: Message, transfer?: readonly Transferable[]): void {
    if (this.#end) return;
    if (this.#pipe) this.#pipe.post(message, transfer);
    else this.#unsent.push({ message, transfer });
  }

  #unsend(call: number): boolean {
    const index = this.#unsent.findIndex(({ message }) => message[0] === 'ask' && message[1] === call);
    if (index >= 0) this.#unsent.splice(index, 1);
    return index >= 0;
  }

  #take(message: Message): void {
    if (this.#end) return;
    switch (message[0]) {
      case 'event':
        this.#events[message[1]]?.(message[2]);
        return;
      case 'ask':
      case 'cancel':
      case 'answer':
      case 'refuse':
        this.#calls.take(message);
        return;
      default:
        this.#feeds.take(message);
    }
  }
}
