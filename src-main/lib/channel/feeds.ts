import type { Transferable } from 'node:worker_threads';
import type { ChannelEnd } from './calls.ts';

/** Sending end of a feed. */
export interface FeedSender<Item> {
  /** True if the feed has credit, so that the next item can be sent. */
  readonly hasRoom: boolean;
  /**
   * Sends an item. Returns false if there is no room or the feed has ended.
   *
   * @param bytes size of the item
   * @param transfer objects to transfer instead of copying
   */
  write(item: Item, bytes: number, transfer?: readonly Transferable[]): boolean;
  /** Ends the feed after the written items. Later calls do nothing. */
  end(end: ChannelEnd): void;
}

/** Callbacks of the sender of a feed. */
export interface SenderPort {
  /** Called when the feed has room again. */
  room(): void;
  /**
   * Called last, when the feed has ended on both sides. The reason comes from the receiver, from the sender itself or from the
   * channel.
   */
  closed(end: ChannelEnd): void;
}

/** Callbacks of the receiver of a feed. */
export interface ReceiverPort<Item> {
  /** Takes an item. The credit of the item is free again when this returns, or when the returned promise settles. */
  take(item: Item): void | Promise<void>;
  /** Called last, when the feed has ended and no item is in transit. The reason is that of the sender or of the channel. */
  ended(end: ChannelEnd): void;
  /** Called for an item that was in transit when `close` was called, to release its resources. */
  dropped?(item: Item): void;
}

/** Receiving end of a feed. */
export interface FeedReceiver {
  /** Ends the feed from the receiving side; the sender receives the reason. Later calls do nothing. */
  close(end: ChannelEnd): void;
}

/**
 * Messages of feeds. The side that opens a feed gives it a number; the messages of the other side contain the negative number.
 */
export type FeedMessage =
  | readonly [kind: 'feed' | 'subscribe', feed: number, name: string, opening: unknown, creditBytes: number]
  | readonly [kind: 'item', feed: number, item: unknown, cost: number]
  | readonly [kind: 'taken', feed: number, cost: number]
  | readonly [kind: 'over', feed: number, end: ChannelEnd];

/**
 * Sends a message to the other side.
 * @param transfer objects to transfer instead of copying
 */
type Send = (message: FeedMessage, transfer?: readonly Transferable[]) => void;

/** Functions that feeds need from their channel. */
export interface FeedPort {
  readonly post: Send;
  /** Called when the other side has opened a feed to this side; undefined refuses the feed. */
  opened(name: string, opening: unknown, feed: FeedReceiver): ReceiverPort<unknown> | undefined;
  /** Called when the other side has asked for a feed from this side; undefined refuses the feed. */
  subscribed(name: string, opening: unknown, feed: FeedSender<unknown>): SenderPort | undefined;
}

/** Cost of every item in addition to its bytes, so that empty items are bounded too. */
const ITEM_BYTES = 64;

/**
 * One end of a feed. Each end sends the message "over" once and receives it once. When both have arrived, no message is in
 * transit.
 */
abstract class FeedEnd {
  readonly number: number;
  readonly creditBytes: number;
  protected readonly send: Send;
  protected hasSentOver = false;
  protected hasReceivedOver = false;

  constructor(number: number, creditBytes: number, send: Send) {
    this.number = number;
    this.creditBytes = creditBytes;
    this.send = send;
  }

  /** Handles the end of the feed, sent by the other end or by the channel. */
  receiveOver(end: ChannelEnd): void {
    if (this.hasReceivedOver) return;
    this.hasReceivedOver = true;
    try {
      this.emitEnd(end);
    } finally {
      this.sendOver(end);
    }
  }

  protected sendOver(end: ChannelEnd): void {
    if (this.hasSentOver) return;
    this.hasSentOver = true;
    this.send(['over', -this.number, end]);
  }

  protected abstract emitEnd(end: ChannelEnd): void;
}

/**
 * Sending end. The items in transit exceed the credit by less than one item. There is room again when half of the credit is
 * free.
 */
class SendingEnd extends FeedEnd implements FeedSender<unknown> {
  port: SenderPort | undefined;
  #inTransit = 0;
  #isFull = false;

  get hasRoom(): boolean {
    return !this.#isFull && !this.hasSentOver && !this.hasReceivedOver;
  }

  write(item: unknown, bytes: number, transfer?: readonly Transferable[]): boolean {
    if (!this.hasRoom) return false;
    const cost = bytes + ITEM_BYTES;
    this.#inTransit += cost;
    this.#isFull = this.#inTransit >= this.creditBytes;
    this.send(['item', -this.number, item, cost], transfer);
    return true;
  }

  end(end: ChannelEnd): void {
    this.sendOver(end);
  }

  receiveTaken(cost: number): void {
    this.#inTransit -= cost;
    if (!this.#isFull || this.hasSentOver || this.#inTransit > this.creditBytes / 2) return;
    this.#isFull = false;
    this.port?.room();
  }

  protected emitEnd(end: ChannelEnd): void {
    this.port?.closed(end);
  }
}

/** Receiving end. It acknowledges items in steps of a quarter of the credit. */
class ReceivingEnd extends FeedEnd implements FeedReceiver {
  port: ReceiverPort<unknown> | undefined;
  #unreported = 0;

  close(end: ChannelEnd): void {
    this.sendOver(end);
  }

  receiveItem(item: unknown, cost: number): void {
    if (this.hasSentOver) {
      this.port?.dropped?.(item);
      return;
    }
    let pending: void | Promise<void> = undefined;
    try {
      pending = this.port?.take(item);
    } finally {
      if (pending)
        void pending.finally(() => {
          this.#countTaken(cost);
        });
      else this.#countTaken(cost);
    }
  }

  protected emitEnd(end: ChannelEnd): void {
    this.port?.ended(end);
  }

  #countTaken(cost: number): void {
    this.#unreported += cost;
    if (this.hasSentOver || this.#unreported < this.creditBytes / 4) return;
    this.send(['taken', -this.number, this.#unreported]);
    this.#unreported = 0;
  }
}

/** Feeds of a channel, in both directions. */
export class Feeds {
  readonly #port: FeedPort;
  readonly #ends = new Map<number, SendingEnd | ReceivingEnd>();
  #last = 0;

  constructor(port: FeedPort) {
    this.#port = port;
  }

  /** Number of open feeds. */
  get openCount(): number {
    return this.#ends.size;
  }

  /**
   * Opens a feed to the other side.
   * @param closed reason if the channel is already closed
   */
  open(
    name: string,
    opening: unknown,
    creditBytes: number,
    port: SenderPort,
    closed: ChannelEnd | undefined,
  ): FeedSender<unknown> {
    const sender = new SendingEnd(++this.#last, creditBytes, this.#port.post);
    sender.port = port;
    this.#start('feed', name, opening, sender, closed);
    return sender;
  }

  /**
   * Asks the other side to open a feed to this side.
   * @param closed reason if the channel is already closed
   */
  subscribe(
    name: string,
    opening: unknown,
    creditBytes: number,
    port: ReceiverPort<unknown>,
    closed: ChannelEnd | undefined,
  ): FeedReceiver {
    const receiver = new ReceivingEnd(++this.#last, creditBytes, this.#port.post);
    receiver.port = port;
    this.#start('subscribe', name, opening, receiver, closed);
    return receiver;
  }

  take(message: FeedMessage): void {
    if (message[0] === 'feed' || message[0] === 'subscribe') {
      this.#opened(message);
      return;
    }
    const end = this.#ends.get(message[1]);
    if (message[0] === 'over') {
      this.#ends.delete(message[1]);
      end?.receiveOver(message[2]);
    } else if (message[0] === 'item' && end instanceof ReceivingEnd) end.receiveItem(message[2], message[3]);
    else if (message[0] === 'taken' && end instanceof SendingEnd) end.receiveTaken(message[2]);
  }

  /** Ends all feeds, because the other side has exited. */
  close(reason: ChannelEnd): void {
    const ends = [...this.#ends.values()];
    this.#ends.clear();
    for (const end of ends) end.receiveOver(reason);
  }

  #start(
    kind: 'feed' | 'subscribe',
    name: string,
    opening: unknown,
    end: SendingEnd | ReceivingEnd,
    closed: ChannelEnd | undefined,
  ): void {
    if (closed) {
      // Deferred, so that the caller has the feed before it ends.
      queueMicrotask(() => {
        end.receiveOver(closed);
      });
      return;
    }
    this.#ends.set(end.number, end);
    this.#port.post([kind, -end.number, name, opening, end.creditBytes]);
  }

  #opened([kind, number, name, opening, creditBytes]: FeedMessage & { readonly 0: 'feed' | 'subscribe' }): void {
    if (kind === 'feed') {
      const receiver = new ReceivingEnd(number, creditBytes, this.#port.post);
      this.#ends.set(number, receiver);
      receiver.port = this.#port.opened(name, opening, receiver);
    } else {
      const sender = new SendingEnd(number, creditBytes, this.#port.post);
      this.#ends.set(number, sender);
      sender.port = this.#port.subscribed(name, opening, sender);
    }
  }
}
