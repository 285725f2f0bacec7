import type { StreamEntry } from './stream-entry.ts';

/** Players ask once a segment or so: a viewer is not gone before this many segments passed without a request. */
const PATIENCE_SEGMENTS = 3;

/** Whether a stream runs for its viewers only. */
export function isOnDemand({ settings }: Pick<StreamEntry, 'settings'>): boolean {
  return !settings.isStatic && !settings.isDisabled;
}

/** Whether a stream that runs for its viewers has had none for its `clients_timeout`. Publishers keep it, too. */
export function isAbandoned(entry: StreamEntry, nowMs: number): boolean {
  const { settings, output } = entry;
  if (!isOnDemand(entry) || entry.runId === undefined || entry.isPublished || output.hasWatchers) return false;
  const patienceMs = Math.max(settings.clientsTimeoutMs, PATIENCE_SEGMENTS * settings.segmentDurationMs);
  return nowMs - Math.max(output.lastSeenMs, entry.demandedMs) >= patienceMs;
}
