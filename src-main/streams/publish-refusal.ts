import type { Config } from '../config/config.ts';
import type { PublishRequest } from '../ingest/input.ts';
import { addressGroup, addressOfPeer, isLoopback } from '../lib/network-address.ts';
import type { StreamEntry } from './stream-entry.ts';

/** Silence of a publisher after which another one may replace it, in milliseconds. */
const DEAD_PUBLISHER_MS = 3000;

/** Reason why a publisher that the configuration admits is refused. */
export interface PublishRefusal {
  readonly code: 'publish_busy' | 'publish_limit' | 'input_quarantined';
  readonly detail: string;
}

/** Refusal of a name that another encoder publishes. */
export function busyRefusal(entry: StreamEntry, nowMs: number): PublishRefusal | undefined {
  const lastMs = Math.max(entry.publishedUnitMs, entry.unpublishedSinceMs);
  if (!entry.isPublished || nowMs - lastMs >= DEAD_PUBLISHER_MS) return undefined;
  return {
    code: 'publish_busy',
    detail: `${entry.name} is being published by ${entry.status?.publisher ?? 'another encoder'}`,
  };
}

/**
 * Refusal of a new name if publishers have created the maximum number of streams.
 * @param prefix name of the live prefix or template
 */
export function limitRefusal(
  entries: Iterable<StreamEntry>,
  limits: Pick<Config, 'publishedStreams' | 'publishedStreamsOfPrefix' | 'publishedStreamsOfAddress'>,
  prefix: string,
  { peer }: PublishRequest,
): PublishRefusal | undefined {
  const address = addressOfPeer(peer);
  const group = addressGroup(address);
  const counts = { all: 0, ofPrefix: 0, ofAddress: 0 };
  for (const entry of entries) {
    if (entry.isConfigured || entry.isArchiveOnly) continue;
    counts.all++;
    if (entry.prefix === prefix) counts.ofPrefix++;
    if (addressGroup(entry.publisherAddress) === group) counts.ofAddress++;
  }
  const over = (count: number, limit: number, reason: string): PublishRefusal | undefined =>
    count < limit
      ? undefined
      : { code: 'publish_limit', detail: `${limit} streams were made ${reason}, which is the limit` };
  return (
    over(counts.all, limits.publishedStreams, 'by publishers') ??
    over(counts.ofPrefix, limits.publishedStreamsOfPrefix, `under ${prefix}`) ??
    // Programs of this machine publish for many users, and so does a proxy on it.
    (isLoopback(address) ? undefined : over(counts.ofAddress, limits.publishedStreamsOfAddress, `from ${address}`))
  );
}
