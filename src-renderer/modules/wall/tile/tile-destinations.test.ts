import { beforeEach, describe, expect, it } from 'vitest';
import type { PushLampObject } from '../../../../src-preload/contract/api/push-object.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { ICON_SHAPES } from '../../../ui/icon-shapes.ts';
import { destinationLamps } from './destination-lamps.ts';
import TileDestinations from './TileDestinations.vue';

const NOW = new Date(2026, 10, 30, 18, 0).getTime();
const TWITCH = 'rtmps://ingest.global-contribute.live-video.net/app/***';
const YOUTUBE = 'rtmps://a.rtmps.youtube.com/live2/***';

function aPush(change: Partial<PushLampObject> = {}): PushLampObject {
  return { url: TWITCH, state: 'running', code: null, bytes_acknowledged: 5, lag: 0, start_at: null, ...change };
}

let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
});

describe('the lamps of destinations', () => {
  it.each<readonly [Partial<PushLampObject>, string, string]>([
    [{}, 'good', 'Twitch: Sending, confirmed by the server'],
    [{ url: YOUTUBE, bytes_acknowledged: null }, 'care', 'YouTube: Sending, not confirmed'],
    [{ url: 'udp://239.1.1.1:5000', bytes_acknowledged: null }, 'good', '239.1.1.1:5000: Sending'],
    [{ lag: 2500 }, 'care', 'Twitch: Too slow'],
    [{ state: 'starting' }, 'care', 'Twitch: Connecting'],
    [{ state: 'starting', code: 'push_lost' }, 'bad', 'Twitch: Failed, tries again'],
    [{ state: 'pending' }, 'care', 'Twitch: Waits for the stream'],
    [{ state: 'retry', code: 'push_lost' }, 'bad', 'Twitch: Failed, tries again'],
    [{ state: 'error', code: 'push_refused' }, 'bad', 'Twitch: Failed, gave up'],
    [{ state: 'planned', start_at: NOW + 3_300_000 }, 'off', 'Twitch: Starts 18:55'],
    [{ state: 'planned', start_at: NOW + 86_400_000 }, 'off', 'Twitch: Starts 2026-12-01 18:00'],
    [{ state: 'ended' }, 'off', 'Twitch: Ended as planned'],
    [{ state: 'disabled' }, 'off', 'Twitch: Stopped'],
  ])('have a colour and words: %j', (change, colour, words) => {
    const shown = destinationLamps([aPush(change)], NOW);
    expect([shown.lamps[0]?.colour, shown.words]).toEqual([colour, words]);
  });

  it('count the destinations that receive the stream, and show the worst of those that are started', () => {
    const pushes = [aPush(), aPush({ url: YOUTUBE }), aPush({ state: 'retry' }), aPush({ state: 'disabled' })];
    expect(destinationLamps(pushes, NOW)).toMatchObject({ worst: 'bad', count: '2/3' });
    expect(destinationLamps(pushes.slice(0, 2), NOW)).toMatchObject({ worst: 'good', count: '2/2' });
    expect(destinationLamps([aPush(), aPush({ state: 'pending' })], NOW)).toMatchObject({
      worst: 'care',
      count: '1/2',
    });
    expect(destinationLamps(pushes.slice(3), NOW)).toMatchObject({ worst: 'off', count: '0/1' });
  });

  it('differ in form and letter, and are described for screen readers', () => {
    const pushes = [aPush(), aPush({ url: YOUTUBE, state: 'retry', code: 'push_lost' })];
    const lamps = desk.mount(TileDestinations, { props: { pushes, isStale: false } });
    expect(lamps.findAll('.each').map((lamp) => [lamp.text(), lamp.get('path').attributes('d')])).toEqual([
      ['T', ICON_SHAPES.live],
      ['Y', ICON_SHAPES.lost],
    ]);
    expect(lamps.get('.count').text()).toBe('1/2');
    expect(lamps.attributes('role')).toBe('img');
    expect(lamps.attributes('aria-label')).toBe(
      'Twitch: Sending, confirmed by the server\nYouTube: Failed, tries again',
    );
    expect(lamps.attributes('title')).toBe(lamps.attributes('aria-label'));
  });

  it.each([
    ['rtmp://relay.example.org/live/***', 'R'],
    ['udp://239.1.1.1:5000', 'U'],
    ['rtmp://[fd00::1]/live/***', 'R'],
  ])('have a letter: %s', (url, letter) => {
    expect(destinationLamps([aPush({ url })], NOW).lamps[0]?.letter).toBe(letter);
  });

  it('are one lamp with a count for five or more destinations', () => {
    const lamps = desk.mount(TileDestinations, {
      props: { pushes: Array.from({ length: 5 }, () => aPush()), isStale: false },
    });
    expect([lamps.findAll('.each').length, lamps.get('.count').text()]).toEqual([0, '5/5']);
  });

  it('say that their state is old while the server does not respond', () => {
    const lamps = desk.mount(TileDestinations, { props: { pushes: [aPush()], isStale: true } });
    expect(lamps.get('path').attributes('d')).toBe(ICON_SHAPES.unknown);
    expect(lamps.attributes('title')).toBe('Twitch: Sending, confirmed by the server when the server last responded');
  });
});
