import { CALLS, type CallName, type ErrorCode, type Reply, TOPICS } from '../../../src-preload/contract/index.ts';
import { plainIssue } from '../../../src-preload/contract/plain-issue.ts';
import { CallLimit } from '../../lib/limits/call-limit.ts';
import { type SenderFrame, isDeskFrame } from './desk-origin.ts';

/** Functions of the server that the bridge calls. */
export interface BridgeServer {
  call(name: string, input: unknown): Promise<Reply<unknown>>;
  subscribe(topic: string, listener: (payload: unknown) => void): () => void;
}

export interface BridgeHandlerOptions {
  readonly server: BridgeServer;
  /** Address of the desk. Messages of other pages are refused. */
  readonly deskUrl: string;
  /** Sends an event to the page. */
  readonly send: (topic: string, payload: unknown) => void;
}

/** Maximum number of running and of waiting calls of one page; the same as over WebSocket. */
const CALLS_AT_A_TIME = { atOnce: 4, waiting: 64 };

/** Handles calls and subscriptions of one page: checks the sender and the input, and forwards them to the server. */
export class BridgeHandler {
  readonly #options: BridgeHandlerOptions;
  readonly #limit = new CallLimit(CALLS_AT_A_TIME);
  readonly #subscriptions = new Map<string, () => void>();

  constructor(options: BridgeHandlerOptions) {
    this.#options = options;
  }

  /** Reports whether a sender is the page of the desk. */
  isDesk(frame: SenderFrame | null): boolean {
    return isDeskFrame(frame, this.#options.deskUrl);
  }

  /** Answers a call. Never rejects: errors are values. */
  async call(frame: SenderFrame | null, name: unknown, input: unknown): Promise<Reply<unknown>> {
    if (!this.isDesk(frame)) return refusal('forbidden', 'Only the desk may call the server');
    if (!isCallName(name)) return refusal('not_found', 'This call does not exist');
    const checked = CALLS[name].input.safeParse(input, { error: plainIssue });
    if (!checked.success)
      return refusal(
        'bad_request',
        checked.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
      );
    return new Promise((resolve) => {
      const isTaken = this.#limit.take(async () => {
        resolve(await this.#options.server.call(name, checked.data));
      });
      if (!isTaken)
        resolve(refusal('too_many_calls', `More than ${CALLS_AT_A_TIME.waiting} calls are waiting. Try again later`));
    });
  }

  /** Subscribes the page to a topic. Subscribing again renews the subscription. */
  subscribe(frame: SenderFrame | null, topic: unknown): void {
    if (!this.isDesk(frame) || !isTopic(topic)) return;
    this.#subscriptions.get(topic)?.();
    const end = this.#options.server.subscribe(topic, (payload) => {
      this.#options.send(topic, payload);
    });
    this.#subscriptions.set(topic, end);
  }

  /** Ends the subscription of the page to a topic. */
  unsubscribe(frame: SenderFrame | null, topic: unknown): void {
    if (!this.isDesk(frame) || !isTopic(topic)) return;
    this.#subscriptions.get(topic)?.();
    this.#subscriptions.delete(topic);
  }

  /** Ends all subscriptions, because the page was closed or reloads. */
  reset(): void {
    for (const end of this.#subscriptions.values()) end();
    this.#subscriptions.clear();
  }
}

function isCallName(name: unknown): name is CallName {
  return typeof name === 'string' && Object.hasOwn(CALLS, name);
}

function isTopic(topic: unknown): topic is string {
  return typeof topic === 'string' && Object.hasOwn(TOPICS, topic);
}

function refusal(code: ErrorCode, message: string): Reply<unknown> {
  return { ok: false, error: { code, message } };
}
