import type { StreamEntry } from './stream-entry.ts';

/**
 * Age of the newest media for viewers, in milliseconds; null without media. It is unknown, and null too, if the clock of
 * the stream runs ahead of the server, because the age would be negative.
 */
export function liveLatency({ window }: Pick<StreamEntry, 'window'>, nowMs: number): number | null {
  const edgeMs = window.bounds()?.toMs;
  return edgeMs === undefined || edgeMs > nowMs ? null : Math.round(nowMs - edgeMs);
}
