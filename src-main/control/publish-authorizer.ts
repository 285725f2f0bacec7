import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { PublishAnswer, StreamSpec } from '../engine/messages.ts';
import type { PublishRequest } from '../ingest/input.ts';
import type { Clock } from '../lib/clock.ts';
import { messageOf } from '../lib/error-message.ts';
import type { Log } from '../lib/log.ts';
import { addressOfPeer } from '../lib/network-address.ts';
import { Tally } from '../lib/tally.ts';
import { OPEN_POLICY, type AccessPolicy } from '../sessions/access-policy.ts';
import { judge } from '../sessions/access-rules.ts';
import type { Verdict } from '../sessions/backend-answer.ts';
import type { Authority } from '../sessions/backends.ts';
import { AttemptLimiter } from '../operators/attempt-limiter.ts';
import type { AccessPolicies } from '../configuration/session-policies.ts';
import { findPublishTarget, type PublishTarget } from '../streams/publish-policy.ts';
import type { Streams } from '../streams/streams.ts';

/** What the authorizer needs. */
export interface PublishAuthorizerOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly authority: Authority;
  readonly streams: Pick<Streams, 'get' | 'decidePublish' | 'restart' | 'refused'>;
  readonly policies: Pick<AccessPolicies, 'ofPublish'>;
  readonly config: () => Config;
  readonly countryOf: (ip: string) => string | null;
  readonly tokenName: () => string;
}

/** A publisher that a backend let in. */
interface Publisher {
  readonly id: string;
  readonly name: string;
  readonly request: PublishRequest;
  readonly openedMs: number;
  /** Bytes that the stream had when the publisher came. */
  readonly bytesBefore: number;
  askCount: number;
  askAgainMs: number;
  isAsking: boolean;
}

type Outcome =
  { readonly allowed: true; readonly askAgainMs: number } | { readonly allowed: false; readonly reason: string };

const SWEEP_MS = 1000;
/** When no backend answered: how long until a publisher is asked about again, in milliseconds. */
const FAILED_AGAIN_MS = 15_000;

/** Asks the backends of `on_publish` before a publisher is let in, and again when their answer has expired. */
export class PublishAuthorizer {
  /** Publishers that were refused, by the code of the answer. */
  readonly refused = new Tally();
  readonly #options: PublishAuthorizerOptions;
  /** By stream. */
  readonly #publishers = new Map<string, Publisher>();
  readonly #limiter: AttemptLimiter;
  readonly #digestKey = randomBytes(32);
  #cancelSweep: (() => void) | undefined;

  constructor(options: PublishAuthorizerOptions) {
    this.#options = options;
    this.#limiter = new AttemptLimiter(() => options.clock.now());
  }

  /** Begins to ask again about publishers. */
  start(): void {
    this.#cancelSweep = this.#options.clock.after(SWEEP_MS, () => {
      this.#sweep();
      this.start();
    });
  }

  close(): void {
    this.#cancelSweep?.();
  }

  /** Decides about a publisher. @param place hands the encoder to the engine at the moment it is accepted */
  async decide(request: PublishRequest, place: (stream: StreamSpec) => void): Promise<PublishAnswer> {
    const answer = await this.#decide(request, place);
    if (!answer.accepted) this.refused.add(answer.code);
    return answer;
  }

  async #decide(request: PublishRequest, place: (stream: StreamSpec) => void): Promise<PublishAnswer> {
    const { clock, config, policies, streams } = this.#options;
    const target = this.#slowGuesses(findPublishTarget(config(), request, clock.now()), request);
    if (!target.allowed) {
      streams.refused(request, target.name, target.code, target.detail);
      return { accepted: false, code: target.code, detail: target.detail };
    }
    const policy = policies.ofPublish(target.settings);
    if (policy === OPEN_POLICY) return streams.decidePublish(request, place);
    const { name } = target;
    const known = streams.get(name);
    const publisher: Publisher = {
      id: randomUUID(),
      name,
      request,
      openedMs: clock.now(),
      bytesBefore: known?.status?.bytesIn ?? 0,
      askCount: 0,
      askAgainMs: Infinity,
      isAsking: false,
    };
    const outcome = await this.#ask(publisher, policy, true);
    if (!outcome.allowed) {
      const detail = `${name} may not be published: ${outcome.reason}`;
      streams.refused(request, name, 'publish_not_allowed', detail);
      return { accepted: false, code: 'publish_not_allowed', detail };
    }
    return streams.decidePublish(request, (stream) => {
      publisher.askAgainMs = outcome.askAgainMs;
      this.#publishers.set(name, publisher);
      place(stream);
    });
  }

  /** Passwords are not tried out: an address that gave too many wrong ones has to wait, even with the right one. */
  #slowGuesses(target: PublishTarget, { path, query, peer }: PublishRequest): PublishTarget {
    const given = query.get('password');
    const isWrong = !target.allowed && target.code === 'publish_bad_password';
    // An encoder without any password is not guessing; neither is one whose stream wants none.
    if (given === undefined || (target.allowed ? target.settings.password === null : !isWrong)) return target;
    const address = addressOfPeer(peer);
    // Encoders come again and again with what they are set to; they learn nothing by it.
    const digest = createHmac('sha256', this.#digestKey).update(`${path}\n${given}`).digest('base64');
    if (isWrong && this.#limiter.isKnownWrong(address, digest)) return target;
    const waitMs = this.#limiter.waitMs(address);
    if (waitMs > 0)
      return {
        allowed: false,
        code: 'too_many_attempts',
        detail: `Too many wrong passwords came from ${address}; it has to wait ${Math.ceil(waitMs / 1000)} s`,
        ...(target.name === undefined ? {} : { name: target.name }),
      };
    if (isWrong) {
      this.#limiter.charge(address);
      this.#limiter.remember(address, digest);
    }
    return target;
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
      if (now < publisher.askAgainMs || publisher.isAsking) continue;
      const policy = policies.ofPublish(entry.settings);
      if (policy === OPEN_POLICY) publisher.askAgainMs = Infinity;
      else void this.#askAgain(publisher, policy);
    }
  }

  async #askAgain(publisher: Publisher, policy: AccessPolicy): Promise<void> {
    const { log, streams } = this.#options;
    const { name, request } = publisher;
    publisher.isAsking = true;
    const outcome = await this.#ask(publisher, policy, false);
    publisher.isAsking = false;
    // Another one may hold the name by now.
    if (this.#publishers.get(name) !== publisher) return;
    if (outcome.allowed) {
      publisher.askAgainMs = outcome.askAgainMs;
      return;
    }
    this.#publishers.delete(name);
    if (streams.get(name)?.isPublished !== true) return;
    log.warn('a publisher is no longer allowed', { stream: name, peer: request.peer, reason: outcome.reason });
    await streams.restart(name).catch((error: unknown) => {
      log.error('a publisher could not be disconnected', {
        stream: name,
        error: messageOf(error),
      });
    });
  }

  async #ask(publisher: Publisher, policy: AccessPolicy, isNew: boolean): Promise<Outcome> {
    const { authority, clock, countryOf, streams, tokenName } = this.#options;
    const { name, request } = publisher;
    const ip = addressOfPeer(request.peer);
    const token = request.query.get(tokenName()) ?? '';
    const country = countryOf(ip);
    // Encoders come from no page.
    const judgement = judge(
      { ...policy, domains: [] },
      { name, ip, token, country, userAgent: request.agent ?? '', referer: '', host: '', proto: 'publish' },
    );
    if (judgement.kind === 'deny') return { allowed: false, reason: judgement.reason };
    if (judgement.kind === 'allow') return { allowed: true, askAgainMs: Infinity };
    const verdict = await authority.ask(policy, {
      name,
      proto: request.protocol,
      ip,
      sessionId: publisher.id,
      isNew,
      number: publisher.askCount++,
      streamClients: streams.get(name)?.output.viewerCount ?? 0,
      totalClients: 0,
      token,
      queryString: new URLSearchParams([...request.query].filter(([key]) => key !== 'password')).toString(),
      userAgent: request.agent ?? '',
      referer: '',
      country,
      durationSeconds: Math.round((clock.now() - publisher.openedMs) / 1000),
      bytes: isNew ? 0 : Math.max(0, (streams.get(name)?.status?.bytesIn ?? 0) - publisher.bytesBefore),
    });
    return outcomeOf(verdict, policy, isNew, clock.now());
  }
}

function outcomeOf(verdict: Verdict, policy: AccessPolicy, isNew: boolean, now: number): Outcome {
  switch (verdict.kind) {
    case 'allow':
      return { allowed: true, askAgainMs: now + verdict.durationMs };
    case 'deny':
      return { allowed: false, reason: verdict.reason };
    case 'redirect':
      return { allowed: false, reason: 'the backend sends elsewhere, which encoders do not follow' };
    case 'failed':
      if (!isNew || policy.isAllowedByDefault) return { allowed: true, askAgainMs: now + FAILED_AGAIN_MS };
      return { allowed: false, reason: `no authorization backend could be asked: ${verdict.reason}` };
  }
}
