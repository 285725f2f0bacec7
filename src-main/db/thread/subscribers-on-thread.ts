import { randomUUID } from 'node:crypto';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { messageOf } from '../../lib/error-message.ts';
import type { LogRetention, SubscriberWrite, WriteResult } from '../../subscribers/subscriber-write.ts';
import type { DatabaseWorker } from './database-worker.ts';
import type { SubscriberReads } from './messages.ts';

/** Maximum time for an answer, in milliseconds, because the disk may hang. */
const ANSWER_MS = 15_000;
/** Maximum number of changes in a transaction, and of waiting changes. */
const MAX_TOGETHER = 100;
const MAX_WAITING = 20_000;

interface Waiting {
  readonly write: SubscriberWrite;
  readonly done: (result: WriteResult) => void;
  readonly failed: (error: Error) => void;
}

/** Calls one function of the readers. */
type Asked<Name extends keyof SubscriberReads> = (
  ...question: SubscriberReads[Name][0]
) => Promise<SubscriberReads[Name][1]>;

/**
 * Subscribers on the database thread. Changes that arrive during a write wait and are then written together, with one flush of
 * the disk. Raises `unavailable` without an answer in 15 s, with too many waiting changes, and if the disk fails; then none of
 * the changes was made.
 */
export class SubscribersOnThread {
  readonly #worker: Pick<DatabaseWorker, 'ask'>;
  readonly #waiting: Waiting[] = [];
  #isWriting = false;
  readonly portals = this.#asked('portals');
  readonly portal = this.#asked('portal');
  readonly keys = this.#asked('keys');
  readonly webhooks = this.#asked('webhooks');
  readonly webhookIds = this.#asked('webhookIds');
  readonly webhookReplays = this.#asked('webhookReplays');
  readonly deadLetters = this.#asked('deadLetters');
  readonly deadLetterCount = this.#asked('deadLetterCount');
  readonly webhookFigures = this.#asked('webhookFigures');
  readonly portalOfKey = this.#asked('portalOfKey');
  readonly webhookJob = this.#asked('webhookJob');
  readonly viewerTokens = this.#asked('viewerTokens');
  readonly viewer = this.#asked('viewer');
  readonly open = this.#asked('open');
  readonly subscribers = this.#asked('subscribers');
  readonly subscribersLike = this.#asked('subscribersLike');
  readonly subscriber = this.#asked('subscriber');
  readonly packages = this.#asked('packages');
  readonly packagesLike = this.#asked('packagesLike');
  readonly packagesOf = this.#asked('packagesOf');
  readonly package = this.#asked('package');
  readonly subscriptions = this.#asked('subscriptions');
  readonly operations = this.#asked('operations');
  readonly operation = this.#asked('operation');
  readonly records = this.#asked('records');
  readonly digests = this.#asked('digests');
  readonly hasDigests = this.#asked('hasDigests');
  readonly head = this.#asked('head');

  constructor(worker: Pick<DatabaseWorker, 'ask'>) {
    this.#worker = worker;
  }

  /** Archives some of the oldest operations. Returns whether there is more to do. */
  async moveLog(retention: LogRetention): Promise<boolean> {
    return this.#worker.ask('subscribers-move', retention, ANSWER_MS);
  }

  /** Makes one change; resolves when it is on the disk. */
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
      const batch = this.#waiting.splice(0, MAX_TOGETHER);
      try {
        const writes = batch.map(({ write }) => write);
        const results = await this.#worker.ask('subscribers-write', { batch: randomUUID(), writes });
        for (const [index, { done, failed }] of batch.entries()) {
          const result = results[index];
          if (result) done(result);
          else failed(new AirdeskError('internal'));
        }
      } catch (error) {
        for (const { failed } of batch) failed(unavailable(error));
      }
    }
    this.#isWriting = false;
  }

  #asked<Name extends keyof SubscriberReads>(name: Name): Asked<Name> {
    return async (...question) => {
      try {
        const answer = await this.#worker.ask('subscribers-read', { name, question } as never, ANSWER_MS);
        return answer;
      } catch (error) {
        throw unavailable(error);
      }
    };
  }
}

function unavailable(error: unknown): AirdeskError {
  return new AirdeskError('unavailable', `Subscribers cannot be read or changed: ${messageOf(error)}`);
}
