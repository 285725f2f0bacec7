import { beforeEach, describe, expect, it } from 'vitest';
import { madeVideo } from '../../tests/helpers/made-input.ts';
import { StagedEngine } from '../../tests/helpers/staged-engine.ts';
import { configOf } from '../../tests/helpers/config-of.ts';
import type { PublishRequest } from '../ingest/input.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { settled } from '../../tests/helpers/settled.ts';
import type { Log, LogFields } from '../lib/log.ts';
import { writeInitSegment } from '../media/containers/isobmff/init-segment.ts';
import { toShared } from '../segment/shared-bytes.ts';
import { selectInput } from './select-input.ts';
import { streamState } from './stream-state.ts';
import { Streams } from './streams.ts';

let clock: FakeClock;
let stage: StagedEngine;
let lines: { readonly level: string; readonly message: string; readonly fields: LogFields | undefined }[];
let streams: Streams;

beforeEach(() => {
  clock = new FakeClock();
  stage = new StagedEngine();
  lines = [];
});

async function start(text: string): Promise<void> {
  const write =
    (level: string) =>
    (message: string, fields?: LogFields): void => {
      lines.push({ level, message, fields });
    };
  const log: Log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  const config = configOf(text);
  streams = new Streams(config, { clock, log, engine: () => stage.engine });
  streams.start(config);
  await settled();
}

/** Advances the clock, and lets promises and sweeps run. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left >= 0; left -= 1000) {
    clock.advance(Math.min(1000, left));
    await settled();
  }
}

function openNames(): string[] {
  return [...stage.open.values()].map(({ name }) => name);
}

function request(path: string): PublishRequest {
  return { protocol: 'rtmp', path, query: new Map(), peer: '127.0.0.1:9' };
}

describe('a stream', () => {
  it('is opened with all inputs in configured order, its backup file and its retry limit', async () => {
    await start(
      'stream a { input udp://239.0.0.1:1 priority=5 source_timeout=15; input publish:// priority=1; input fake:// frames_timeout=1; backup x.ts timeout=7; retry_limit 4; }',
    );
    expect(stage.opened[0]).toMatchObject({
      inputs: [
        { url: 'udp://239.0.0.1:1', priority: 5, framesTimeoutMs: 15_000, sourceTimeoutMs: 15_000 },
        { url: 'publish://', priority: 1, framesTimeoutMs: 3000, sourceTimeoutMs: 20_000 },
        { url: 'fake://', priority: 3, framesTimeoutMs: 1000 },
      ],
      backup: { url: 'file://x.ts', afterMs: 7000 },
      retryLimit: 4,
    });
  });

  it('is not opened if it only waits for an encoder, has no input or is disabled', async () => {
    await start(
      'stream a { input publish://; } stream b { input publish://; input fake://; } stream c { input publish://; backup x.ts; } stream d { } stream e { disabled; input fake://; }',
    );
    expect(openNames()).toEqual(['b', 'c']);
  });

  it('of a publisher is removed soon if it never had media', async () => {
    await start('live studio { }');
    await streams.publishing.decide(request('studio/flood'), () => {});
    const answer = await streams.publishing.decide(request('studio/show'), () => {});
    const video = madeVideo('v1', 0);
    if (answer.accepted)
      streams
        .windowOf(answer.stream.id)
        .apply([{ type: 'init', tracks: [{ track: video, initId: 1, init: toShared(writeInitSegment(video)) }] }]);
    await pass(60_000);
    for (const { id } of stage.opened) streams.publishing.ended(id);
    for (const name of ['studio/flood', 'studio/show']) streams.publishing.ended(streams.get(name)?.runId ?? 0);
    await pass(9000);
    expect(streams.list().map(({ name }) => name)).toEqual(['studio/flood', 'studio/show']);
    await pass(3000);
    expect(streams.list().map(({ name }) => name)).toEqual(['studio/show']);
    await pass(300_000);
    expect(streams.list()).toEqual([]);
  });

  it('that is running accepts an encoder into its run', async () => {
    await start('stream b { input publish:// priority=1; input fake:// priority=2; }');
    const answer = await streams.publishing.decide(request('static/b'), () => {});
    expect(answer).toMatchObject({
      accepted: true,
      stream: { id: stage.opened[0]?.id, inputs: [{ url: 'publish://' }, { url: 'fake://' }] },
    });
    expect(stage.open.size).toBe(1);
  });

  it('under a live prefix has the encoder as its only input', async () => {
    await start('live studio { source_timeout 2; }');
    const answer = await streams.publishing.decide(request('studio/left'), () => {});
    expect(answer).toMatchObject({
      accepted: true,
      stream: { inputs: [{ url: 'publish://', priority: 1, framesTimeoutMs: 2000, sourceTimeoutMs: 2000 }] },
    });
  });

  it('lets a new encoder replace a silent encoder, even while another input is on air', async () => {
    await start('stream b { input publish:// priority=1; input fake:// priority=2; }');
    await streams.publishing.decide(request('static/b'), () => {});
    const spec = stage.opened[0];
    if (!spec) throw new Error('nothing was opened');
    const measured = (publishedMs: number): void => {
      const status = stage.status(spec, { publisher: 'x', lastUnitMs: clock.now() });
      streams.reports.status([
        {
          ...status,
          inputs: status.inputs.map((input, index) => (index === 0 ? { ...input, lastUnitMs: publishedMs } : input)),
        },
      ]);
    };
    await pass(2000);
    measured(clock.now());
    expect(await streams.publishing.decide(request('static/b'), () => {})).toMatchObject({
      accepted: false,
      code: 'publish_busy',
    });
    const silentMs = clock.now();
    await pass(4000);
    measured(silentMs);
    expect(await streams.publishing.decide(request('static/b'), () => {})).toMatchObject({
      accepted: true,
      stream: { id: spec.id },
    });
    expect(stage.open.has(spec.id)).toBe(true);
  });
});

describe('a stream with static false', () => {
  const LATE =
    'stream late { static false; clients_timeout 20; input fake://; } stream pub { static false; input publish://; } stream now { input fake://; }';

  it('is opened once, by its first viewer', async () => {
    await start(LATE);
    expect(openNames()).toEqual(['now']);
    expect([streams.demand('late'), streams.demand('late')]).toEqual([true, true]);
    expect(openNames()).toEqual(['now', 'late']);
    expect(lines.map(({ fields }) => fields?.['event'])).toEqual(['stream_opened']);
  });

  it('is not started by viewers if only an encoder can start it, if it is static, or if it does not exist', async () => {
    await start(LATE);
    expect(['pub', 'now', 'nothing'].map((name) => streams.demand(name))).toEqual([false, false, false]);
  });

  it('is opened and kept open by a stream that copies it', async () => {
    await start(LATE);
    stage.copied.add('late').add('pub').add('now');
    await pass(1000);
    expect(openNames()).toEqual(['now', 'late']);
    await pass(60_000);
    expect(openNames()).toEqual(['now', 'late']);
    stage.copied.clear();
    await pass(22_000);
    expect(openNames()).toEqual(['now']);
  });

  it('is opened and kept open by its pushes at their times', async () => {
    const [from, to] = [60_000, 180_000].map((ms) => new Date(clock.now() + ms).toISOString());
    const push = (options: string): string => `push rtmp://127.0.0.1:9/a/k ${options};`;
    await start(`stream late { static false; clients_timeout 20; input fake://; ${push(`start_at=${from} stop_at=${to}`)} }
      stream off { static false; input fake://; ${push('disabled=true')} }
      stream on { static false; input fake://; ${push('')} }`);
    await pass(2000);
    expect(openNames()).toEqual(['on']);
    await pass(60_000);
    expect(openNames()).toEqual(['on', 'late']);
    await pass(110_000);
    expect(openNames()).toEqual(['on', 'late']);
    await pass(40_000);
    expect(openNames()).toEqual(['on']);
  });

  it('is closed after clients_timeout without viewers, and starts again with an empty window', async () => {
    await start(LATE);
    streams.demand('late');
    await pass(10_000);
    streams.outputs.get('late')?.recordActivity(clock.now());
    await pass(19_000);
    expect(openNames()).toContain('late');
    const before = streams.outputs.get('late');
    await pass(3000);
    expect(openNames()).not.toContain('late');
    expect(streams.outputs.get('late')).not.toBe(before);
    streams.demand('late');
    // The segment numbers continue from the last run.
    expect(stage.opened.at(-1)).toMatchObject({ name: 'late', endMs: 1_800_000_000_000, resume: { nextInitId: 5 } });
  });

  it('stays open for a continuous reply and for a publisher', async () => {
    await start('stream late { static false; clients_timeout 1; input publish://; input fake://; }');
    streams.demand('late');
    const leave = streams.outputs.get('late')?.watch();
    await pass(120_000);
    expect(openNames()).toEqual(['late']);
    leave?.();
    await streams.publishing.decide(request('static/late'), () => {});
    await pass(120_000);
    expect(openNames()).toEqual(['late']);
    streams.publishing.ended(stage.opened[0]?.id ?? 0);
    await pass(3000);
    expect(openNames()).toEqual([]);
  });

  it('stays open longer than the interval between two segment requests of a player', async () => {
    await start('stream late { static false; clients_timeout 0; segment_duration 6; input fake://; }');
    streams.demand('late');
    await pass(16_000);
    expect(openNames()).toEqual(['late']);
    await pass(4000);
    expect(openNames()).toEqual([]);
  });

  it('opens again for a viewer who arrives while it is closing', async () => {
    await start(LATE);
    streams.demand('late');
    stage.pending = [];
    await pass(22_000);
    expect(stage.pending).toHaveLength(1);
    expect(streams.demand('late')).toBe(true);
    for (const release of stage.pending.splice(0)) release();
    stage.pending = undefined;
    await settled();
    expect(openNames()).toEqual(['now', 'late']);
  });

  it('is opened again by a restart if it was open', async () => {
    await start(LATE);
    streams.demand('late');
    await streams.restart('late');
    expect(openNames()).toContain('late');
    await streams.restart('pub');
    expect(openNames()).not.toContain('pub');
  });
});

describe('selectInput', () => {
  beforeEach(async () => {
    await start(
      'stream a { input rtsp://user:secret@cam/1; input fake://; } stream off { static false; input fake://; }',
    );
  });

  it('accepts an index, an address as configured or as shown, or null', () => {
    const id = stage.opened[0]?.id;
    expect([
      selectInput(streams, 'a', 1),
      selectInput(streams, 'a', 'rtsp://user:secret@cam/1'),
      selectInput(streams, 'a', 'rtsp://***@cam/1'),
      selectInput(streams, 'a', null),
    ]).toEqual([1, 0, 0, null]);
    expect(stage.selected).toEqual([1, 0, 0, null].map((index) => ({ id, index })));
  });

  it.each([
    ['a', 2, 'input_not_found'],
    ['a', 'udp://239.0.0.1:1', 'input_not_found'],
    ['off', 0, 'stream_not_running'],
    ['none', 0, 'stream_not_found'],
  ])('refuses %s %s', (name, input, code) => {
    expect(() => selectInput(streams, name, input)).toThrow(expect.objectContaining({ code }));
    expect(stage.selected).toEqual([]);
  });
});

describe('the state of inputs', () => {
  const context = (): Parameters<typeof streamState>[1] => ({ nowMs: clock.now(), rtmpUrl: null, baseUrl: 'http://h' });

  it('shows the input on air and the phases of other inputs, without passwords', async () => {
    await start('stream a { input rtsp://user:secret@cam/1; input publish://; input fake://; }');
    const spec = stage.opened[0];
    const entry = streams.get('a');
    if (!spec || !entry) throw new Error('the stream is not there');
    expect(
      streamState(entry, context()).inputs.map(({ url, phase, is_active: isActive }) => [url, phase, isActive]),
    ).toEqual([
      ['rtsp://***@cam/1', 'standby', false],
      ['publish://', 'waiting', false],
      ['fake://', 'standby', false],
    ]);
    const status = stage.status(spec, { activeInput: 2, selectedInput: 2, inputSwitches: 4, lastUnitMs: clock.now() });
    streams.reports.status([
      {
        ...status,
        inputs: [
          {
            url: spec.inputs[0]?.url ?? '',
            priority: 1,
            phase: 'error',
            lastUnitMs: clock.now() - 5000,
            retryCount: 3,
            errorCount: 9,
            lastFault: { code: 'input_refused', detail: 'rtsp://user:secret@cam/1 said no', at: 7 },
          },
          ...status.inputs.slice(1),
        ],
      },
    ]);
    expect(streamState(entry, context())).toMatchObject({
      status: 'running',
      input_url: 'fake://',
      static: true,
      active_input: 2,
      selected_input: 2,
      backup_running: false,
      input_switches: 4,
      inputs: [
        {
          url: 'rtsp://***@cam/1',
          priority: 1,
          phase: 'error',
          is_active: false,
          ts_delay: 5000,
          retry_count: 3,
          error_count: 9,
          last_error: { code: 'input_refused', detail: 'rtsp://***@cam/1 said no', at: 7 },
        },
        { phase: 'running', ts_delay: null, last_error: null },
        { is_active: true },
      ],
    });
  });

  it.each([
    ['idle', 0, 'waiting'],
    ['opening', 0, 'waiting'],
    ['opening', 1, 'error'],
    ['error', 1, 'error'],
    ['running', 0, 'running'],
  ] as const)('gives the stream status for phase %s after %i attempts: %s', async (phase, retryCount, status) => {
    await start('stream a { input fake://; }');
    const spec = stage.opened[0];
    const entry = streams.get('a');
    if (!spec || !entry) throw new Error('the stream is not there');
    const lastUnitMs = phase === 'running' ? clock.now() : 0;
    streams.reports.status([stage.status(spec, { phase, retryCount, lastUnitMs })]);
    expect(streamState(entry, context()).status).toBe(status);
  });

  it('is logged at each change with event and error code', async () => {
    await start('stream a { input fake://; }');
    streams.reports.notice(stage.opened[0]?.id ?? 0, {
      event: 'input_lost',
      input: 'input 1',
      code: 'input_refused',
      detail: 'rtsp://u:p@h/x said no',
    });
    streams.reports.notice(4711, { event: 'stream_idle' });
    expect(lines).toEqual([
      {
        level: 'warn',
        message: 'an input was lost',
        fields: {
          stream: 'a',
          event: 'input_lost',
          input: 'input 1',
          from: undefined,
          code: 'input_refused',
          detail: 'rtsp://***@h/x said no',
        },
      },
    ]);
    expect([...streams.takeChanges().changed]).toEqual(['a']);
  });
});
