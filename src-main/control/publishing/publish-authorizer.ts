import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { randomUUID } from 'node:crypto';
import type { Config } from '../../config/schema/config.ts';
import type { PublishAnswer, StreamSpec } from '../../engine/messages.ts';
import type { PublishRequest } from '../../ingest/input.ts';
import { messageOf } from '../../lib/error-message.ts';
import type { Log } from '../../lib/log.ts';
import { Tally } from '../../lib/tally.ts';
import { every } from '../../lib/timers.ts';
import { OPEN_POLICY, type AccessPolicy } from '../../sessions/access-policy.ts';
import type { AccessPolicies } from '../../configuration/session-policies.ts';
import type { Streams } from '../../streams/streams.ts';
import { PasswordGuesses } from './password-guesses.ts';
import { authorizePublisher, type Publisher, type PublisherAuthorizationOptions } from './publisher-authorization.ts';

export interface PublishAuthorizerOptions extends PublisherAuthorizationOptions {
  readonly log: Log;
  readonly streams: Pick<Streams, 'get' | 'restart'>;
  readonly publishing: Pick<Streams['publishing'], 'decide' | 'refused'>;
  readonly policies: Pick<AccessPolicies, 'ofPublish'>;
  readonly config: () => Config;
}

const SWEEP_MS = 1000;
/** Asks the backends of `on_publish` before a publisher is admitted, and again when their answer expires. */
export class PublishAuthorizer {
  /** Number of refused publishers, by error code. */
  readonly refused = new Tally();
  readonly #options: PublishAuthorizerOptions;
  /** Publishers by stream. */
  readonly #publishers = new Map<string, Publisher>();
  readonly #guesses: PasswordGuesses;
  #stopSweeps: (() => void) | undefined;

  constructor(options: PublishAuthorizerOptions) {
    this.#options = options;
    this.#guesses = new PasswordGuesses(options.clock);
  }

  /** Starts the repeated authorization of publishers. */
  start(): void {
    this.#stopSweeps = every(this.#options.clock, SWEEP_MS, () => {
      this.#sweep();
    });
  }

  close(): void {
    this.#stopSweeps?.();
  }

  /** Decides whether a publisher is admitted. @param openRun hands the encoder to the engine when it is admitted */
  async decide(request: PublishRequest, openRun: (stream: StreamSpec) => void): Promise<PublishAnswer> {
    const answer = await this.#decide(request, openRun);
    if (!answer.accepted) this.refused.add(answer.code);
    return answer;
  }

  async #decide(request: PublishRequest, openRun: (stream: StreamSpec) => void): Promise<PublishAnswer> {
    const { clock, config, policies, streams, publishing } = this.#options;
    const target = this.#guesses.targetOf(config(), request);
    if (!target.allowed) {
      const { code, detail, explanation } = target;
      const end = { code, detail, explanation };
      publishing.refused(request, target.name, end);
      return { accepted: false, ...end };
    }
    const policy = policies.ofPublish(target.settings);
    if (policy === OPEN_POLICY) return publishing.decide(request, openRun);
    const { name } = target;
    const stream = streams.get(name);
    const publisher: Publisher = {
      id: randomUUID(),
      name,
      request,
      openedMs: clock.now(),
      bytesBefore: stream?.status?.bytesIn ?? 0,
      askCount: 0,
      askAgainMs: Infinity,
      isAuthorizing: false,
    };
    const outcome = await authorizePublisher(publisher, policy, this.#options, true);
    if (!outcome.allowed) {
      const why = because('publish_denied', { name, explanation: outcome.reason });
      const end = { code: 'publish_not_allowed', ...why } as const;
      publishing.refused(request, name, end);
      return { accepted: false, ...end };
    }
    return publishing.decide(request, (stream) => {
      publisher.askAgainMs = outcome.askAgainMs;
      this.#publishers.set(name, publisher);
      openRun(stream);
    });
  }

  #sweep(): void {
    const { clock, policies, streams } = this.#options;
    const now = clock.now();
    for (const [name, publisher] of this.#publishers) {
      const entry = streams.get(name);
      if (!entry?.isPublished) {
        this.#publishers.delete(name);
        continue;
      }
      if (now < publisher.askAgainMs || publisher.isAuthorizing) continue;
      const policy = policies.ofPublish(entry.settings);
      if (policy === OPEN_POLICY) publisher.askAgainMs = Infinity;
      else void this.#reauthorize(publisher, policy);
    }
  }

  async #reauthorize(publisher: Publisher, policy: AccessPolicy): Promise<void> {
    const { log, streams } = this.#options;
    const { name, request } = publisher;
    publisher.isAuthorizing = true;
    const outcome = await authorizePublisher(publisher, policy, this.#options, false);
    publisher.isAuthorizing = false;
    // Another publisher may have taken the name during the request.
    if (this.#publishers.get(name) !== publisher) return;
    if (outcome.allowed) {
      publisher.askAgainMs = outcome.askAgainMs;
      return;
    }
    this.#publishers.delete(name);
    if (streams.get(name)?.isPublished !== true) return;
    log.warn('a publisher is no longer allowed', { stream: name, peer: request.peer, reason: outcome.reason.detail });
    await streams.restart(name).catch((error: unknown) => {
      log.error('a publisher could not be disconnected', {
        stream: name,
        error: messageOf(error),
      });
    });
  }
}
