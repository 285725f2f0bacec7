import { expect, it } from 'vitest';
import { configOf } from '../../tests/helpers/config-of.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { settled } from '../../tests/helpers/settled.ts';
import { StagedEngine } from '../../tests/helpers/staged-engine.ts';
import type { PushTransmissionObject } from '../../src-preload/contract/api/push-object.ts';
import { silentLog } from '../lib/log.ts';
import type { PushStatus } from '../push/push-spec.ts';
import { Streams } from './streams.ts';
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
  const states = pushStates({ settings, status: undefined }, { nowMs: START });
  expect(states.map(({ start_at, stop_at }) => [start_at, stop_at])).toEqual([
    [START, STOP],
    [null, null],
  ]);
});

it('the options of a push by UDP reach its socket, and only those that are written', () => {
  const settings = settingsOf(
    'push udp://239.0.0.1:1234; push udp://239.0.0.1:1234 ttl=7 multicast_loop=false interface=lo pids.pmt=80;',
  );
  expect(pushSpecs(settings).map(({ datagrams }) => datagrams)).toEqual([
    {},
    { ttl: 7, isLooped: false, networkInterface: 'lo', pids: { pmt: 80 } },
  ]);
});

it('the plan of a push that is switched off is not shown, because it has no effect', () => {
  const settings = settingsOf('push rtmp://h/a/k start_at=2026-12-01T18:55:00Z disabled=true;');
  expect(pushSpecs(settings)).toEqual([]);
  expect(pushStates({ settings, status: undefined }, { nowMs: 0 })).toMatchObject([
    { state: 'disabled', start_at: null },
  ]);
});

it.each([
  ['start_at=2026-12-01T18:55:00Z', START - 1, 'planned'],
  ['start_at=2026-12-01T18:55:00Z', START, 'pending'],
  ['stop_at=2026-12-01T20:30:00Z', STOP - 1, 'pending'],
  ['stop_at=2026-12-01T20:30:00Z', STOP, 'ended'],
  ['disabled=true start_at=2026-12-01T18:55:00Z', START - 1, 'disabled'],
  ['start_at=2026-12-01T18:55:00Z; disabled', START - 1, 'disabled'],
])('a push with %s of a stream that is not open is at %d %s', (options, nowMs, state) => {
  const stream = { settings: settingsOf(`static false; push rtmp://h/a/k ${options};`), status: undefined };
  expect(pushStates(stream, { nowMs })).toMatchObject([{ state, since: null }]);
});

it('the state for the wall has the lamps of its pushes only, and nothing without pushes', () => {
  expect(pushLamps({ settings: settingsOf(''), status: undefined }, { nowMs: 0 })).toBeUndefined();
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
  expect(pushLamps({ settings, status: { pushes: [status] } }, { nowMs: 0 })).toEqual([
    { url: 'rtmp://h/a/***', state: 'running', code: null, bytes_acknowledged: 7, lag: 12, start_at: null },
  ]);
});

it('pushes to addresses that differ only in their keys have separate logs, and other tracks share one', async () => {
  const rows: { readonly target: string; readonly transmission: PushTransmissionObject }[] = [];
  const stage = new StagedEngine();
  const config = configOf(
    'stream cam { input fake://; push rtmp://h/a/key-1; push rtmp://h/a/key-2; push rtmp://h/a/key-2 tracks=a1; }',
  );
  const streams = new Streams(config, {
    clock: new FakeClock(),
    log: silentLog,
    engine: () => stage.engine,
    transmissions: {
      put: (_, target, transmission) => rows.push({ target, transmission }),
      list: (_, target) => rows.filter((row) => row.target === (target ?? row.target)).map((row) => row.transmission),
    },
  });
  streams.start(config);
  await settled();
  const runId = stage.opened[0]?.id ?? 0;
  for (const [index, address] of ['rtmp://h/a/key-1', 'rtmp://h/a/key-2'].entries())
    streams.reports.pushNotice(runId, {
      url: 'rtmp://h/a/***',
      address,
      transmission: { startedMs: START, endedMs: null, hasSent: true, bytes: index, tries: 1 },
    });
  const logOf = (pushId?: string): number[] => streams.transmissions('cam', pushId).map(({ bytes }) => bytes);
  expect(streams.pushes('cam').map(({ id }) => logOf(id))).toEqual([[0], [1], [1]]);
  expect([logOf(), logOf('unknown')]).toEqual([[0, 1], []]);
  expect(JSON.stringify(rows)).not.toContain('key-');
});
