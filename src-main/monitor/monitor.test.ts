import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import type { WrittenAlarm } from './alarm-rules.ts';
import { Alarms } from './alarms.ts';
import { Monitor, type WatchedStream } from './monitor.ts';

const START_MS = 1_000_000;
const GRACE_SECONDS = 15;
const NONE: readonly WrittenAlarm[] = [];

function written(kind: WrittenAlarm['kind'], more: Partial<WrittenAlarm> = {}): WrittenAlarm {
  return { kind, severity: null, raiseMs: null, clearMs: null, min: null, max: null, ...more };
}

class Stage {
  readonly clock = new FakeClock(START_MS);
  alarmsOfStream = NONE;
  shared = NONE;
  facts: Partial<WatchedStream> = {};
  isGiving = true;
  lastFrameMs = START_MS;
  /** Time of the media thread's last report; undefined means now. */
  knownMs: number | undefined;
  readonly alarms = new Alarms({
    now: () => this.clock.now(),
    newId: () => `${Math.random()}`,
    changed: () => undefined,
    happened: () => undefined,
  });
  readonly monitor = new Monitor({
    clock: this.clock,
    alarms: this.alarms,
    streams: () => [() => this.#stream()],
    shared: () => this.shared,
    server: () => [],
    failed: (error) => {
      throw error;
    },
  });

  #stream(): WatchedStream {
    if (this.isGiving) this.lastFrameMs = this.clock.now();
    return {
      knownMs: this.knownMs ?? this.clock.now(),
      lastErrorsMs: { all: this.clock.now(), continuity: this.clock.now(), clock: this.clock.now() },
      name: 'cam',
      isExpected: true,
      lastFrameMs: this.lastFrameMs,
      bitrateKbit: 2000,
      fps: 25,
      latencyMs: 500,
      format: 'h264 1280x720',
      leftOut: [],
      failingPushes: null,
      reserve: null,
      errorsPerSecond: 0,
      continuityErrorsPerSecond: 0,
      clockErrorsPerSecond: 0,
      isRecordingExpected: false,
      isRecording: false,
      content: null,
      lastSpliceMs: START_MS + GRACE_SECONDS * 1000,
      openedMs: START_MS,
      alarms: this.alarmsOfStream,
      ...this.facts,
    };
  }

  /** Advances the clock by seconds; the first call skips the grace period after the start. */
  async seconds(count: number): Promise<string[]> {
    const from = this.clock.now() === START_MS ? -GRACE_SECONDS : 0;
    for (let second = from; second < count; second++) {
      this.clock.advance(1000);
      await this.monitor.measure();
    }
    return this.alarms.list().map(({ alarm, severity, cleared_at: at }) => `${severity} ${alarm}${at ? ' over' : ''}`);
  }
}

describe('Monitor', () => {
  it('raises no alarm for a healthy stream', async () => {
    expect(await new Stage().seconds(20)).toEqual([]);
  });

  it('raises no_input after 5 s and clears it 2 s after frames return, by default', async () => {
    const stage = new Stage();
    await stage.seconds(5);
    stage.isGiving = false;
    expect(await stage.seconds(4)).toEqual([]);
    expect(await stage.seconds(1)).toEqual(['critical no_input']);
    stage.isGiving = true;
    expect(await stage.seconds(2)).toEqual(['critical no_input']);
    expect(await stage.seconds(1)).toEqual(['critical no_input over']);
  });

  it('raises no alarm in the first 15 s, while streams and encoders start', async () => {
    const stage = new Stage();
    stage.isGiving = false;
    for (let second = 0; second < GRACE_SECONDS; second++) {
      expect(stage.alarms.list()).toEqual([]);
      stage.clock.advance(1000);
      await stage.monitor.measure();
    }
    expect(await stage.seconds(1)).toEqual(['critical no_input']);
  });

  it('raises no alarm after a stall of the server, also soon after its start, except for streams without frames 15 s later', async () => {
    const stage = new Stage();
    await stage.seconds(20);
    stage.isGiving = false;
    stage.clock.stall(20_000);
    expect(await stage.seconds(14)).toEqual([]);
    expect(await stage.seconds(2)).toEqual(['critical no_input']);
    stage.isGiving = true;
    expect(await stage.seconds(3)).toEqual(['critical no_input over']);
    // A second stall within a minute has no grace period.
    stage.isGiving = false;
    stage.clock.stall(20_000);
    expect(await stage.seconds(1)).toEqual(['critical no_input']);
  });

  it.each<[string, Partial<WatchedStream>, readonly WrittenAlarm[], string]>([
    ['bitrate', { bitrateKbit: 400 }, [written('bitrate', { min: 500 })], 'major bitrate'],
    ['bitrate', { bitrateKbit: 9000 }, [written('bitrate', { max: 8000, severity: 'info' })], 'info bitrate'],
    ['frame rate', { fps: 12 }, [written('frame_rate', { min: 24, max: 26 })], 'major frame_rate'],
    ['errors', { errorsPerSecond: 0.2 }, [written('stream_errors')], 'major stream_errors'],
    ['continuity errors', { continuityErrorsPerSecond: 0.2 }, [written('continuity')], 'major continuity'],
    ['late clocks', { clockErrorsPerSecond: 3 }, [written('pcr', { max: 2 })], 'info pcr'],
    ['latency', { latencyMs: 3100 }, [written('latency')], 'major latency'],
    ['a codec', { leftOut: [{ codec: 'MPEG-2 video' }] }, [], 'major codec'],
    ['an encrypted track', { leftOut: [{ codec: 'H.264', isEncrypted: true }] }, [], 'major codec'],
    ['a reserve', { reserve: { input: 2, main: 1, count: 2 } }, [], 'major reserve'],
    [
      'a push',
      { failingPushes: { failed: 1, count: 2, url: 'rtmp://192.0.2.1/live/***', code: 'push_refused' } },
      [],
      'major push',
    ],
    ['recording', { isRecordingExpected: true }, [], 'critical recording_stopped'],
    ['SCTE-35', {}, [written('missing_scte35', { raiseMs: 10_000 })], 'major missing_scte35'],
  ])('raises the alarm for %s', async (_what, facts, alarms, expected) => {
    const stage = new Stage();
    stage.alarmsOfStream = alarms;
    expect(await stage.seconds(3)).toEqual([]);
    stage.facts = facts;
    expect(await stage.seconds(12)).toEqual([expected]);
    stage.alarmsOfStream = [...alarms, ...['no_input', 'recording_stopped'].map((kind) => written(kind as 'bitrate'))];
    stage.facts = { bitrateKbit: 1000, leftOut: [], reserve: null, lastSpliceMs: stage.clock.now() + 10_000 };
    expect(await stage.seconds(12)).toEqual([`${expected} over`]);
  });

  it('raises no alarm for a short burst of errors, although their rate covers some seconds', async () => {
    const stage = new Stage();
    stage.shared = (['stream_errors', 'continuity', 'pcr'] as const).map((kind) => written(kind));
    const atMs = stage.clock.now();
    stage.facts = {
      errorsPerSecond: 0.7,
      continuityErrorsPerSecond: 0.7,
      clockErrorsPerSecond: 0.3,
      lastErrorsMs: { all: atMs, continuity: atMs, clock: atMs },
    };
    expect(await stage.seconds(5)).toEqual([]);
  });

  it('raises no alarm if a thread reports late, but raises no_input if it stops for long', async () => {
    const stage = new Stage();
    await stage.seconds(5);
    stage.isGiving = false;
    stage.knownMs = stage.clock.now();
    expect(await stage.seconds(9)).toEqual([]);
    stage.knownMs += 6000;
    expect(await stage.seconds(1)).toEqual(['critical no_input']);
  });

  it('raises a change of format once, with both formats', async () => {
    const stage = new Stage();
    stage.shared = [written('format_change', { clearMs: 5000 })];
    await stage.seconds(5);
    stage.facts = { format: 'h264 640x360' };
    expect(await stage.seconds(1)).toEqual(['info format_change']);
    expect(stage.alarms.list()[0]?.detail).toBe('The format was h264 1280x720 and is now h264 640x360');
    expect(await stage.seconds(9)).toEqual(['info format_change over']);
  });

  it('applies the rules of a stream before shared rules, and clears disabled alarms', async () => {
    const stage = new Stage();
    stage.shared = [written('no_input', { severity: 'major', raiseMs: 1000 })];
    stage.isGiving = false;
    expect(await stage.seconds(3)).toEqual(['major no_input']);
    stage.alarmsOfStream = [written('no_input', { severity: 'off' })];
    expect(await stage.seconds(1)).toEqual(['major no_input over']);
  });

  it('measures 1000 streams in one round', async () => {
    const stage = new Stage();
    const facts = { ...stage.facts };
    const many = new Monitor({
      clock: stage.clock,
      alarms: stage.alarms,
      shared: () => NONE,
      server: () => [],
      streams: () =>
        Array.from({ length: 1000 }, (_, index) => () => ({
          name: `s${index}`,
          isExpected: true,
          lastFrameMs: 0,
          bitrateKbit: 0,
          fps: null,
          format: '',
          leftOut: [],
          failingPushes: null,
          reserve: null,
          errorsPerSecond: 0,
          continuityErrorsPerSecond: 0,
          clockErrorsPerSecond: 0,
          isRecordingExpected: false,
          isRecording: false,
          lastSpliceMs: 0,
          openedMs: 0,
          knownMs: stage.clock.now(),
          lastErrorsMs: { all: 0, continuity: 0, clock: 0 },
          alarms: NONE,
          content: null,
          latencyMs: null,
          ...facts,
        })),
      failed: () => undefined,
    });
    stage.clock.advance(GRACE_SECONDS * 1000);
    await many.measure();
    expect(stage.alarms.list()).toHaveLength(1000);
  });
});
