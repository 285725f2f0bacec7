import { describe, expect, it } from 'vitest';
import { FailoverStage, FRAME_MS, type StagedInput } from '../../tests/helpers/failover-stage.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { Failover } from './failover.ts';

const TWO: readonly StagedInput[] = [{ kind: 'pull' }, { kind: 'pull' }];

/** Stage whose first input has been on air for a while. */
function onAir(
  inputs: readonly StagedInput[],
  options: ConstructorParameters<typeof FailoverStage>[1] = {},
): FailoverStage {
  const stage = new FailoverStage(inputs, options);
  for (const fedInput of stage.fedInputs) fedInput.isOnline = fedInput.kind !== 'publish';
  stage.failover.start();
  stage.run(20_000);
  expect(stage.onAir).toBe(0);
  return stage;
}

describe('Failover', () => {
  it('opens only the best input, and the next input if the best one has no frames in time', () => {
    const stage = new FailoverStage([
      { kind: 'pull', priority: 7 },
      { kind: 'pull', priority: 3 },
      { kind: 'pull', priority: 5 },
    ]);
    stage.fedInput(2).isOnline = true;
    stage.failover.start();
    expect(stage.fedInputs.map(({ open }) => open)).toEqual([0, 1, 0]);
    stage.run(2800);
    expect(stage.fedInputs.map(({ open }) => open)).toEqual([0, 1, 0]);
    stage.run(400);
    expect(stage.fedInputs.map(({ open }) => open)).toEqual([0, 1, 1]);
    expect(stage.onAir).toBe(2);
    expect(stage.failover.switches).toBe(0);
  });

  it('skips a quarantined input until its quarantine ends or it is selected', () => {
    const quarantinedStage = (): FailoverStage => {
      const stage = new FailoverStage([{ kind: 'pull', heldMs: 60_000 }, { kind: 'pull' }]);
      for (const fedInput of stage.fedInputs) fedInput.isOnline = true;
      stage.failover.start();
      stage.run(5000);
      expect([stage.onAir, stage.fedInput(0).opens, stage.failover.inputs[0]?.phase]).toEqual([1, [], 'error']);
      expect(stage.failover.inputs[0]?.lastFault?.code).toBe('input_quarantined');
      return stage;
    };
    const patient = quarantinedStage();
    patient.run(60_000);
    expect([patient.fedInput(0).opens.length, patient.onAir]).toEqual([1, 1]);
    const chosen = quarantinedStage();
    chosen.failover.select(chosen.failover.inputs[0]);
    chosen.run(2000);
    expect(chosen.onAir).toBe(0);
  });

  it('switches when the frames stop, and reports it', () => {
    const stage = onAir(TWO);
    stage.fedInput(0).isOnline = false;
    const lostMs = stage.nowMs;
    stage.run(2900);
    expect(stage.onAir).toBe(0);
    stage.run(500);
    expect(stage.onAir).toBe(1);
    expect(stage.failover.switches).toBe(1);
    const after = stage.calls.filter(({ atMs }) => atMs > lostMs).map(({ what }) => what);
    expect(after.slice(0, 3)).toEqual(['switched', 'tracks', 'frame']);
    expect(stage.story.slice(-2)).toEqual(['frames_timed_out input 1', 'input_switched input 2']);
    expect(stage.problems).toEqual(['input_stalled input 1: No frames for 3.3 s']);
    // The silent connection stays open in case it recovers.
    expect(stage.fedInput(0).open).toBe(1);
  });

  it('does not mistake its own stall for silence of an input', () => {
    const stage = onAir([...TWO, { kind: 'backup' }]);
    stage.stall(8000, 'frames');
    stage.run(2000);
    stage.stall(8000, 'clock');
    stage.run(2000);
    expect(stage.story).toEqual(['input_switched input 1']);
    expect(stage.fedInput(0).opens).toHaveLength(1);
    // Silence of another input is measured only after the stall.
    stage.fedInput(0).isOnline = false;
    stage.stall(8000, 'clock');
    stage.run(2000);
    expect(stage.story).toEqual(['input_switched input 1']);
    stage.run(1500);
    expect(stage.story).toContain('frames_timed_out input 1');
  });

  it('switches at once when the connection of a pull input ends', () => {
    const stage = onAir(TWO);
    stage.fedInput(0).isOnline = false;
    stage.end(0);
    stage.run(80);
    expect(stage.onAir).toBe(1);
    expect(stage.calls.some(({ what }) => what === 'idle')).toBe(false);
  });

  it('reconnects to the better input in parallel, and returns after it was steady for ten seconds', () => {
    const stage = onAir(TWO);
    stage.fedInput(0).isOnline = false;
    stage.end(0);
    stage.run(30_000);
    expect(stage.onAir).toBe(1);
    expect(stage.fedInput(0).opens.length).toBeGreaterThan(1);
    stage.fedInput(0).isOnline = true;
    const backMs = stage.nowMs;
    stage.run(9900);
    expect(stage.onAir).toBe(1);
    stage.run(1500);
    expect(stage.onAir).toBe(0);
    // No frame is missing.
    expect(stage.longestGapMs(backMs, stage.nowMs)).toBe(FRAME_MS);
    stage.run(500);
    expect(stage.fedInput(1).open).toBe(0);
    expect(stage.failover.inputs[1]?.phase).toBe('standby');
  });

  it('does not return to an input that fails again and again', () => {
    const stage = onAir(TWO);
    stage.fedInput(0).isOnline = false;
    stage.run(4000);
    for (let round = 0; round < 10; round++) {
      stage.fedInput(0).isOnline = true;
      stage.run(8000);
      stage.fedInput(0).isOnline = false;
      stage.run(4000);
    }
    expect(stage.failover.switches).toBe(1);
  });

  it('keeps a silent input that recovers before another input is ready', () => {
    const stage = onAir(TWO);
    stage.fedInput(0).isOnline = false;
    stage.fedInput(1).isOnline = false;
    stage.run(4000);
    stage.fedInput(0).isOnline = true;
    stage.run(500);
    expect(stage.onAir).toBe(0);
    expect(stage.calls.some(({ what }) => what === 'switched' || what === 'idle' || what === 'rejoined')).toBe(false);
    expect(stage.story.slice(-2)).toEqual(['frames_timed_out input 1', 'frames_restored input 1']);
    expect(stage.fedInput(1).open).toBe(0);
  });

  it('closes a silent connection after its source timeout, and opens a new one', () => {
    const stage = onAir([{ kind: 'pull', framesTimeoutMs: 3000, sourceTimeoutMs: 8000 }]);
    stage.fedInput(0).isOnline = false;
    stage.run(8500);
    expect(stage.calls.at(-1)?.what).toBe('idle');
    expect(stage.failover.inputs[0]?.lastFault?.code).toBe('input_timed_out');
    stage.run(1000);
    expect(stage.fedInput(0).opens).toHaveLength(2);
    expect(stage.failover.retryCount).toBe(1);
    stage.fedInput(0).isOnline = true;
    stage.run(1000);
    expect(stage.onAir).toBe(0);
    expect(stage.failover.retryCount).toBe(0);
    expect(stage.story.slice(-3)).toEqual(['input_lost input 1', 'stream_idle input 1', 'input_restored input 1']);
  });

  it('increases the retry delay after each failure, and resets it after a steady run', () => {
    const stage = onAir([{ kind: 'pull' }]);
    const fedInput = stage.fedInput(0);
    stage.onStep = () => {
      if (fedInput.open > 0 && !fedInput.isOnline) stage.end(0);
    };
    fedInput.isOnline = false;
    const fromMs = stage.nowMs;
    stage.run(120_000);
    const waits = fedInput.opens
      .filter((atMs) => atMs > fromMs)
      .map((atMs, index, all) => Math.round((atMs - (all[index - 1] ?? fromMs)) / 1000));
    expect(waits).toEqual([1, 2, 4, 8, 15, 15, 15, 15, 15, 15]);
    expect(stage.story.filter((line) => line === 'input_lost input 1')).toHaveLength(1);
    fedInput.isOnline = true;
    stage.run(30_000);
    fedInput.isOnline = false;
    const lostMs = stage.nowMs;
    stage.run(2000);
    expect((fedInput.opens.at(-1) ?? 0) - lostMs).toBeLessThan(1300);
  });

  it('gives up an input after the maximum number of attempts, until it is selected', () => {
    const stage = onAir([{ kind: 'pull' }], { retryLimit: 3 });
    const fedInput = stage.fedInput(0);
    fedInput.isOnline = false;
    stage.onStep = () => {
      if (fedInput.open > 0 && !fedInput.isOnline) stage.end(0);
    };
    stage.run(120_000);
    expect(fedInput.opens).toHaveLength(4);
    expect(stage.failover.inputs[0]?.phase).toBe('given_up');
    fedInput.isOnline = true;
    stage.run(60_000);
    expect(fedInput.opens).toHaveLength(4);
    stage.failover.select(stage.failover.inputs[0]);
    stage.run(100);
    expect(stage.onAir).toBe(0);
  });

  it('closes an input that ended during its creation, and never starts it', () => {
    const clock = new FakeClock();
    const calls: string[] = [];
    const silent = (): void => {};
    const failover = new Failover({
      clock,
      inputs: [
        {
          label: 'input 1',
          priority: 1,
          framesTimeoutMs: 3000,
          sourceTimeoutMs: 20_000,
          make: (sink) => {
            calls.push('made');
            sink.ended({ code: 'input_ended', detail: 'over before it began' });
            return { start: () => calls.push('started'), close: () => Promise.resolve(void calls.push('closed')) };
          },
        },
      ],
      retryLimit: 1,
      output: {
        tracks: silent,
        accessUnit: silent,
        splice: silent,
        problem: silent,
        inputSwitched: silent,
        inputRejoined: silent,
        inputEnded: silent,
      },
      received: silent,
      notice: silent,
    });
    failover.start();
    expect(calls).toEqual(['made', 'closed']);
    clock.advance(5000);
    expect(calls).toEqual(['made', 'closed', 'made', 'closed']);
  });

  it('reports the reason if an input cannot be opened', () => {
    const stage = new FailoverStage([{ kind: 'pull' }]);
    stage.failover.start();
    stage.end(0, 'input_refused');
    expect(stage.failover.inputs[0]?.lastFault).toMatchObject({
      code: 'input_refused',
      detail: 'the other side ended it',
    });
    expect(stage.notices[0]).toMatchObject({ event: 'input_lost', input: 'input 1', code: 'input_refused' });
  });

  it('switches at once when a connection ends, and reports the stream as lost until then', () => {
    const stage = onAir([{ kind: 'pull', framesTimeoutMs: 60_000 }, { kind: 'pull' }]);
    const lostMs = stage.nowMs;
    stage.end(0, 'input_ended');
    expect([stage.failover.isLost, stage.failover.inputs[0]?.phase]).toEqual([true, 'error']);
    stage.run(480);
    expect([stage.failover.isLost, stage.onAir]).toEqual([false, 1]);
    expect(stage.notices.find(({ event, atMs }) => event === 'input_switched' && atMs > lostMs)?.atMs).toBeLessThan(
      lostMs + 500,
    );
  });

  describe('with a publisher', () => {
    const inputs: readonly StagedInput[] = [{ kind: 'publish' }, { kind: 'pull' }];

    it('shows the next input until a publisher connects, and again as soon as the publisher disconnects', () => {
      const stage = new FailoverStage(inputs);
      stage.fedInput(0).isOnline = stage.fedInput(1).isOnline = true;
      stage.failover.start();
      stage.run(100);
      expect(stage.onAir).toBe(1);
      stage.publish(0);
      stage.run(100);
      expect(stage.onAir).toBe(0);
      stage.run(60_000);
      expect(stage.fedInput(1).open).toBe(0);
      const lostMs = stage.nowMs;
      stage.end(0, 'publish_closed');
      expect(stage.publishersGone).toBe(1);
      expect(stage.fedInput(1).open).toBe(1);
      stage.run(480);
      expect(stage.onAir).toBe(1);
      const first = stage.calls.find(({ what, atMs }) => /^frame/.test(what) && atMs > lostMs);
      expect(first?.atMs).toBeLessThanOrEqual(lostMs + 500);
      expect(stage.calls.some(({ what }) => what === 'idle')).toBe(false);
    });

    it('keeps a publisher that reconnects before any other input has frames', () => {
      const stage = onAirWithEncoder(inputs);
      stage.fedInput(1).isOnline = false;
      stage.end(0, 'publish_closed');
      stage.run(2000);
      stage.publish(0);
      stage.run(5000);
      expect(stage.onAir).toBe(0);
      expect(stage.failover.switches).toBe(0);
      expect(stage.calls.filter(({ what }) => what === 'rejoined')).toHaveLength(1);
      expect(stage.fedInput(1).open).toBe(0);
    });

    it('delays a publisher that was lost twice within a minute', () => {
      const stage = onAirWithEncoder(inputs);
      for (let round = 0; round < 2; round++) {
        stage.end(0, 'publish_closed');
        stage.run(5000);
        expect(stage.onAir).toBe(1);
        stage.publish(0);
        stage.run(2000);
      }
      expect(stage.onAir).toBe(1);
      stage.run(9500);
      expect(stage.onAir).toBe(0);
    });

    it('replaces the current publisher by a new one', () => {
      const stage = onAirWithEncoder(inputs);
      stage.publish(0);
      expect(stage.fedInput(0).open).toBe(1);
      expect(stage.publishersGone).toBe(0);
      stage.run(1000);
      expect(stage.onAir).toBe(0);
    });

    it('disconnects a silent publisher', () => {
      const stage = onAirWithEncoder([{ kind: 'publish', sourceTimeoutMs: 10_000 }]);
      stage.fedInput(0).isOnline = false;
      stage.run(10_500);
      expect(stage.fedInput(0).open).toBe(0);
      expect(stage.publishersGone).toBe(1);
      expect(stage.failover.inputs[0]?.phase).toBe('waiting');
      expect(stage.calls.at(-1)?.what).toBe('idle');
    });

    it('ends open segments five seconds after the publisher has left', () => {
      const stage = onAirWithEncoder([{ kind: 'publish' }]);
      stage.end(0, 'publish_closed');
      stage.run(4900);
      expect(stage.calls.at(-1)?.what).toBe('frame');
      stage.run(400);
      expect(stage.calls.at(-1)?.what).toBe('idle');
      stage.publish(0);
      stage.run(100);
      // The stream was idle, so the next unit is a discontinuity anyway.
      expect(stage.calls.map(({ what }) => what)).not.toContain('rejoined');
    });

    function onAirWithEncoder(stagedInputs: readonly StagedInput[]): FailoverStage {
      const stage = new FailoverStage(stagedInputs);
      for (const fedInput of stage.fedInputs) fedInput.isOnline = true;
      stage.failover.start();
      stage.publish(0);
      stage.run(60_000);
      expect(stage.onAir).toBe(0);
      return stage;
    }
  });

  describe('a selected input', () => {
    it('goes on air at its next random access point and stays on air', () => {
      const stage = onAir(TWO);
      const fromMs = stage.nowMs;
      stage.failover.select(stage.failover.inputs[1]);
      stage.run(1500);
      expect(stage.onAir).toBe(1);
      expect(stage.longestGapMs(fromMs, stage.nowMs)).toBe(FRAME_MS);
      stage.run(60_000);
      expect(stage.onAir).toBe(1);
      expect(stage.failover.switches).toBe(1);
      expect(stage.story).toContain('input_selected input 2');
    });

    it('is replaced when it fails, and returns like the best input', () => {
      const stage = onAir(TWO);
      stage.failover.select(stage.failover.inputs[1]);
      stage.run(20_000);
      stage.fedInput(1).isOnline = false;
      stage.run(5000);
      expect(stage.onAir).toBe(0);
      stage.fedInput(1).isOnline = true;
      stage.run(5000);
      expect(stage.onAir).toBe(0);
      stage.run(7000);
      expect(stage.onAir).toBe(1);
    });

    it('returns to air when it has frames, if it was silent when selected', () => {
      const stage = onAir(TWO);
      stage.fedInput(0).isOnline = false;
      stage.run(1000);
      stage.failover.select(stage.failover.inputs[0]);
      stage.run(9000);
      expect(stage.onAir).toBe(1);
      stage.fedInput(0).isOnline = true;
      stage.run(1500);
      expect(stage.onAir).toBe(0);
    });

    it('is replaced by the best input when the selection is cleared', () => {
      const stage = onAir(TWO);
      stage.failover.select(stage.failover.inputs[1]);
      stage.run(20_000);
      stage.failover.select(undefined);
      stage.run(9000);
      expect(stage.onAir).toBe(1);
      stage.run(3000);
      expect(stage.onAir).toBe(0);
    });

    it('does not interrupt the output while it has no frames', () => {
      const stage = onAir(TWO);
      stage.fedInput(1).isOnline = false;
      stage.failover.select(stage.failover.inputs[1]);
      const fromMs = stage.nowMs;
      stage.run(30_000);
      expect(stage.onAir).toBe(0);
      expect(stage.longestGapMs(fromMs, stage.nowMs)).toBe(FRAME_MS);
    });
  });

  describe('a backup file', () => {
    const inputs: readonly StagedInput[] = [{ kind: 'pull' }, { kind: 'pull' }, { kind: 'backup' }];

    it('plays when all inputs are lost, and stops when an input returns', () => {
      const stage = onAir(inputs, { backupAfterMs: 5000 });
      stage.fedInput(0).isOnline = stage.fedInput(1).isOnline = false;
      const lostMs = stage.nowMs;
      stage.run(4900);
      expect(stage.fedInput(2).open).toBe(0);
      stage.run(700);
      expect(stage.onAir).toBe(2);
      expect(stage.failover.isBackupOnAir).toBe(true);
      expect(stage.calls.find(({ what, atMs }) => what === 'frame' && atMs > lostMs)?.atMs).toBeLessThan(lostMs + 5600);
      stage.run(60_000);
      stage.fedInput(1).isOnline = true;
      stage.run(20_000);
      expect(stage.onAir).toBe(1);
      expect(stage.fedInput(2).open).toBe(0);
      expect(stage.story).toContain('backup_started backup');
      expect(stage.story).toContain('backup_stopped backup');
    });

    it('plays from the start if no input ever connects', () => {
      const stage = new FailoverStage([{ kind: 'publish' }, { kind: 'backup' }], { backupAfterMs: 2000 });
      stage.fedInput(1).isOnline = true;
      stage.failover.start();
      stage.run(3000);
      expect(stage.onAir).toBe(1);
      stage.fedInput(0).isOnline = true;
      stage.publish(0);
      stage.run(100);
      expect(stage.onAir).toBe(0);
    });
  });

  it('closes all inputs, and emits nothing afterwards', async () => {
    const stage = onAir([{ kind: 'pull' }, { kind: 'pull' }, { kind: 'backup' }]);
    stage.fedInput(0).isOnline = false;
    stage.run(10_000);
    await stage.failover.close();
    expect(stage.fedInputs.map(({ open }) => open)).toEqual([0, 0, 0]);
    const { length } = stage.calls;
    stage.run(5000);
    expect(stage.calls).toHaveLength(length);
  });
});
