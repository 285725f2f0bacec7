import { fullDiskError } from './full-disk.ts';
import {
  AirdeskError,
  CALLS,
  ERRORS,
  TOPICS,
  type CallName,
  type ErrorValue,
  type Reply,
  type TopicName,
} from '../../src-preload/contract/index.ts';
import { plainIssue } from '../../src-preload/contract/plain-issue.ts';
import { stackOf } from '../lib/error-message.ts';
import type { Log } from '../lib/log.ts';
import { changedBy, type Caller, type Subscriber } from '../operators/caller.ts';
import type { OperationContext } from '../operators/handlers.ts';
import { viewFor } from '../operators/complete-answers.ts';
import { emitApiCall } from './api-call.ts';
import { callSubject, nameInAnswer, type CallSubject } from './call-subject.ts';
import { deskCalls, type DeskCallsOptions } from './desk-calls.ts';
import { maySubscribe, requireCallAccess, requireInputInScope } from './desk-scope.ts';
import { DeskTopics } from './desk-topics.ts';
import { DeskFeeds, type FeedSink } from './feed/desk-feeds.ts';
import { feedWindow } from './feed/feed-window.ts';

export interface DeskOptions extends DeskCallsOptions {
  readonly log: Log;
  /** Reports whether a stream may be watched without authorization; if absent, no stream may. */
  readonly isOpenToAll?: (name: string) => boolean;
}

/** Use cases of the bridge, called over IPC and WebSocket. */
export class Desk {
  readonly #options: DeskOptions;
  readonly #topics: DeskTopics;
  readonly #calls: ReturnType<typeof deskCalls>;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#topics = new DeskTopics(options);
    this.#calls = deskCalls(options, this.#topics.streams);
  }

  /**
   * Answers a call. Never rejects: errors are values.
   * @param left creates a signal that is aborted when the caller has left
   */
  async call(name: string, input: unknown, caller: Caller, left?: () => AbortSignal): Promise<Reply<unknown>> {
    if (!isCallName(name) || !CALLS[name].isWrite) return this.#answer(name, input, caller, left);
    const { clock, events } = this.#options;
    const startMs = clock.now();
    const names = this.subjectOf(name, input, isAllowed(caller, name));
    const reply = await this.#answer(name, input, caller, left);
    const subject = await names;
    emitApiCall(events.bus, caller, {
      method: 'CALL',
      path: name,
      subject: { ...subject, target: subject.target ?? (reply.ok ? nameInAnswer(reply.value) : null) },
      status: reply.ok ? 200 : ERRORS[reply.error.code].status,
      durationMs: clock.now() - startMs,
    });
    return reply;
  }

  /**
   * Names of the objects of a change, for its event.
   * @param operation name of the call, or id of the HTTP operation
   * @param isAllowed whether the caller may make the change; if not, nothing is looked up
   */
  subjectOf(operation: string, input: unknown, isAllowed = true): Promise<CallSubject> {
    return callSubject(isAllowed ? this.#options : null, operation, input);
  }

  /**
   * Subscribes to a topic, reduced to the caller's scope. The listener gets a snapshot at once. It may return a promise: a long
   * snapshot waits for the promise before it continues. Returns a function that ends the subscription; undefined if there is no
   * such topic.
   */
  subscribe(topic: string, listener: (payload: object) => unknown, caller: Subscriber): (() => void) | undefined {
    // The keys of TOPICS are the names of the topics.
    return Object.hasOwn(TOPICS, topic) && maySubscribe(caller, topic as TopicName)
      ? this.#topics.subscribe(topic as TopicName, listener, caller)
      : undefined;
  }

  /** Media of the tiles of one desk; close it with the desk's connection. */
  feeds(caller: Subscriber & Pick<Caller, 'who'>, sink: FeedSink): DeskFeeds {
    const { clock, streams, isOpenToAll = () => false } = this.#options;
    return new DeskFeeds(
      {
        clock,
        window: (name) => feedWindow({ streams, isOpenToAll }, name, caller),
      },
      sink,
    );
  }

  close(): void {
    this.#topics.close();
  }

  async #answer(name: string, input: unknown, caller: Caller, left: OperationContext['left']): Promise<Reply<unknown>> {
    try {
      if (!isCallName(name)) throw new AirdeskError('not_found', `There is no call ${name}`);
      const call = CALLS[name];
      requireCallAccess(caller, name);
      const parsed = call.input.safeParse(input, { error: plainIssue });
      if (!parsed.success)
        throw new AirdeskError(
          'bad_request',
          parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
        );
      requireInputInScope(caller, CALLS[name].about, parsed.data);
      // The schema of the call has checked the input, but TypeScript cannot follow this through the table.
      const run = this.#calls[name] as (input: unknown, context: OperationContext) => unknown;
      const value = (await run(parsed.data, { caller, by: changedBy(caller, 'desk'), left })) ?? {};
      return { ok: true, value: viewFor(caller, name, value) };
    } catch (error) {
      return { ok: false, error: this.#errorValue(name, error) };
    }
  }

  #errorValue(name: string, error: unknown): ErrorValue {
    const airdeskError = error instanceof AirdeskError ? error : fullDiskError(error);
    if (airdeskError) return airdeskError.toValue();
    this.#options.log.error('a call failed', { call: name, error: stackOf(error) });
    return { code: 'internal', message: 'An error inside the server; see its log' };
  }
}

function isAllowed(caller: Caller, name: CallName): boolean {
  try {
    requireCallAccess(caller, name);
    return true;
  } catch {
    return false;
  }
}

function isCallName(name: string): name is CallName {
  return Object.hasOwn(CALLS, name);
}
