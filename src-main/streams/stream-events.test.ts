import { describe, expect, it } from 'vitest';
import { eventSchemaOf, type EventKind } from '../../src-preload/contract/events/catalogue.ts';
import type { EventEmitter } from '../events/event-bus.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { silentLog } from '../lib/log.ts';
import { configOf } from '../../tests/helpers/config-of.ts';
import { StreamEntry } from './stream-entry.ts';
import { StreamEvents } from './stream-events.ts';

function stage() {
  const emitted: Record<string, unknown>[] = [];
  const events: EventEmitter = {
    emit: (kind: EventKind, fields: object) => {
      const event = { event: kind, event_id: 1, utc_ms: 1, server: 's', ...fields };
      expect(eventSchemaOf(kind).safeParse(event).error, kind).toBeUndefined();
      emitted.push({ event: kind, ...fields });
    },
  };
  const clock = new FakeClock();
  const settings = configOf('stream a { input publish://; }').streams.get('a');
  if (!settings) throw new Error('no stream');
  return {
    emitted,
    clock,
    entry: new StreamEntry('a', settings, true),
    streamEvents: new StreamEvents({ log: silentLog, clock, events }),
  };
}

describe('stream events', () => {
  it('include the time of opening and publishing, and the publisher', () => {
    const { emitted, clock, entry, streamEvents } = stage();
    entry.opened(1, clock.now());
    streamEvents.opened(entry, 'publisher');
    for (const peer of ['192.0.2.7:5000', '[2001:db8::7]:5000', '2001:db8::7'])
      streamEvents.publisherCame(entry, { path: 'a', peer, agent: 'OBS', query: new URLSearchParams() } as never);
    clock.advance(5000);
    streamEvents.publisherLeft(entry);
    streamEvents.closed(entry, 'removed', 77);
    expect(emitted).toEqual([
      { event: 'stream_opened', media: 'a', reason: 'publisher' },
      { event: 'publish_opened', media: 'a', ip: '192.0.2.7', user_agent: 'OBS' },
      { event: 'publish_opened', media: 'a', ip: '2001:db8::7', user_agent: 'OBS' },
      { event: 'publish_opened', media: 'a', ip: '2001:db8::7', user_agent: 'OBS' },
      { event: 'publish_closed', media: 'a', code: null, lifetime_ms: 5000 },
      { event: 'stream_closed', media: 'a', reason: 'removed', lifetime_ms: 5000, bytes_in: 77 },
    ]);
  });

  it('mask secrets in addresses', () => {
    const { emitted, entry, streamEvents } = stage();
    streamEvents.notice(entry, {
      event: 'input_lost',
      input: 'input 1',
      code: 'input_unreachable',
      detail: 'rtsp://user:word@192.0.2.9/ did not answer',
    });
    expect(emitted).toEqual([
      {
        event: 'input_lost',
        media: 'a',
        input: 'input 1',
        code: 'input_unreachable',
        detail: 'rtsp://***@192.0.2.9/ did not answer',
      },
    ]);
  });

  it('are not repeated for unchanged tracks', () => {
    const { emitted, entry, streamEvents } = stage();
    const video = (width: number) =>
      ({
        track: { content: 'video', id: 'v1', codec: 'h264', width, height: 720 },
        bitrate: Math.random(),
        rate: 25,
      }) as never;
    streamEvents.measured(entry, []);
    streamEvents.measured(entry, [video(1280)]);
    streamEvents.measured(entry, [video(1280)]);
    streamEvents.measured(entry, [video(640)]);
    expect(emitted.map(({ reason, width, track_count: count }) => [reason, width, count])).toEqual([
      ['tracks', 1280, 1],
      ['tracks', 640, 1],
    ]);
  });
});
