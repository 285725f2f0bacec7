import { randomUUID } from 'node:crypto';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { messageOf } from '../../lib/error-message.ts';
import { isFullDisk } from '../../lib/full-disk.ts';
import type { LogRetention, SubscriberWrite, WriteResult } from '../../subscribers/subscriber-write.ts';
import type { DatabaseWorker } from './database-worker.ts';
import type { SubscriberReads } from './messages.ts';

/** Maximum time for an answer, in milliseconds, because the disk may hang. */
const ANSWER_MS = 15_000;
/** Maximum number of changes in a transaction, and maximum number of waiting changes. */
const MAX_BATCH = 100;
const MAX_WAITING = 20_000;

interface Waiting {
  readonly write: SubscriberWrite;
  readonly done: (result: WriteResult) => void;
  readonly failed: (error: Error) => void;
}

/** Calls one function of the readers. */
type ThreadCall<Name extends keyof SubscriberReads> = (
  ...question: SubscriberReads[Name][0]
) => Promise<SubscriberReads[Name][1]>;

/**
 * Subscribers on the database thread. Changes that arrive during a write wait and are then written together, with one
 * flush of the disk. Queries raise `unavailable` without an answer in 15 s. Changes wait for any time. They raise
 * `unavailable` if too many are waiting or the disk fails, and `disk_full`; in these cases none of them was made.
 */
export class SubscribersOnThread {
  readonly #worker: Pick<DatabaseWorker, 'call'>;
  readonly #waiting: Waiting[] = [];
  #isWriting = false;
  readonly portals = this.#call('portals');
  readonly portal = this.#call('portal');
  readonly keys = this.#call('keys');
  readonly webhooks = this.#call('webhooks');
  readonly webhookIds = this.#call('webhookIds');
  readonly webhookReplays = this.#call('webhookReplays');
  readonly deadLetters = this.#call('deadLetters');
  readonly deadLetterCount = this.#call('deadLetterCount');
  readonly webhookFigures = this.#call('webhookFigures');
  readonly portalOfKey = this.#call('portalOfKey');
  readonly webhookJob = this.#call('webhookJob');
  readonly viewerTokens = this.#call('viewerTokens');
  readonly viewer = this.#call('viewer');
  readonly open = this.#call('open');
  readonly subscribers = this.#call('subscribers');
  readonly subscribersLike = this.#call('subscribersLike');
  readonly subscribersOfKeys = this.#call('subscribersOfKeys');
  readonly subscriber = this.#call('subscriber');
  readonly packages = this.#call('packages');
  readonly packagesLike = this.#call('packagesLike');
  readonly packagesOf = this.#call('packagesOf');
  readonly package = this.#call('package');
  readonly subscriptions = this.#call('subscriptions');
  readonly duePlans = this.#call('duePlans');
  readonly nextPlanMs = this.#call('nextPlanMs');
  readonly operations = this.#call('operations');
  readonly operation = this.#call('operation');
  readonly records = this.#call('records');
  readonly digests = this.#call('digests');
  readonly hasDigests = this.#call('hasDigests');
  readonly head = this.#call('head');

  constructor(worker: Pick<DatabaseWorker, 'call'>) {
    this.#worker = worker;
  }

  /** Moves some of the oldest operations to files. Returns whether there is more to do. */
  async moveLog(retention: LogRetention): Promise<boolean> {
    return this.#worker.call('subscribers-move', retention, ANSWER_MS);
  }

  /** Executes one change; resolves when it is on the disk. */
  async write(write: SubscriberWrite): Promise<WriteResult> {
    if (this.#waiting.length >= MAX_WAITING) throw new AirdeskError('unavailable', 'Too many changes are waiting');
    const answer = Promise.withResolvers<WriteResult>();
    this.#waiting.push({ write, done: answer.resolve, failed: answer.reject });
    if (!this.#isWriting) void this.#writeAll();
    return answer.promise;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH);
      try {
        const writes = batch.map(({ write }) => write);
        const results = await this.#worker.call('subscribers-write', { batch: randomUUID(), writes });
        for (const [index, { done, failed }] of batch.entries()) {
          const result = results[index];
          if (result) done(result);
          else failed(new AirdeskError('internal'));
        }
      } catch (error) {
        for (const { failed } of batch) failed(failureOf(error));
      }
    }
    this.#isWriting = false;
  }

  #call<Name extends keyof SubscriberReads>(name: Name): ThreadCall<Name> {
    return async (...question) => {
      try {
        const answer = await this.#worker.call('subscribers-read', { name, question } as never, ANSWER_MS);
        return answer;
      } catch (error) {
        throw failureOf(error);
      }
    };
  }
}

function failureOf(error: unknown): AirdeskError {
  const code = isFullDisk(error) ? 'disk_full' : 'unavailable';
  return new AirdeskError(code, `Subscribers cannot be read or changed: ${messageOf(error)}`);
}
