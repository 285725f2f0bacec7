import type { Transferable } from 'node:worker_threads';
import type { ChannelEnd } from './calls.ts';

/** Where what a feed carries is written. */
export interface FeedSender<Item> {
  /** Whether the taker has said that there is room: whether the next item will be taken. */
  readonly hasRoom: boolean;
  /**
   * Sends an item, unless there is no room or the feed is over; returns whether it was sent.
   *
   * @param bytes its size
   * @param transfer what of it is handed over, not copied
   */
  write(item: Item, bytes: number, transfer?: readonly Transferable[]): boolean;
  /** Ends the feed behind what was written. Later calls do nothing. */
  end(end: ChannelEnd): void;
}

/** What the sender of a feed hears. */
export interface SenderPort {
  /** There is room again, after there was none. */
  room(): void;
  /** The feed is over on both sides, with the last word of the other one, or of the channel. Once, and last. */
  closed(end: ChannelEnd): void;
}

/** Who takes what a feed carries. */
export interface FeedTaker<Item> {
  /** Takes an item; it has left the feed when this returns, or when the promise that it returns is settled. */
  take(item: Item): void | Promise<void>;
  /** The feed is over and nothing more is on its way; the sender, or the channel, says why. Once, and last. */
  ended(end: ChannelEnd): void;
  /** An item that was on its way when `close` was called: what it holds is to be let go. */
  dropped?(item: Item): void;
}

/** The end of a feed where it is taken. */
export interface TakenFeed {
  /** Takes no more: the sender hears why. Called in `ended`, it is the answer to the sender's end. Later calls do nothing. */
  close(end: ChannelEnd): void;
}

/** What goes through the pipe for feeds. They are numbered by the side that opens them; to the other side the number is negative. */
export type FeedMessage =
  | readonly [kind: 'feed' | 'subscribe', feed: number, name: string, opening: unknown, creditBytes: number]
  | readonly [kind: 'item', feed: number, item: unknown, cost: number]
  | readonly [kind: 'taken', feed: number, cost: number]
  | readonly [kind: 'over', feed: number, end: ChannelEnd];

/** Sends a message to the other side. @param transfer what of it is handed over, not copied */
type Say = (message: FeedMessage, transfer?: readonly Transferable[]) => void;

/** What feeds need from their channel. */
export interface FeedPort {
  readonly post: Say;
  /** The other side has opened a feed to here. */
  taken(name: string, opening: unknown, feed: TakenFeed): FeedTaker<unknown> | undefined;
  /** The other side wants a feed from here. */
  subscribed(name: string, opening: unknown, feed: FeedSender<unknown>): SenderPort | undefined;
}

/** What every item costs beside its bytes, so that empty items are bounded too. */
const ITEM_BYTES = 64;

/** An end of a feed. Each says once that it is over, and hears it once: then nothing is on its way any more. */
abstract class FeedEnd {
  readonly number: number;
  readonly creditBytes: number;
  protected readonly say: Say;
  protected hasSaidOver = false;
  protected hasHeardOver = false;

  constructor(number: number, creditBytes: number, say: Say) {
    this.number = number;
    this.creditBytes = creditBytes;
    this.say = say;
  }

  /** The other end, or the channel, says that the feed is over. */
  hearOver(end: ChannelEnd): void {
    if (this.hasHeardOver) return;
    this.hasHeardOver = true;
    try {
      this.emitEnd(end);
    } finally {
      this.sayOver(end);
    }
  }

  protected sayOver(end: ChannelEnd): void {
    if (this.hasSaidOver) return;
    this.hasSaidOver = true;
    this.say(['over', -this.number, end]);
  }

  protected abstract emitEnd(end: ChannelEnd): void;
}

/** The sending end. At most its credit is under way, and the rest of one item; there is room again when half of it was taken. */
class SendingEnd extends FeedEnd implements FeedSender<unknown> {
  port: SenderPort | undefined;
  #underWay = 0;
  #isFull = false;

  get hasRoom(): boolean {
    return !this.#isFull && !this.hasSaidOver && !this.hasHeardOver;
  }

  write(item: unknown, bytes: number, transfer?: readonly Transferable[]): boolean {
    if (!this.hasRoom) return false;
    const cost = bytes + ITEM_BYTES;
    this.#underWay += cost;
    this.#isFull = this.#underWay >= this.creditBytes;
    this.say(['item', -this.number, item, cost], transfer);
    return true;
  }

  end(end: ChannelEnd): void {
    this.sayOver(end);
  }

  hearTaken(cost: number): void {
    this.#underWay -= cost;
    if (!this.#isFull || this.hasSaidOver || this.#underWay > this.creditBytes / 2) return;
    this.#isFull = false;
    this.port?.room();
  }

  protected emitEnd(end: ChannelEnd): void {
    this.port?.closed(end);
  }
}

/** The taking end. It says what was taken when that is a quarter of the credit, not for each item. */
class TakingEnd extends FeedEnd implements TakenFeed {
  taker: FeedTaker<unknown> | undefined;
  #unsaid = 0;

  close(end: ChannelEnd): void {
    this.sayOver(end);
  }

  hearItem(item: unknown, cost: number): void {
    if (this.hasSaidOver) {
      this.taker?.dropped?.(item);
      return;
    }
    let taking: void | Promise<void> = undefined;
    try {
      taking = this.taker?.take(item);
    } finally {
      if (taking)
        void taking.finally(() => {
          this.#taken(cost);
        });
      else this.#taken(cost);
    }
  }

  protected emitEnd(end: ChannelEnd): void {
    this.taker?.ended(end);
  }

  #taken(cost: number): void {
    this.#unsaid += cost;
    if (this.hasSaidOver || this.#unsaid < this.creditBytes / 4) return;
    this.say(['taken', -this.number, this.#unsaid]);
    this.#unsaid = 0;
  }
}

/** The feeds of a channel, in both directions. */
export class Feeds {
  readonly #port: FeedPort;
  readonly #ends = new Map<number, SendingEnd | TakingEnd>();
  #last = 0;

  constructor(port: FeedPort) {
    this.#port = port;
  }

  /** Feeds without an end. */
  get openCount(): number {
    return this.#ends.size;
  }

  /** Opens a feed to the other side. @param closed why it is over at once */
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

  /** Has the other side open a feed to here. @param closed why it is over at once */
  subscribe(
    name: string,
    opening: unknown,
    creditBytes: number,
    taker: FeedTaker<unknown>,
    closed: ChannelEnd | undefined,
  ): TakenFeed {
    const taking = new TakingEnd(++this.#last, creditBytes, this.#port.post);
    taking.taker = taker;
    this.#start('subscribe', name, opening, taking, closed);
    return taking;
  }

  take(message: FeedMessage): void {
    if (message[0] === 'feed' || message[0] === 'subscribe') {
      this.#opened(message);
      return;
    }
    const end = this.#ends.get(message[1]);
    if (message[0] === 'over') {
      this.#ends.delete(message[1]);
      end?.hearOver(message[2]);
    } else if (message[0] === 'item' && end instanceof TakingEnd) end.hearItem(message[2], message[3]);
    else if (message[0] === 'taken' && end instanceof SendingEnd) end.hearTaken(message[2]);
  }

  /** Nothing comes from the other side any more. */
  close(reason: ChannelEnd): void {
    const ends = [...this.#ends.values()];
    this.#ends.clear();
    for (const end of ends) end.hearOver(reason);
  }

  #start(
    kind: 'feed' | 'subscribe',
    name: string,
    opening: unknown,
    end: SendingEnd | TakingEnd,
    closed: ChannelEnd | undefined,
  ): void {
    if (closed) {
      // Not before the caller has what it opened.
      queueMicrotask(() => {
        end.hearOver(closed);
      });
      return;
    }
    this.#ends.set(end.number, end);
    this.#port.post([kind, -end.number, name, opening, end.creditBytes]);
  }

  #opened([kind, number, name, opening, creditBytes]: FeedMessage & { readonly 0: 'feed' | 'subscribe' }): void {
    if (kind === 'feed') {
      const taking = new TakingEnd(number, creditBytes, this.#port.post);
      this.#ends.set(number, taking);
      taking.taker = this.#port.taken(name, opening, taking);
    } else {
      const sender = new SendingEnd(number, creditBytes, this.#port.post);
      this.#ends.set(number, sender);
      sender.port = this.#port.subscribed(name, opening, sender);
    }
  }
}
