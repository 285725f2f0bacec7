import { describe, expect, it } from 'vitest';
import { PlayerHealth } from './player-health.ts';

const sample = (nowMs: number, change: object = {}): Parameters<PlayerHealth['check']>[0] => ({
  nowMs,
  position: nowMs / 1000,
  latency: 2,
  isPaused: false,
  ...change,
});

describe('PlayerHealth', () => {
  it('returns fine while playback is near the live edge', () => {
    const health = new PlayerHealth(0);
    expect([1000, 2000, 3000].map((now) => health.check(sample(now)))).toEqual(['fine', 'fine', 'fine']);
  });

  it('seeks to the live edge if playback is far behind, but not again soon', () => {
    const health = new PlayerHealth(0);
    health.check(sample(500));
    expect(health.check(sample(1000, { latency: 7 }))).toBe('seek-live');
    expect(health.check(sample(2000, { latency: 7 }))).toBe('fine');
    expect(health.check(sample(5000, { latency: 7 }))).toBe('seek-live');
  });

  it('first seeks and then rebuilds if the picture is frozen', () => {
    const health = new PlayerHealth(0);
    health.check(sample(500, { position: 4 }));
    health.check(sample(1000, { position: 5 }));
    const advice = [2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000].map((now) =>
      health.check(sample(now, { position: 5 })),
    );
    expect(advice).toEqual(['fine', 'fine', 'seek-live', 'fine', 'fine', 'fine', 'seek-live', 'rebuild']);
  });

  it('reports a frozen picture within 1.5 s, also if the audio continues', () => {
    const health = new PlayerHealth(0);
    expect(health.isFrozen(0)).toBe(true);
    for (let now = 250; now <= 2000; now += 250) health.check(sample(now, { pictures: now / 40 }));
    expect(health.isFrozen(2000)).toBe(false);
    for (let now = 2250; now <= 3000; now += 250) health.check(sample(now, { pictures: 50 }));
    expect([health.isFrozen(2750), health.isFrozen(3000), health.stuckMs(3000)]).toEqual([false, true, 0]);
    health.check(sample(3250, { pictures: 51 }));
    expect(health.isFrozen(3250)).toBe(false);
    expect(health.isFrozen(4250)).toBe(true);
  });

  it('accepts one picture per second, and reports a stream without a first picture', () => {
    const [slow, started] = [new PlayerHealth(0), new PlayerHealth(0)];
    for (let now = 0; now <= 9000; now += 250) {
      slow.check(sample(now, { pictures: Math.floor(now / 1000) }));
      started.check(sample(now, { pictures: 0 }));
      if (now >= 1250) expect([slow.isFrozen(now), started.isFrozen(now)]).toEqual([false, true]);
    }
  });

  it('does not count its own seek as progress', () => {
    const health = new PlayerHealth(0);
    health.check(sample(500, { position: 4 }));
    health.check(sample(1000, { position: 5 }));
    expect(health.check(sample(4000, { position: 5 }))).toBe('seek-live');
    health.jumped(40);
    expect(health.check(sample(5000, { position: 40 }))).toBe('fine');
    expect(health.stuckMs(5000)).toBe(4000);
    expect(health.check(sample(9000, { position: 40 }))).toBe('rebuild');
  });

  it('allows more time for a start, without seeking', () => {
    const health = new PlayerHealth(0);
    const advice = [1, 4, 9, 14, 16].map((second) => health.check(sample(second * 1000, { position: 0 })));
    expect(advice).toEqual(['fine', 'fine', 'fine', 'fine', 'rebuild']);
  });

  it('resumes an unexpected pause', () => {
    expect(new PlayerHealth(0).check(sample(1000, { isPaused: true }))).toBe('play');
  });
});
