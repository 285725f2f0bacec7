import type { Operation } from '../../../src-preload/contract/api/subscribers/operation-object.ts';
import type { SubscribersOnThread } from '../../db/thread/subscribers-on-thread.ts';
import type { Clock } from '../../lib/clock.ts';
import { messageOf } from '../../lib/error-message.ts';
import type { Log } from '../../lib/log.ts';
import { Wakeable } from '../../lib/timers.ts';
import { TokenBucket } from '../../lib/limits/token-bucket.ts';
import type { WebhookPosts } from './webhook-posts.ts';
import { retryWaitMs, type WebhookJob, type WebhookProgress } from '../../subscribers/webhook.ts';

export interface WebhookDeliveriesDeps {
  /** Opens the database if it is not open. Raises `unavailable`. */
  readonly store: () => Promise<SubscribersOnThread>;
  readonly clock: Clock;
  readonly log: Log;
  readonly posts: WebhookPosts;
  /** Random number from 0 to 1; for tests. */
  readonly random?: () => number;
}

/** Number of operations that are read together, and then marked as delivered together. */
const PAGE = 20;
/** Delay after a failure of the database, in milliseconds. */
const STORE_RETRY_MS = 5000;

/** Deliveries of one webhook. */
interface Run {
  readonly portalId: string;
  readonly wake: Wakeable;
  readonly abort: AbortController;
  /** Whether the webhook changed since it was read. */
  isStale: boolean;
  /** Rate limit of `maxPerSecond`; undefined before the first operation. */
  pace: { readonly maxPerSecond: number; readonly tokens: TokenBucket } | undefined;
  done: Promise<void>;
}

/**
 * Posts the operations of portals to their webhooks, each at least once, in the order of the log. The log is
 * the queue, and the database stores the position of each webhook, so a crash loses nothing.
 */
export class WebhookDeliveries {
  readonly #deps: WebhookDeliveriesDeps;
  readonly #runs = new Map<string, Run>();
  #isClosing = false;

  constructor(deps: WebhookDeliveriesDeps) {
    this.#deps = deps;
  }

  /** Resumes all webhooks. Raises `unavailable`. */
  async start(): Promise<void> {
    for (const { webhookId, portalId } of await (await this.#deps.store()).webhookIds())
      this.changed(webhookId, portalId);
  }

  /** Wakes the webhooks of a portal after operations were recorded. */
  recorded(portalId: string): void {
    for (const run of this.#runs.values()) if (run.portalId === portalId) run.wake.notify();
  }

  /** Applies a new, changed or removed webhook. */
  changed(webhookId: string, portalId: string): void {
    if (this.#isClosing) return;
    const running = this.#runs.get(webhookId);
    if (running) {
      running.isStale = true;
      running.wake.notify();
      return;
    }
    const wake = new Wakeable(this.#deps.clock);
    const run: Run = {
      portalId,
      wake,
      abort: new AbortController(),
      isStale: false,
      pace: undefined,
      done: Promise.resolve(),
    };
    this.#runs.set(webhookId, run);
    run.done = this.#run(webhookId, run);
  }

  /** Stops. Undelivered operations are delivered after the next start. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const { wake, abort } of this.#runs.values()) {
      abort.abort();
      wake.close();
    }
    await Promise.all([...this.#runs.values()].map(({ done }) => done));
  }

  async #run(webhookId: string, run: Run): Promise<void> {
    const { clock, log } = this.#deps;
    while (!this.#isClosing)
      try {
        run.isStale = false;
        const waitMs = await this.#turn(webhookId, run);
        if (waitMs === undefined) break;
        if (waitMs > 0) await run.wake.wait(waitMs);
      } catch (error) {
        if (this.#isClosing) break;
        log.warn('operations cannot be delivered', { webhook: webhookId, error: messageOf(error) });
        await new Promise<void>((resolve) => {
          clock.after(STORE_RETRY_MS, resolve);
          run.abort.signal.addEventListener('abort', () => {
            resolve();
          });
        });
      }
    this.#runs.delete(webhookId);
    this.#deps.posts.forget(webhookId);
  }

  /** Delivers due operations. Returns the time until the next work, in milliseconds; undefined if the webhook was removed. */
  async #turn(webhookId: string, run: Run): Promise<number | undefined> {
    const { clock, log } = this.#deps;
    const store = await this.#deps.store();
    const job = await store.webhookJob(webhookId, clock.now());
    if (!job) return undefined;
    if (job.isDisabled) return Infinity;
    const leftMs = (job.nextAttemptMs ?? 0) - clock.now();
    if (leftMs > 0) return leftMs;
    const { items } = await store.operations(job.portalId, {
      isDescending: false,
      afterId: job.cursor,
      limit: PAGE,
    });
    if (items.length === 0) return this.#replay(store, job, run);
    const progress = await this.#deliver(job, items, run);
    if (!progress) return 0;
    const change = { type: 'webhookProgress', webhookId, url: job.url, ...progress } as const;
    await store.write({ kind: 'webhook', change, nowMs: clock.now() });
    const { lastError, isGone, deadLetters } = progress;
    if (lastError !== null && (job.failures === 0 || isGone || deadLetters > 0))
      log.warn('a webhook does not accept operations', { webhook: webhookId, error: lastError, isGone, deadLetters });
    return 0;
  }

  /** Posts operations again on request, after all new operations were delivered. */
  async #replay(store: SubscribersOnThread, job: WebhookJob, run: Run): Promise<number> {
    const { clock } = this.#deps;
    const { webhookId, portalId, url } = job;
    const replays = await store.webhookReplays(webhookId, PAGE);
    if (replays.length === 0) return Infinity;
    const leftMs = (job.replayNextMs ?? 0) - clock.now();
    if (leftMs > 0) return leftMs;
    const items = await Promise.all(replays.map((id) => store.operation(portalId, id)));
    const progress = await this.#deliver(
      { ...job, failures: job.replayFailures },
      items.filter((one) => one !== undefined),
      run,
    );
    if (!progress) return 0;
    const { delivered, deadLetters, cursor, ...rest } = progress;
    const change = {
      type: 'webhookReplayed',
      webhookId,
      url,
      ...rest,
      delivered: items.flatMap((one) => one?.operationId ?? []).slice(0, delivered),
      deadLetter: deadLetters > 0 ? cursor : undefined,
    } as const;
    await store.write({ kind: 'webhook', change, nowMs: clock.now() });
    return 0;
  }

  /** Waits until the rate limit allows one more operation, or the webhook changed. */
  async #waitForRate(maxPerSecond: number, run: Run): Promise<void> {
    const { clock } = this.#deps;
    if (run.pace?.maxPerSecond !== maxPerSecond)
      run.pace = { maxPerSecond, tokens: new TokenBucket(maxPerSecond, 1000 / maxPerSecond) };
    const { tokens } = run.pace;
    // New operations also end the wait, without effect.
    while (!tokens.take(clock.now()) && !run.isStale && !this.#isClosing)
      await run.wake.wait(Math.ceil(tokens.wait(clock.now())));
  }

  /** Posts operations until one fails. Returns the result; undefined if nothing was posted. */
  async #deliver(job: WebhookJob, items: readonly Operation[], run: Run): Promise<WebhookProgress | undefined> {
    const { clock, posts, random = Math.random } = this.#deps;
    const connection = posts.open(job);
    let { cursor } = job;
    let delivered = 0;
    const none = { deadLetters: 0, failures: 0, nextAttemptMs: null, lastError: null, isGone: false };
    try {
      for (const operation of items) {
        await this.#waitForRate(job.maxPerSecond, run);
        if (run.isStale || this.#isClosing) break;
        const result = await connection.post(operation, run.abort.signal);
        if (result.kind === 'delivered') {
          cursor = operation.operationId;
          delivered++;
          continue;
        }
        // The attempt was aborted, or the settings of the webhook changed.
        if (this.#isClosing || run.isStale) break;
        const lastError = result.message;
        const failures = (delivered > 0 ? 0 : job.failures) + 1;
        if (result.kind === 'gone') return { ...none, cursor, delivered, lastError, isGone: true };
        const retryAfterMs = result.kind === 'failed' ? result.retryAfterMs : undefined;
        const waitMs = retryWaitMs(failures, retryAfterMs, random());
        return waitMs === undefined
          ? { ...none, cursor: operation.operationId, delivered, deadLetters: 1, lastError }
          : { ...none, cursor, delivered, failures, nextAttemptMs: clock.now() + waitMs, lastError };
      }
      return delivered > 0 ? { ...none, cursor, delivered } : undefined;
    } finally {
      connection.close();
    }
  }
}
