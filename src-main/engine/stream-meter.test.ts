import { because } from '../../src-preload/contract/explanations/explanations.ts';
import { describe, expect, it } from 'vitest';
import { FailoverStage, type StagedInput } from '../../tests/helpers/failover-stage.ts';
import { madeAudio, madeVideo } from '../../tests/helpers/made-input.ts';
import type { InputSink } from '../ingest/input.ts';
import { leftOutProblem } from '../media/left-out.ts';
import { SEGMENTER_DEFAULTS } from '../segment/segmenter-options.ts';
import { StreamHub } from '../stream/stream-hub.ts';
import type { StreamMeasurements } from './messages.ts';
import { ProblemLog } from './problem-log.ts';
import { StreamMeter } from './stream-meter.ts';

/** A meter over simulated inputs and the hub that they feed. */
function meterOf(inputs: readonly StagedInput[], options: { readonly retryLimit?: number } = {}) {
  const stage = new FailoverStage(inputs, options);
  const problems = new ProblemLog();
  const hub = new StreamHub(stage.clock, () => undefined);
  const spec = {
    id: 7,
    name: 'news',
    segmenter: SEGMENTER_DEFAULTS,
    inputs: inputs.flatMap(({ kind, priority }, index) =>
      kind === 'backup'
        ? []
        : [
            {
              url: `${kind}://${index}`,
              priority: priority ?? index + 1,
              framesTimeoutMs: 3000,
              sourceTimeoutMs: 20_000,
              options: {},
            },
          ],
    ),
    retryLimit: options.retryLimit ?? null,
    endMs: 0,
    resume: { nextMsn: 0, nextInitId: 0, isContinuation: false },
  };
  const meter = new StreamMeter(spec, hub, stage.failover, problems);
  return { stage, problems, hub, meter, measure: (): StreamMeasurements => meter.measure(stage.clock.now()) };
}

describe('the phase of a stream', () => {
  it('is opening, then running, then lost, then an error while all inputs wait for their next attempt', () => {
    const { stage, measure } = meterOf([{ kind: 'pull' }, { kind: 'pull' }]);
    expect(measure()).toMatchObject({ phase: 'idle', activeInput: null, startedMs: 0 });
    stage.failover.start();
    expect(measure().phase).toBe('opening');
    stage.fedInput(0).isOnline = true;
    stage.run(1000);
    const running = measure();
    expect(running).toMatchObject({ id: 7, phase: 'running', activeInput: 0, selectedInput: null, inputSwitches: 0 });
    expect(running.startedMs).toBeGreaterThan(0);
    expect(running.inputs).toMatchObject([
      { url: 'pull://0', priority: 1, phase: 'running', errorCount: 0 },
      { url: 'pull://1', priority: 2, phase: 'standby', errorCount: 0 },
    ]);
    expect(running.inputs[0]).not.toHaveProperty('lastFault');
    stage.fedInput(0).isOnline = false;
    stage.end(0);
    const lost = measure();
    expect(lost).toMatchObject({ phase: 'error', activeInput: 0 });
    expect(lost.inputs[0]).toMatchObject({ phase: 'error', errorCount: 1, lastFault: { code: 'input_ended' } });
    stage.fedInput(1).isOnline = true;
    stage.failover.select(stage.failover.inputs[1]);
    stage.run(2000);
    expect(measure()).toMatchObject({ phase: 'running', activeInput: 1, selectedInput: 1, inputSwitches: 1 });
  });

  it('is idle while waiting for an encoder, and includes the connected publisher', () => {
    const { stage, measure } = meterOf([{ kind: 'publish' }]);
    stage.failover.start();
    expect(measure()).toMatchObject({ phase: 'idle', inputs: [{ phase: 'waiting' }] });
    expect(measure()).not.toHaveProperty('publisher');
    stage.fedInput(0).isOnline = true;
    stage.publish(0);
    expect(measure()).toMatchObject({ phase: 'opening', publisher: 'encoder' });
    stage.run(1000);
    expect(measure()).toMatchObject({ phase: 'running', publisher: 'encoder' });
  });

  it('is running without an active input while the backup is on air', () => {
    const { stage, measure } = meterOf([{ kind: 'pull' }, { kind: 'backup' }]);
    stage.fedInput(1).isOnline = true;
    stage.failover.start();
    stage.run(10_000);
    expect(measure()).toMatchObject({ phase: 'running', isBackupOnAir: true, activeInput: null });
  });
});

describe('tracks omitted from a stream', () => {
  const report = (sink: InputSink | undefined, content: 'video' | 'audio', codec: string): void => {
    sink?.problem(leftOutProblem(content, codec, because('place_pid', { pid: 256 })));
  };

  it('are listed until another track of their kind arrives or the connection ends', () => {
    const { stage, measure } = meterOf([{ kind: 'pull' }]);
    stage.failover.start();
    const { sink } = stage.fedInput(0);
    report(sink, 'video', 'MPEG-2 video');
    report(sink, 'audio', 'aac_latm');
    report(sink, 'audio', 'aac_latm');
    const [video, audio] = [
      { content: 'video', codec: 'MPEG-2 video' },
      { content: 'audio', codec: 'AAC in LATM' },
    ];
    // No input is on air.
    expect(measure().leftOut).toEqual([video, audio]);
    sink?.tracks([madeAudio()]);
    sink?.tracks([{ ...madeAudio(), language: 'deu' }]);
    expect(measure().leftOut).toEqual([video, audio]);
    sink?.tracks([madeVideo(), madeAudio()]);
    expect(measure().leftOut).toEqual([audio]);
    report(sink, 'video', 'AV1');
    expect(measure().leftOut).toEqual([audio, { content: 'video', codec: 'AV1' }]);
    stage.end(0);
    stage.run(2000);
    expect(stage.fedInput(0).opens).toHaveLength(2);
    expect(measure().leftOut).toEqual([]);
  });

  it('include scrambled tracks until they are clear', () => {
    const { stage, measure } = meterOf([{ kind: 'pull' }]);
    stage.failover.start();
    const { sink } = stage.fedInput(0);
    const left = { content: 'video', codec: 'H.264', isEncrypted: true } as const;
    sink?.tracks([madeAudio()]);
    sink?.problem({ code: 'ts_scrambled', ...because('ts_pid_scrambled', { pid: 256 }), leftOut: [left] });
    expect(measure().leftOut).toEqual([left]);
    sink?.tracks([madeVideo(), madeAudio()]);
    expect(measure().leftOut).toEqual([]);
  });

  it('are those of the input on air', () => {
    const { stage, measure } = meterOf([{ kind: 'pull' }, { kind: 'pull' }]);
    stage.failover.start();
    report(stage.fedInput(0).sink, 'video', 'MPEG-2 video');
    stage.fedInput(1).isOnline = true;
    stage.failover.select(stage.failover.inputs[1]);
    stage.run(2000);
    expect(measure()).toMatchObject({ activeInput: 1, leftOut: [] });
    report(stage.fedInput(1).sink, 'audio', 'aac_latm');
    expect(measure().leftOut).toEqual([{ content: 'audio', codec: 'AAC in LATM' }]);
  });
});

describe('the measurements of a stream', () => {
  const second = 90_000;

  it('include rates of each track over three seconds, which restart when the tracks change', () => {
    const { stage, hub, meter, measure } = meterOf([{ kind: 'pull' }]);
    const fromTicks = 10 * second;
    hub.tracks([madeVideo(), madeAudio()]);
    const play = (count: number, from: number): void => {
      for (let frame = 0; frame < count; frame++) {
        const dtsTicks = fromTicks + (from + frame) * (second / 25);
        hub.accessUnit({ trackId: 'v1', dtsTicks, ptsTicks: dtsTicks, isRandomAccess: true, data: Buffer.alloc(1000) });
        stage.clock.advance(40);
      }
    };
    expect(measure().tracks.map(({ track, rate, bitrate }) => [track.id, rate, bitrate])).toEqual([
      ['v1', 0, 0],
      ['a1', 0, 0],
    ]);
    for (let passed = 0; passed < 5; passed++) {
      play(25, passed * 25);
      measure();
    }
    expect(measure().tracks.map(({ track, rate, bitrate }) => [track.id, rate, bitrate])).toEqual([
      ['v1', 25, 200_000],
      ['a1', 0, 0],
    ]);
    expect(measure().lastUnitMs).toBe(stage.clock.now() - 40);
    meter.reset();
    expect(measure().tracks.map(({ rate, bitrate }) => [rate, bitrate])).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it('include faults per second and received bytes', () => {
    const { stage, problems, meter, measure } = meterOf([{ kind: 'pull' }]);
    measure();
    for (let passed = 0; passed < 3; passed++) {
      for (let count = 0; count < 4; count++)
        problems.add({ code: 'pes_damaged', detail: 'no start code' }, stage.clock.now());
      for (const code of ['ts_continuity', 'ts_pcr_late', 'ts_pcr_jump'])
        problems.add({ code, detail: '' }, stage.clock.now());
      meter.bytesIn += 500;
      stage.clock.advance(1000);
      measure();
    }
    const lastMs = stage.clock.now() - 1000;
    expect(measure()).toMatchObject({
      errorsPerSecond: 5,
      continuityErrorsPerSecond: 1,
      clockErrorsPerSecond: 2,
      lastErrorsMs: { all: lastMs, continuity: lastMs, clock: lastMs },
      bytesIn: 1500,
      problems: [{ code: 'ts_pcr_jump', count: 3 }, { code: 'ts_pcr_late' }, { code: 'ts_continuity' }, { count: 12 }],
    });
  });
});
