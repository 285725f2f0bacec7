import { expect, it } from 'vitest';
import { configOf } from '../../tests/helpers/config-of.ts';
import type { PushStatus } from '../push/push-spec.ts';
import { pushLamps, pushSpecs, pushStates } from './stream-pushes.ts';

const START = Date.UTC(2026, 11, 1, 18, 55);
const STOP = Date.UTC(2026, 11, 1, 20, 30);

function settingsOf(statements: string) {
  const settings = configOf(`stream cam { input publish://; ${statements} }`).streams.get('cam');
  if (!settings) throw new Error('no stream');
  return settings;
}

it('the planned times of a push reach its media thread and its state', () => {
  const settings = settingsOf(
    'push rtmp://h/a/k start_at=2026-12-01T19:55:00+01:00 stop_at=2026-12-01T20:30Z; push rtmp://h/b/k;',
  );
  expect(pushSpecs(settings).map(({ startAtMs, stopAtMs }) => [startAtMs, stopAtMs])).toEqual([
    [START, STOP],
    [undefined, undefined],
  ]);
  expect(pushStates({ settings, status: undefined }).map(({ start_at, stop_at }) => [start_at, stop_at])).toEqual([
    [START, STOP],
    [null, null],
  ]);
});

it('the plan of a push that is switched off is not shown, because it has no effect', () => {
  const settings = settingsOf('push rtmp://h/a/k start_at=2026-12-01T18:55:00Z disabled=true;');
  expect(pushSpecs(settings)).toEqual([]);
  expect(pushStates({ settings, status: undefined })).toMatchObject([{ state: 'disabled', start_at: null }]);
});

it('the state for the wall has the lamps of its pushes only, and nothing without pushes', () => {
  expect(pushLamps({ settings: settingsOf(''), status: undefined })).toBeUndefined();
  const status: PushStatus = {
    index: 0,
    url: 'rtmp://h/a/***',
    phase: 'running',
    sinceMs: 1,
    tries: 1,
    bytes: 9,
    acknowledgedBytes: 7,
    bitrate: 1,
    lagMs: 12.4,
    droppedUnits: 0,
    tracks: ['v1'],
  };
  const settings = settingsOf('push rtmp://h/a/k;');
  expect(pushLamps({ settings, status: { pushes: [status] } })).toEqual([
    { url: 'rtmp://h/a/***', state: 'running', code: null, bytes_acknowledged: 7, lag: 12, start_at: null },
  ]);
});
