import type { EventSinkState } from '../../src-preload/contract/api/sink-state.ts';
import { BackOff } from '../lib/back-off.ts';
import type { Clock } from '../lib/clock.ts';
import { messageOf } from '../lib/error-message.ts';
import type { Log } from '../lib/log.ts';
import { Wakeable } from '../lib/timers.ts';
import { DeadLetters } from './dead-letters.ts';
import type { Delivery, DeliveryResult } from './delivery.ts';
import { DiskQueue, SEGMENT_BYTES } from './disk-queue.ts';
import type { QueueFolder } from './queue-folder.ts';
import type { QueueRecord } from './queue-record.ts';
import { SinkIntake, type DropReason } from './sink-intake.ts';

/** Maximum number of events in one delivery, and number of characters from which on no further event is added. */
const BATCH_COUNT = 100;
const BATCH_CHARS = 1024 * 1024;
/** First and maximum wait between attempts if the sink has no `resend_timeout`, in milliseconds. */
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;
/** Maximum number of dead letters per replay. */
const REPLAY_COUNT = 2000;
/** Maximum share of the queue for refusals. */
const REFUSAL_SHARE = 1 / 4;

export interface EventSinkOptions {
  readonly name: string;
  /** Address without secrets. */
  readonly url: string;
  /** Opens the folder of the queue. If that fails, it is tried again. */
  readonly openFolder: () => Promise<QueueFolder>;
  /** Transport to the address; undefined for an unknown scheme. */
  readonly delivery: Delivery | undefined;
  readonly throttleDelayMs: number;
  /** Maximum number of undelivered events kept once deliveries fail; null if only `maxBytes` limits them. */
  readonly resendLimit: number | null;
  /** Wait before an undelivered event is sent again; null for growing waits. */
  readonly resendTimeoutMs: number | null;
  /** Maximum disk space of undelivered events, in bytes. Above it, the oldest events become dead letters. */
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when events are lost or become dead letters. */
  readonly dropped: (reason: DropReason | 'limit', count: number) => void;
  readonly disabled: (message: string) => void;
  /** Random number from 0 to 1; for tests. */
  readonly random?: () => number;
}

/**
 * Delivers events to one address, in order, each at least once: accepted events are on disk until the receiver has
 * them.
 */
export class EventSink {
  readonly name: string;
  readonly #options: EventSinkOptions;
  readonly #intake: SinkIntake;
  readonly #wake: Wakeable;
  readonly #backOff: BackOff;
  #folder: QueueFolder | undefined;
  #queue: DiskQueue | undefined;
  #deadLetters: DeadLetters | undefined;
  #loop: Promise<void> | undefined;
  #isClosing = false;
  #status: EventSinkState['status'] = 'idle';
  #batchCount = BATCH_COUNT;
  /**
   * Number of events in the failed attempt. The next attempt sends the same events, so that a receiver can recognize the
   * repetition.
   */
  #retryCount: number | undefined;
  #failures = 0;
  /** Number of events dropped before the queue was open. They are added to the counters of the queue, which survive a restart. */
  #droppedEarly = 0;
  #resent = 0;
  #lastError: EventSinkState['last_error'] = null;
  #deliveredMs: number | null = null;
  #oldestMs: number | null = null;
  #nextAttemptMs: number | null = null;

  constructor(options: EventSinkOptions) {
    this.name = options.name;
    this.#options = options;
    const { clock } = options;
    this.#wake = new Wakeable(clock);
    const { resendTimeoutMs, random } = options;
    this.#backOff = new BackOff({
      firstMs: resendTimeoutMs ?? FIRST_RETRY_MS,
      maxMs: resendTimeoutMs ?? MAX_RETRY_MS,
      ...(random ? { random } : {}),
    });
    this.#intake = new SinkIntake({
      clock,
      // Twice the limit, because no event becomes a dead letter while a delivery is running.
      maxFileBytes: 2 * options.maxBytes,
      dropped: (reason, count) => {
        this.#drop(reason, count);
      },
      diskError: (message) => {
        if (message === null) options.log.info('the queue of an event sink is writable again', { sink: this.name });
        else this.#fault('event_queue_failed', message);
      },
      appended: () => {
        this.#wake.notify();
      },
    });
  }

  /**
   * Number of further refusals that the sink accepts. Clients can cause any number of refusals, and they must not displace
   * other events.
   */
  get refusalRoom(): number {
    const { maxBytes, resendLimit } = this.#options;
    const { waitingBytes = 0, backlog = 0 } = this.#queue ?? {};
    if (Math.max(waitingBytes / maxBytes, this.#intake.fill) > REFUSAL_SHARE) return 0;
    return Math.max(0, Math.ceil((resendLimit ?? Infinity) * REFUSAL_SHARE) - backlog - this.#intake.buffered);
  }

  /**
   * Accepts events as JSON. Never waits.
   * @param leftOut number of refusals beyond `refusalRoom`
   */
  accept(texts: readonly string[], leftOut = 0): void {
    if (!this.#options.delivery) return;
    if (leftOut > 0) this.#drop('queue_full', leftOut);
    if (texts.length === 0) return;
    this.#oldestMs ??= this.#options.clock.now();
    this.#intake.add(texts);
  }

  /** Resumes sending after the receiver answered 410 (Gone). */
  resume(): void {
    if (this.#status !== 'disabled') return;
    this.#status = 'idle';
    this.#wake.notify();
  }

  /**
   * Puts dead letters into the queue again, oldest first.
   * @returns number of events, and whether there are more
   */
  async replay(): Promise<{ readonly count: number; readonly isMore: boolean }> {
    this.resume();
    const { waitingBytes = 0 } = this.#queue ?? {};
    const hasRoom = this.#failures === 0 && waitingBytes < this.#options.maxBytes / 2 && this.#intake.fill < 1 / 2;
    if (!this.#deadLetters || !hasRoom) return { count: 0, isMore: !hasRoom };
    return this.#deadLetters.replay(REPLAY_COUNT, async (texts) => {
      this.accept(texts);
      await this.#intake.settled();
    });
  }

  /**
   * Starts to deliver.
   * @param ready resolves when the previous sink with the same queue is closed
   */
  start(ready: Promise<void> = Promise.resolve()): void {
    this.#loop = ready.then(() => this.#run());
  }

  /** Resolves when all events accepted so far are on disk, or cannot be written at the moment. */
  settled(): Promise<void> {
    return this.#intake.settled();
  }

  /** Stops; undelivered events stay on disk. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#wake.notify();
    await this.#options.delivery?.close();
    await this.#loop;
    await this.#intake.close();
    await this.#queue?.save().catch(() => undefined);
    await this.#folder?.close();
  }

  state(): EventSinkState {
    const queue = this.#queue;
    const backlog = (queue?.backlog ?? 0) + this.#intake.buffered;
    return {
      name: this.name,
      url: this.#options.url,
      status: this.#status === 'idle' && backlog > 0 ? 'delivering' : this.#status,
      backlog,
      backlog_bytes: queue?.waitingBytes ?? 0,
      oldest_waiting_at: backlog > 0 ? this.#oldestMs : null,
      delivered: queue?.counters.delivered ?? 0,
      delivered_at: this.#deliveredMs,
      resent: this.#resent,
      dropped: (queue?.counters.dropped ?? 0) + this.#droppedEarly,
      dead_letters: queue?.counters.deadLetters ?? 0,
      damaged: queue?.damaged ?? 0,
      last_error: this.#lastError,
      next_attempt_at: this.#nextAttemptMs,
    };
  }

  async #run(): Promise<void> {
    const { delivery } = this.#options;
    while (!this.#isClosing && !(await this.#open())) await this.#pause(this.#backOff.next());
    this.#backOff.reset();
    const queue = this.#queue;
    if (!queue) return;
    if (!delivery) {
      this.#status = 'not_supported';
      this.#fault('event_sink_not_supported', 'events are sent to http://, https://, log:// and jsonlog:// only');
    }
    // Events from an earlier run are sent without further delay.
    let isDue = queue.backlog > 0;
    while (!this.#isClosing) {
      try {
        await this.#shed(queue);
        if (queue.backlog === 0 || !delivery || this.#status === 'disabled') {
          if (queue.backlog === 0 && this.#intake.buffered === 0) this.#oldestMs = null;
          await this.#wake.wait();
        } else if (isDue || (await this.#isGathered(queue))) {
          isDue = await this.#deliver(queue, delivery);
        }
      } catch (error) {
        this.#fault('event_queue_failed', messageOf(error));
        await this.#pause(this.#backOff.next());
      }
    }
  }

  async #open(): Promise<boolean> {
    try {
      const folder = (this.#folder ??= await this.#options.openFolder());
      this.#deadLetters = await DeadLetters.open(folder);
      const queue = await DiskQueue.open(folder, Math.min(SEGMENT_BYTES, Math.ceil(this.#options.maxBytes / 8)));
      queue.counters.dropped += this.#droppedEarly;
      this.#droppedEarly = 0;
      this.#queue = queue;
      await this.#noteOldest(queue);
      this.#intake.start(queue, () => folder.sync());
      return true;
    } catch (error) {
      this.#fault('event_queue_failed', messageOf(error));
      return false;
    }
  }

  /** Waits until enough events are collected, or for the maximum time. Returns true when it is time to send. */
  async #isGathered(queue: DiskQueue): Promise<boolean> {
    const { throttleDelayMs, clock } = this.#options;
    const leftMs = (this.#oldestMs ?? 0) + throttleDelayMs - clock.now();
    if (leftMs <= 0 || queue.backlog >= BATCH_COUNT) return true;
    await this.#wake.wait(leftMs);
    return false;
  }

  /** Sends one batch. Returns true if the next batch may be sent without collecting. */
  async #deliver(queue: DiskQueue, delivery: Delivery): Promise<boolean> {
    const batch = await queue.peek(this.#retryCount ?? this.#batchCount, BATCH_CHARS);
    // A delivery opened after `close` would stay open.
    if (batch.length === 0 || this.#isClosing) return true;
    this.#retryCount = undefined;
    if (this.#failures === 0) this.#status = 'delivering';
    else this.#resent += batch.length;
    this.#nextAttemptMs = null;
    const result = await delivery.deliver(batch);
    if (this.#isClosing && result.kind !== 'delivered') return true;
    await this.#conclude(queue, batch, result);
    return result.kind !== 'delivered' || queue.backlog >= BATCH_COUNT;
  }

  async #conclude(queue: DiskQueue, batch: readonly QueueRecord[], result: DeliveryResult): Promise<void> {
    const { clock, log } = this.#options;
    switch (result.kind) {
      case 'delivered':
        if (this.#failures > 0)
          log.info('an event sink accepts events again', { sink: this.name, failures: this.#failures });
        this.#failures = 0;
        this.#backOff.reset();
        this.#batchCount = BATCH_COUNT;
        this.#status = 'idle';
        this.#deliveredMs = clock.now();
        queue.counters.delivered += batch.length;
        await queue.ack(batch.length);
        await this.#noteOldest(queue);
        return;
      case 'too_large':
        // The receiver may accept half of the batch. A single event that is too large is never accepted.
        if (batch.length > 1) this.#batchCount = Math.ceil(batch.length / 2);
        else await this.#putAside(queue, batch, 'too_large');
        this.#fault('event_sink_refused', result.message);
        return;
      case 'gone':
        this.#status = 'disabled';
        this.#fault('event_sink_gone', result.message);
        this.#options.disabled(result.message);
        return;
      case 'failed': {
        this.#status = 'retrying';
        this.#retryCount = batch.length;
        // The log contains only the first error in a row; the state contains the newest error.
        if (this.#failures++ === 0) this.#fault(result.code, result.message);
        else this.#lastError = { code: result.code, message: result.message, at: clock.now() };
        await this.#pause(Math.max(this.#backOff.next(), result.retryAfterMs ?? 0), queue);
        return;
      }
      default:
        result satisfies never;
    }
  }

  #drop(reason: DropReason, count: number): void {
    if (this.#queue) this.#queue.counters.dropped += count;
    else this.#droppedEarly += count;
    this.#options.dropped(reason, count);
  }

  /** Moves the oldest events to the dead letters while the queue exceeds a limit. */
  async #shed(queue: DiskQueue): Promise<void> {
    const { resendLimit, maxBytes } = this.#options;
    for (;;) {
      const surplus =
        (this.#failures > 0 || this.#status === 'disabled') && resendLimit !== null ? queue.backlog - resendLimit : 0;
      if (surplus <= 0 && queue.waitingBytes <= maxBytes) return;
      const batch = await queue.peek(surplus > 0 ? Math.min(surplus, BATCH_COUNT) : BATCH_COUNT, BATCH_CHARS);
      if (batch.length > 0) await this.#putAside(queue, batch, 'limit');
      else if (queue.backlog === 0) return;
    }
  }

  async #putAside(queue: DiskQueue, batch: readonly QueueRecord[], reason: 'limit' | 'too_large'): Promise<void> {
    this.#retryCount = undefined;
    await this.#deadLetters?.add(batch.map(({ text }) => text));
    queue.counters.deadLetters += batch.length;
    await queue.ack(batch.length);
    this.#options.dropped(reason, batch.length);
    await this.#noteOldest(queue);
  }

  /** Waits, and enforces the limits of the queue during the wait. */
  async #pause(ms: number, queue?: DiskQueue): Promise<void> {
    const { clock } = this.#options;
    const endMs = clock.now() + ms;
    this.#nextAttemptMs = endMs;
    while (!this.#isClosing && clock.now() < endMs) {
      if (queue) await this.#shed(queue);
      await this.#wake.wait(endMs - clock.now());
    }
    this.#nextAttemptMs = null;
  }

  async #noteOldest(queue: DiskQueue): Promise<void> {
    const [oldest] = await queue.peek(1, 1);
    this.#oldestMs = oldest ? timeOf(oldest.text) : null;
  }

  #fault(code: string, message: string): void {
    this.#lastError = { code, message, at: this.#options.clock.now() };
    this.#options.log.warn('events cannot be delivered', { sink: this.name, code, detail: message });
  }
}

/** Time of an event, in epoch milliseconds. */
function timeOf(text: string): number | null {
  const digits = /"utc_ms":(\d{1,16})/.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}
