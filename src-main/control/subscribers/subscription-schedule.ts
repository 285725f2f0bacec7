import { messageOf } from '../../lib/error-message.ts';
import type { Log } from '../../lib/log.ts';
import type { Command } from '../../subscribers/command.ts';
import type { PortalService, PortalServiceDeps } from './portal-service.ts';

export interface SubscriptionScheduleDeps extends Pick<PortalServiceDeps, 'store' | 'clock'> {
  readonly log: Pick<Log, 'error'>;
  readonly command: PortalService['command'];
}

/** Key name of operations at planned times. */
const KEY_NAME = 'schedule';
/** Number of due subscriptions that are read at once. */
const PORTION = 100;
/** Maximum delay of the timer, in milliseconds, so that a change of the clock is noticed. */
const MAX_WAIT_MS = 60_000;
/** Delay after a failure, in milliseconds. */
const RETRY_MS = 5000;

/** Starts and ends planned subscriptions at their times. At a start of the server it first applies the times that have passed. */
export class SubscriptionSchedule {
  readonly #deps: SubscriptionScheduleDeps;
  #cancel: (() => void) | undefined;
  #run: Promise<void> | undefined;
  /** True if a plan changed during the run. */
  #isStale = false;
  #isClosed = false;

  constructor(deps: SubscriptionScheduleDeps) {
    this.#deps = deps;
  }

  /** Applies due plans, and waits for the next one. */
  start(): void {
    this.#isStale = true;
    if (this.#isClosed || this.#run) return;
    this.#run = this.#apply().finally(() => {
      this.#run = undefined;
    });
  }

  /** Reports that a command was executed. */
  commanded({ type }: Command): void {
    if (type === 'attach' || type === 'detach' || type === 'deleteSubscriber') this.start();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await this.#run;
  }

  async #apply(): Promise<void> {
    this.#cancel?.();
    let waitMs = RETRY_MS;
    try {
      while (this.#isStale && !this.#isClosed) {
        this.#isStale = false;
        waitMs = await this.#applyDue();
      }
    } catch (error) {
      if (!this.#isClosed) this.#deps.log.error('planned subscriptions cannot be applied', { error: messageOf(error) });
    }
    if (!this.#isClosed && waitMs !== Infinity)
      this.#cancel = this.#deps.clock.after(waitMs, () => {
        this.start();
      });
  }

  /** Applies some of the due plans. Returns the time until the next plans are due, in milliseconds. */
  async #applyDue(): Promise<number> {
    const { clock, command } = this.#deps;
    const store = await this.#deps.store();
    for (const { portalId, ...ids } of await store.duePlans(clock.now(), PORTION)) {
      const context = { managerEmail: undefined, idempotency: undefined };
      await command({ portalId, keyName: KEY_NAME }, { type: 'applyPlan', ...ids }, context);
    }
    const nextMs = await store.nextPlanMs();
    return nextMs === undefined ? Infinity : Math.min(Math.max(nextMs - clock.now(), 1), MAX_WAIT_MS);
  }
}
