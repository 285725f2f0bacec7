import { describe, expect, it } from 'vitest';
import { TOPICS } from './topics.ts';

describe('the events topic', () => {
  it('keeps valid events, and skips those that this version cannot parse', () => {
    const event = {
      event: 'stream_opened',
      event_id: 1,
      utc_ms: 1000,
      server: 'studio',
      media: 'cam',
      reason: 'config',
    };
    const unreadable = [{ ...event, event: 'event_of_another_version' }, { ...event, utc_ms: 'now' }, null];
    const events = [event, ...unreadable, { ...event, event_id: 3 }];
    const read = TOPICS.events.safeParse({ is_snapshot: true, events, skipped: 0 });
    expect(read.data?.events).toEqual([event, { ...event, event_id: 3 }]);
  });
});
