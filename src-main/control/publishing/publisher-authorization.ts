import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import type { PublishRequest } from '../../ingest/input.ts';
import type { Clock } from '../../lib/clock.ts';
import { addressOfPeer } from '../../lib/network-address.ts';
import type { AccessPolicy } from '../../sessions/access-policy.ts';
import { judge } from '../../sessions/access-rules.ts';
import type { Verdict } from '../../sessions/backend-answer.ts';
import type { Authority } from '../../sessions/backends.ts';
import type { Streams } from '../../streams/streams.ts';

export interface PublisherAuthorizationOptions {
  readonly clock: Clock;
  readonly authority: Authority;
  readonly countryOf: (ip: string) => string | null;
  readonly tokenName: () => string;
}

/** Publisher to be authorized by a backend. */
export interface Publisher {
  readonly id: string;
  readonly name: string;
  readonly request: PublishRequest;
  readonly openedMs: number;
  /** Bytes of the stream when the publisher connected. */
  readonly bytesBefore: number;
  askCount: number;
  askAgainMs: number;
  isAuthorizing: boolean;
}

type PublisherOutcome =
  { readonly allowed: true; readonly askAgainMs: number } | { readonly allowed: false; readonly reason: Explained };

/** Delay before a publisher is authorized again if no backend answered, in milliseconds. */
const RETRY_MS = 15_000;

/**
 * Applies the rules of a policy to a publisher, and asks its backends.
 * @param isNew true while the publisher connects; false if it is already connected
 */
export async function authorizePublisher(
  publisher: Publisher,
  policy: AccessPolicy,
  options: PublisherAuthorizationOptions & { readonly streams: Pick<Streams, 'get'> },
  isNew: boolean,
): Promise<PublisherOutcome> {
  const { authority, clock, countryOf, streams, tokenName } = options;
  const { name, request } = publisher;
  const ip = addressOfPeer(request.peer);
  const token = request.query.get(tokenName()) ?? '';
  const country = countryOf(ip);
  // Encoders send no page address, so the rule for pages never applies.
  const judgement = judge(
    { ...policy, domains: [] },
    { name, ip, token, country, userAgent: request.agent ?? '', referer: '', host: '', proto: 'publish' },
  );
  if (judgement.kind === 'deny') return { allowed: false, reason: { detail: judgement.reason } };
  if (judgement.kind === 'allow') return { allowed: true, askAgainMs: Infinity };
  const verdict = await authority.authorize(policy, {
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

function outcomeOf(verdict: Verdict, policy: AccessPolicy, isNew: boolean, now: number): PublisherOutcome {
  switch (verdict.kind) {
    case 'allow':
      return { allowed: true, askAgainMs: now + verdict.durationMs };
    case 'deny':
      return { allowed: false, reason: { detail: verdict.reason } };
    case 'redirect':
      return { allowed: false, reason: because('publish_redirected') };
    case 'failed':
      if (!isNew || policy.isAllowedByDefault) return { allowed: true, askAgainMs: now + RETRY_MS };
      return { allowed: false, reason: because('backends_unreachable', { explanation: { detail: verdict.reason } }) };
  }
}
