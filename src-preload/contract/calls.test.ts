import { describe, expect, it } from 'vitest';
import { CALLS, type CallName } from './calls.ts';

const NAMES = Object.keys(CALLS) as CallName[];
const takes = (name: CallName, input: unknown): boolean => CALLS[name].input.safeParse(input).success;

describe('the calls of the bridge', () => {
  it('are writes if they change something', () => {
    expect(NAMES.filter((name) => CALLS[name].isWrite)).toEqual([
      'streams.add',
      'streams.remove',
      'streams.remove_all',
      'streams.disable_all',
      'streams.record_all',
      'streams.add_recording',
      'streams.select_input',
      'streams.restart',
      'streams.add_push',
      'streams.change_push',
      'streams.switch_pushes',
      'streams.remove_push',
      'streams.probe_address',
      'streams.probe_input',
      'ads.splice_insert',
      'alarms.acknowledge',
      'alarms.shelve',
      'walls.save',
      'walls.remove',
      'walls.recall',
      'walls.set_label',
      'walls.remove_label',
      'config.apply',
      'config.undo',
      'config.confirm',
      'config.rollback',
      'config.reload',
      'config.restore',
      'events.test_sink',
      'events.replay_sink',
      'sessions.close',
      'sessions.close_all',
      'sessions.ban',
      'sessions.unban',
      'archive.lock',
      'archive.unlock',
      'archive.allow_deletion',
      'archive.add_note',
      'archive.remove_note',
      'archive.restore_note',
      'archive.export',
      'archive.download_export',
      'archive.cancel_export',
      'cases.create',
      'cases.rename',
      'cases.remove',
      'cases.restore',
      'cases.add',
      'cases.order',
      'cases.take_out',
      'cases.put_back',
      'cases.export',
      'clips.conform',
      'clips.upload',
      'clips.save_backend',
      'clips.delete_backend',
      'clips.delete',
      'clips.cancel',
      'portals.create',
      'portals.update',
      'portals.create_key',
      'portals.rotate_key',
      'portals.remove_key',
      'portals.create_webhook',
      'portals.update_webhook',
      'portals.rotate_webhook',
      'portals.remove_webhook',
      'portals.test_webhook',
      'portals.replay_webhook',
      'portals.create_export',
      'portals.remove_export',
      'portals.discard_dead_letters',
      'subscribers.import',
      'subscribers.create_token',
      'subscribers.remove_token',
      'subscribers.change',
      'system.confirm_keys',
      'people.create',
      'people.update',
      'people.set_password',
      'people.change_own_password',
      'people.remove',
      'people.end_session',
    ]);
  });

  it.each([undefined, null, 'text', 7, true, []])('refuse the input %j, which is no object', (input) => {
    for (const name of NAMES) expect([name, takes(name, input)]).toEqual([name, false]);
  });

  it.each<[CallName, object]>([
    ['streams.remove', {}],
    ['streams.restart', {}],
    ['streams.select_input', { input: 0 }],
    ['streams.add', { input_url: 'publish://' }],
  ])('accept the name of a stream, but no path: %s', (name, rest) => {
    for (const stream of ['cam', 'site/gate', 'Страна_1'])
      expect([stream, takes(name, { ...rest, name: stream })]).toEqual([stream, true]);
    for (const stream of [
      '',
      '..',
      '../etc',
      'a/../b',
      '/a',
      'a/',
      'a//b',
      'a\\b',
      'a b',
      'a?b',
      'a%2fb',
      'a\0',
      'mediaserver/x',
      7,
      null,
    ])
      expect([stream, takes(name, { ...rest, name: stream })]).toEqual([stream, false]);
  });

  it.each<[CallName, object, boolean]>([
    ['streams.add', { name: 'a', input_url: '' }, false],
    ['streams.add', { name: 'a', input_url: 'x'.repeat(2000) }, true],
    ['streams.add', { name: 'a', input_url: 'x'.repeat(2001) }, false],
    ['streams.add', { name: 'a', input_url: 'x', settings: [{ directive: 'title', words: ['x'] }] }, true],
    ['streams.add', { name: 'a', input_url: 'x', settings: [{ directive: 'x; y', words: [] }] }, false],
    ['streams.select_input', { name: 'a', input: null }, true],
    ['streams.select_input', { name: 'a', input: 'udp://239.0.0.1:1' }, true],
    ['streams.select_input', { name: 'a', input: -1 }, false],
    ['streams.select_input', { name: 'a', input: 0.5 }, false],
    ['streams.select_input', { name: 'a', input: '' }, false],
    ['streams.select_input', { name: 'a' }, false],
    ['config.versions', { limit: 1 }, true],
    ['config.versions', { limit: 200, before: 1 }, true],
    ['config.versions', { limit: 0 }, false],
    ['config.versions', { limit: 201 }, false],
    ['config.versions', { limit: 1, before: 0 }, false],
    ['config.undo', { version: 0 }, false],
    ['config.undo', { version: 1 }, true],
    ['config.restore', { id: 1 }, true],
    ['config.restore', { id: 1, confirm_within: 86_400 }, true],
    ['config.restore', { id: 1, confirm_within: 86_401 }, false],
    ['config.restore', { id: 1, confirm_within: 0 }, false],
    ['events.recent', { limit: 1000, event: 'x'.repeat(1000) }, true],
    ['events.recent', { limit: 1001 }, false],
    ['events.recent', { event: 'x'.repeat(1001) }, false],
    ['events.recent', { media: 'x'.repeat(1001) }, false],
  ])('accept or refuse %s with %j: %s', (name, input, isAccepted) => {
    expect(takes(name, input)).toBe(isAccepted);
  });

  it('return 100 events by default', () => {
    expect(CALLS['events.recent'].input.parse({})).toEqual({ limit: 100 });
  });
});
