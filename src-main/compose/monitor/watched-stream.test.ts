import { describe, expect, it } from 'vitest';
import { configOf } from '../../../tests/helpers/config-of.ts';
import type { StreamMeasurements } from '../../engine/messages.ts';
import { StreamEntry } from '../../streams/stream-entry.ts';
import { watchedStream } from './watched-stream.ts';

const INPUT = { url: 'udp://127.0.0.1:1', phase: 'running', lastUnitMs: 1, retryCount: 0, errorCount: 0 } as const;
/** Measurements of a stream with three inputs, whose second one is the main input. */
const MEASURED: StreamMeasurements = {
  id: 1,
  measuredMs: 2000,
  inputs: [2, 1, 1].map((priority) => ({ ...INPUT, priority })),
  activeInput: 1,
  selectedInput: null,
  isBackupOnAir: false,
  inputSwitches: 0,
  phase: 'running',
  lastUnitMs: 1,
  startedMs: 1,
  bytesIn: 0,
  retryCount: 0,
  errorsPerSecond: 0,
  continuityErrorsPerSecond: 0,
  clockErrorsPerSecond: 0,
  lastErrorsMs: { all: 0, continuity: 0, clock: 0 },
  tracks: [],
  leftOut: [],
  problems: [],
};

/** History of a stream before the first round of the monitor. */
const NEVER = { lastFrameMs: 0, lastSpliceMs: 0, watchedMs: 0, reportedMs: 0 };

it('watchedStream expects neither frames nor a recording of a stream that has only an archive', () => {
  const config = configOf('live studio { dvr records; }');
  const settings = config.livePrefixes.get('studio');
  if (!settings) throw new Error('no prefix');
  const entry = new StreamEntry('studio/a', settings, false, 1000);
  const watched = (): unknown[] => {
    const past = { ...NEVER, lastFrameMs: 5000 };
    const { isExpected, isRecordingExpected } = watchedStream(entry, past, null, 90_000, {
      config: () => config,
      options: { dataFolder: '/data' },
    });
    return [isExpected, isRecordingExpected];
  };
  expect(watched()).toEqual([true, true]);
  entry.keepArchive();
  expect(watched()).toEqual([false, false]);
});

it.each([
  {
    config: 'stream cam { input publish://; }',
    lastFrameMs: 5000,
    isExpected: true,
    when: 'after an encoder was there',
  },
  {
    config: 'stream cam { input publish://; }',
    lastFrameMs: 0,
    isExpected: false,
    when: 'not before the first encoder',
  },
  { config: 'stream cam { input udp://127.0.0.1:1; }', lastFrameMs: 0, isExpected: true, when: 'of a pulled input' },
  {
    config: 'stream cam { input udp://127.0.0.1:1; static false; }',
    lastFrameMs: 5000,
    isExpected: false,
    when: 'not without viewers, if it runs only for them',
  },
])('watchedStream expects frames of a stream that is not open: $when', ({ config: text, lastFrameMs, isExpected }) => {
  const config = configOf(text);
  const settings = config.streams.get('cam') ?? expect.fail('no stream');
  const options = { config: () => config, options: { dataFolder: '/data' } };
  const entry = new StreamEntry('cam', settings, true, 1000);
  expect(watchedStream(entry, { ...NEVER, lastFrameMs }, null, 90_000, options).isExpected).toBe(isExpected);
});

describe.each([
  ['udp://127.0.0.1:1', 'is not open', undefined],
  ['udp://127.0.0.1:1', 'is not reported', []],
  [
    'fake://',
    'waits for its test pictures',
    [{ ...INPUT, url: 'fake://', phase: 'opening', priority: 0, lastUnitMs: 0 }],
  ],
] as const)('watchedStream of a stream with %s that %s', (url, _why, inputs) => {
  const config = configOf(`stream cam { input ${url}; }`);
  const options = { config: () => config, options: { dataFolder: '/data' } };
  const settings = config.streams.get('cam') ?? expect.fail('no stream');

  it('counts the time without frames from the first report about its inputs', () => {
    const entry = new StreamEntry('cam', settings, true, 1000);
    const past = { ...NEVER };
    const silenceAt = (nowMs: number, status: Partial<StreamMeasurements> | undefined): number => {
      if (status) entry.measured({ ...MEASURED, lastUnitMs: 0, measuredMs: nowMs, ...status });
      const { knownMs, lastFrameMs } = watchedStream(entry, past, null, nowMs, options);
      return knownMs - lastFrameMs;
    };
    const before = inputs && { inputs };
    const after = { inputs: [{ ...INPUT, url, phase: 'silent', lastUnitMs: 0, priority: 0 }] } as const;
    expect([20_000, 79_000].map((ms) => silenceAt(ms, before))).toEqual([0, 0]);
    expect([79_500, 86_000].map((ms) => silenceAt(ms, after))).toEqual([0, 6500]);
  });

  it('counts the time without frames from the second minute if its inputs are never reported', () => {
    const entry = new StreamEntry('cam', settings, true, 1000);
    const past = { ...NEVER };
    const silences = [20_000, 80_000, 86_000].map((nowMs) => {
      if (inputs) entry.measured({ ...MEASURED, lastUnitMs: 0, measuredMs: nowMs, inputs });
      const { knownMs, lastFrameMs } = watchedStream(entry, past, null, nowMs, options);
      return knownMs - lastFrameMs;
    });
    expect(silences).toEqual([0, 0, 6000]);
  });
});

it.each<[string, object, object | null]>([
  ['not while the main input is on air', { activeInput: 1 }, null],
  ['while another one replaces it', { activeInput: 0 }, { input: 1, main: 2, count: 3 }],
  ['while the last one replaces it', { activeInput: 2 }, { input: 3, main: 2, count: 3 }],
  ['not if an operator selected it', { activeInput: 0, selectedInput: 0 }, null],
  ['if an operator selected one that failed', { activeInput: 0, selectedInput: 2 }, { input: 1, main: 2, count: 3 }],
  [
    'not before an encoder has connected',
    { inputs: [{ ...INPUT, url: 'publish://', lastUnitMs: 0, priority: 0 }, ...MEASURED.inputs], activeInput: 2 },
    null,
  ],
  [
    'after an encoder has disconnected',
    { inputs: [{ ...INPUT, url: 'publish://', priority: 0 }, ...MEASURED.inputs], activeInput: 2 },
    { input: 3, main: 1, count: 4 },
  ],
  ['not while no input is on air', { activeInput: null }, null],
  ['not while the backup file is on air', { activeInput: 0, isBackupOnAir: true }, null],
])('watchedStream reports a backup input on air: %s', (_when, status, expected) => {
  const config = configOf('stream cam { input udp://127.0.0.1:1; }');
  const settings = config.streams.get('cam');
  if (!settings) throw new Error('no stream');
  const entry = new StreamEntry('cam', settings, true, 1000);
  entry.measured({ ...MEASURED, ...status });
  const watched = watchedStream(entry, { ...NEVER }, null, 90_000, {
    config: () => config,
    options: { dataFolder: '/data' },
  });
  expect(watched.reserve).toEqual(expected);
});

it('watchedStream counts pushes that fail, also during their next attempt, and not those that wait for frames', () => {
  const config = configOf('stream cam { input udp://h:1; push rtmp://h/a/1; push rtmp://h/a/2; push rtmp://h/a/3; }');
  const settings = config.streams.get('cam');
  if (!settings) throw new Error('no stream');
  const entry = new StreamEntry('cam', settings, true, 1000);
  entry.opened(1, 1000);
  const push = {
    sinceMs: 0,
    tries: 1,
    bytes: 0,
    acknowledgedBytes: null,
    bitrate: 0,
    lagMs: 0,
    droppedUnits: 0,
    tracks: [],
  };
  const failing = (...phases: readonly ('pending' | 'starting' | 'running' | 'retry' | 'error')[]): unknown => {
    const pushes = phases.map((phase, index) => ({
      ...push,
      index,
      url: `rtmp://h/a/***`,
      phase,
      fault: { code: 'push_lost', detail: 'closed' },
    }));
    entry.measured({ ...MEASURED, pushes });
    const past = { ...NEVER, lastFrameMs: 5000 };
    return watchedStream(entry, past, null, 9000, { config: () => config, options: { dataFolder: '/data' } })
      .failingPushes;
  };
  expect(failing('running', 'pending')).toBeNull();
  expect(failing('running', 'starting', 'error')).toEqual({
    failed: 2,
    count: 3,
    url: 'rtmp://h/a/***',
    code: 'push_lost',
  });
});
