import { because, type Explained } from '../../src-preload/contract/explanations/explanations.ts';
import type { Config } from '../config/schema/config.ts';
import type { PublishRequest } from '../ingest/input.ts';
import { addressGroup, addressOfPeer, isLoopback } from '../lib/network-address.ts';
import type { StreamEntry } from './stream-entry.ts';

/** Silence of a publisher after which another publisher may replace it, in milliseconds. */
const DEAD_PUBLISHER_MS = 3000;

/** Reason why a publisher that the configuration admits is refused. */
export interface PublishRefusal extends Explained {
  readonly code: 'publish_busy' | 'publish_limit' | 'input_quarantined';
}

/** Refusal of a name that another encoder publishes. */
export function busyRefusal(entry: StreamEntry, nowMs: number): PublishRefusal | undefined {
  const lastMs = Math.max(entry.publishedUnitMs, entry.unpublishedSinceMs);
  if (!entry.isPublished || nowMs - lastMs >= DEAD_PUBLISHER_MS) return undefined;
  const { name, status } = entry;
  const publisher = status?.publisher;
  return {
    code: 'publish_busy',
    ...(publisher === undefined
      ? because('publish_in_use_by_encoder', { name })
      : because('publish_in_use', { name, publisher })),
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
  const { publishedStreams, publishedStreamsOfPrefix, publishedStreamsOfAddress } = limits;
  const refuse = (why: Explained): PublishRefusal => ({ code: 'publish_limit', ...why });
  if (counts.all >= publishedStreams) return refuse(because('publish_limit_server', { count: publishedStreams }));
  if (counts.ofPrefix >= publishedStreamsOfPrefix)
    return refuse(because('publish_limit_prefix', { count: publishedStreamsOfPrefix, prefix }));
  // Programs on this machine publish for many users, and so does a proxy on it.
  if (isLoopback(address) || counts.ofAddress < publishedStreamsOfAddress) return undefined;
  return refuse(because('publish_limit_address', { count: publishedStreamsOfAddress, address }));
}
