import { expect, it } from 'vitest';
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

it('watchedStream expects neither frames nor a recording of a stream that has only an archive', () => {
  const config = configOf('live studio { dvr records; }');
  const settings = config.livePrefixes.get('studio');
  if (!settings) throw new Error('no prefix');
  const entry = new StreamEntry('studio/a', settings, false, 1000);
  const watched = (): unknown[] => {
    const past = { lastFrameMs: 5000, lastSpliceMs: 0 };
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
  expect(watchedStream(entry, { lastFrameMs, lastSpliceMs: 0 }, null, 90_000, options).isExpected).toBe(isExpected);
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
  const watched = watchedStream(entry, { lastFrameMs: 0, lastSpliceMs: 0 }, null, 90_000, {
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
    const past = { lastFrameMs: 5000, lastSpliceMs: 0 };
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
