import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { CallError, type ChannelEnd } from './calls.ts';
import { Channel, type ChannelHandlers, type MessagePipe } from './channel.ts';
import type { FeedSender, ReceiverPort, SenderPort, FeedReceiver } from './feeds.ts';

interface Table {
  readonly calls: { readonly double: readonly [number, number] };
  readonly feeds: { readonly body: readonly [number, number] };
  readonly subscriptions: { readonly follow: readonly [number, number] };
  readonly events: { readonly news: number };
}

const CREDIT_BYTES = 1000;
/** Cost of an item in addition to its bytes. */
const ITEM_BYTES = 64;
const MAX_ITEM_BYTES = 700;
const DEATH: ChannelEnd = { code: 'media_thread_failed', detail: 'it died' };
const DONE: ChannelEnd = { code: 'input_ended', detail: 'done' };

/** Pipe that delivers messages on request of the test. */
class SlowPipe implements MessagePipe {
  onTheWay: unknown[] = [];
  other: SlowPipe | undefined;
  #listener: (message: unknown) => void = () => {};

  post(message: unknown): void {
    this.onTheWay.push(structuredClone(message));
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#listener = listener;
  }

  close(): void {}

  deliver(count = Number.POSITIVE_INFINITY): boolean {
    const some = this.onTheWay.splice(0, count);
    for (const message of some) this.other?.receive(message);
    return some.length > 0;
  }

  receive(message: unknown): void {
    this.#listener(message);
  }
}

/** Clock that counts its timers. */
class CountingClock extends FakeClock {
  timers = 0;

  override after(delayMs: number, callback: () => void): () => void {
    let isOver = false;
    const over = (): void => {
      if (!isOver) this.timers--;
      isOver = true;
    };
    this.timers++;
    const cancel = super.after(delayMs, () => {
      over();
      callback();
    });
    return () => {
      over();
      cancel();
    };
  }
}

/** Call with its request and its result. */
interface CallModel {
  readonly request: number;
  readonly controller: AbortController;
  readonly isEndAwaited: boolean;
  readonly outcomes: (number | string)[];
}

/** Feed with both of its ends. */
class FeedModel implements ReceiverPort<number>, SenderPort {
  sender: FeedSender<number> | undefined;
  feed: FeedReceiver | undefined;
  readonly written: number[] = [];
  readonly arrived: number[] = [];
  readonly takings: (() => void)[] = [];
  readonly isSlow: boolean;
  dropped_ = 0;
  underWay = 0;
  /** Number of end notifications of each side. */
  senderEnds = 0;
  receiverEnds = 0;

  constructor(isSlow: boolean) {
    this.isSlow = isSlow;
  }

  write(bytes: number): void {
    const hadRoom = this.sender?.hasRoom;
    if (this.sender?.write(bytes, bytes) !== hadRoom) throw new Error('room was promised');
    if (!hadRoom) return;
    this.written.push(bytes);
    this.underWay += bytes + ITEM_BYTES;
  }

  take(bytes: number): void | Promise<void> {
    this.arrived.push(bytes);
    const left = (): void => {
      this.underWay -= bytes + ITEM_BYTES;
    };
    if (!this.isSlow) {
      left();
      return;
    }
    return new Promise((resolve) => {
      this.takings.push(() => {
        left();
        resolve();
      });
    });
  }

  dropped(bytes: number): void {
    this.dropped_++;
    this.underWay -= bytes + ITEM_BYTES;
  }

  room(): void {
    if (!this.sender?.hasRoom) throw new Error('there is no room');
  }

  ended(): void {
    this.receiverEnds++;
  }

  closed(): void {
    this.senderEnds++;
  }
}

/** Two threads with their channel, and a model of the exchanged messages. */
class Stage {
  readonly clock = new CountingClock();
  readonly pipes = [new SlowPipe(), new SlowPipe()] as const;
  readonly calls: CallModel[] = [];
  readonly open: { readonly request: number; done(answer: number | Error): void }[] = [];
  /** Questions that were cancelled before they were sent. */
  readonly unsent = new Set<number>();
  readonly unsentReports: number[] = [];
  readonly feeds: FeedModel[] = [];
  readonly emitted: number[][] = [[], []];
  readonly received: number[][] = [[], []];
  readonly sides: readonly [Channel<Table, Table>, Channel<Table, Table>];
  isDead = false;
  #isAttached = false;
  #next = 1;

  constructor() {
    this.sides = [this.#channel(0), this.#channel(1)];
    [this.pipes[0].other, this.pipes[1].other] = [this.pipes[1], this.pipes[0]];
  }

  #channel(side: number): Channel<Table, Table> {
    const handlers: ChannelHandlers<Table, Table> = {
      calls: {
        double: (request, call) =>
          new Promise((resolve, reject) => {
            if (this.unsent.has(request)) this.unsentReports.push(request);
            const done = (answer: number | Error): void => {
              if (answer instanceof Error) {
                reject(answer);
                return;
              }
              call.answer(answer);
              // Only the first end counts.
              call.answer(answer + 1);
              resolve();
            };
            this.open.push({ request, done });
          }),
      },
      feeds: { body: (index, feed) => Object.assign(this.feeds[index] ?? new FeedModel(false), { feed }) },
      subscriptions: {
        follow: (index, sender) => Object.assign(this.feeds[index] ?? new FeedModel(false), { sender }),
      },
      events: { news: (value) => this.received[side]?.push(value) },
    };
    return new Channel<Table, Table>(this.clock, handlers);
  }

  attach(): void {
    if (this.#isAttached) return;
    this.#isAttached = true;
    for (const { request, outcomes } of this.calls) if (outcomes.length > 0) this.unsent.add(request);
    this.sides[0].attach(this.pipes[0]);
    this.sides[1].attach(this.pipes[1]);
  }

  call(side: 0 | 1, timeoutMs: number | undefined, isEndAwaited: boolean): void {
    const request = this.#next++;
    const controller = new AbortController();
    const model: CallModel = { request, controller, isEndAwaited, outcomes: [] };
    this.calls.push(model);
    const limit = timeoutMs === undefined ? {} : { timeoutMs };
    this.sides[side].call('double', request, { signal: controller.signal, isEndAwaited, ...limit }).then(
      (answer) => model.outcomes.push(answer),
      (error: unknown) => model.outcomes.push(error instanceof CallError ? error.code : 'cancelled'),
    );
  }

  /** Open requests; requests whose answer is not awaited may remain open. */
  waiting(): { done(answer: number | Error): void; readonly request: number }[] {
    return this.open.splice(0).filter(({ request }) => {
      const call = this.calls.find((each) => each.request === request);
      return call?.isEndAwaited === true || call?.outcomes.length === 0;
    });
  }

  feed(side: 0 | 1, isPull: boolean, isSlow: boolean): void {
    const model = new FeedModel(isSlow);
    const index = this.feeds.push(model) - 1;
    if (isPull) model.feed = this.sides[side].subscribe('follow', index, CREDIT_BYTES, model);
    else model.sender = this.sides[side].feed('body', index, CREDIT_BYTES, model);
  }

  emit(side: 0 | 1): void {
    const value = this.#next++;
    if (this.sides[side].emit('news', value)) this.emitted[1 - side]?.push(value);
  }

  die(): void {
    this.isDead = true;
    for (const pipe of this.pipes) pipe.onTheWay = [];
    for (const side of this.sides) side.close(DEATH);
  }

  /** Ends everything that is open. */
  async finish(): Promise<void> {
    this.attach();
    for (let isBusy = true; isBusy;) {
      for (const { sender } of this.feeds) sender?.end(DONE);
      const delivered = this.pipes.map((pipe) => pipe.deliver());
      const answers = this.waiting();
      for (const { request, done } of answers) done(request * 2);
      const takings = this.feeds.flatMap((feed) => feed.takings.splice(0));
      for (const taken of takings) taken();
      await settled();
      isBusy = delivered.includes(true) || answers.length + takings.length > 0;
    }
  }
}

/** Runs the callbacks of settled promises. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

type Step = (stage: Stage) => void;

const side = fc.constantFrom<0 | 1>(0, 1);
const index = fc.nat(12);
/** One of the newest three items, so that each is used many times. */
const pick = <T>(list: readonly T[], at: number): T | undefined =>
  list.at(-1 - (at % Math.min(3, Math.max(1, list.length))));

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(side, fc.option(fc.integer({ min: 1, max: 3000 }), { nil: undefined }), fc.boolean()).map(
    ([by, timeoutMs, isEndAwaited]): Step =>
      (stage) =>
        stage.call(by, timeoutMs, isEndAwaited),
  ),
  index.map((at): Step => (stage) => {
    const [open] = stage.open.splice(at % Math.max(1, stage.open.length), 1);
    open?.done(at % 3 === 0 ? new CallError(DONE) : open.request * 2);
  }),
  index.map(
    (at): Step =>
      (stage) =>
        pick(stage.calls, at)?.controller.abort(),
  ),
  fc.integer({ min: 1, max: 2000 }).map(
    (ms): Step =>
      (stage) =>
        stage.clock.advance(ms),
  ),
  fc.tuple(side, fc.boolean(), fc.boolean()).map(
    ([by, isPull, isSlow]): Step =>
      (stage) =>
        stage.feed(by, isPull, isSlow),
  ),
  {
    weight: 8,
    arbitrary: fc.tuple(index, fc.integer({ min: 100, max: MAX_ITEM_BYTES })).map(
      ([at, bytes]): Step =>
        (stage) =>
          pick(stage.feeds, at)?.write(bytes),
    ),
  },
  index.map(
    (at): Step =>
      (stage) =>
        pick(stage.feeds, at)?.takings.shift()?.(),
  ),
  index.map(
    (at): Step =>
      (stage) =>
        pick(stage.feeds, at)?.sender?.end(DONE),
  ),
  index.map(
    (at): Step =>
      (stage) =>
        pick(stage.feeds, at)?.feed?.close(DONE),
  ),
  side.map(
    (by): Step =>
      (stage) =>
        stage.emit(by),
  ),
  {
    weight: 8,
    arbitrary: fc.tuple(side, fc.integer({ min: 1, max: 4 })).map(
      ([by, count]): Step =>
        (stage) =>
          void stage.pipes[by].deliver(count),
    ),
  },
  fc.constant<Step>((stage) => stage.attach()),
);

describe('Channel', () => {
  it('settles every call once, keeps feeds within their credit and in order, and leaves nothing open', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 120, size: 'max' }),
        fc.option(fc.nat(120), { freq: 2 }),
        async (steps, diesAt) => {
          const stage = new Stage();
          for (const [at, run] of steps.entries()) {
            if (at === diesAt) stage.die();
            run(stage);
            await settled();
            for (const feed of stage.feeds)
              expect(feed.underWay).toBeLessThan(CREDIT_BYTES + MAX_ITEM_BYTES + ITEM_BYTES);
          }
          await stage.finish();
          expect([...stage.sides.map(({ openCount }) => openCount), stage.clock.timers]).toEqual([0, 0, 0]);
          expect(stage.unsentReports).toEqual([]);
          for (const { request, outcomes } of stage.calls) {
            expect(outcomes).toHaveLength(1);
            expect([request * 2, 'input_ended', 'media_thread_timeout', 'cancelled', DEATH.code]).toContain(
              outcomes[0],
            );
          }
          for (const feed of stage.feeds) {
            // The received items are the written ones, in order, up to the end.
            expect(feed.arrived).toEqual(feed.written.slice(0, feed.arrived.length));
            if (!stage.isDead) expect(feed.arrived.length + feed.dropped_).toBe(feed.written.length);
            expect([feed.senderEnds, feed.receiverEnds]).toEqual([Number(!!feed.sender), Number(!!feed.feed)]);
          }
          for (const [by, received] of stage.received.entries()) {
            if (stage.isDead) expect(received).toEqual(stage.emitted[by]?.slice(0, received.length));
            else expect(received).toEqual(stage.emitted[by]);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
