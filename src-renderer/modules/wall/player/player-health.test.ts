import { describe, expect, it } from 'vitest';
import { PlayerHealth } from './player-health.ts';

const sample = (nowMs: number, change: object = {}): Parameters<PlayerHealth['check']>[0] => ({
  nowMs,
  position: nowMs / 1000,
  latency: 2,
  isPaused: false,
  ...change,
});

describe('watch over a player', () => {
  it('leaves a player alone that plays near the edge', () => {
    const health = new PlayerHealth(0);
    expect([1000, 2000, 3000].map((now) => health.check(sample(now)))).toEqual(['fine', 'fine', 'fine']);
  });

  it('jumps to the edge when it is far behind, but not again at once', () => {
    const health = new PlayerHealth(0);
    health.check(sample(500));
    expect(health.check(sample(1000, { latency: 7 }))).toBe('seek-live');
    expect(health.check(sample(2000, { latency: 7 }))).toBe('fine');
    expect(health.check(sample(5000, { latency: 7 }))).toBe('seek-live');
  });

  it('first seeks and then builds anew when the picture stands still', () => {
    const health = new PlayerHealth(0);
    health.check(sample(500, { position: 4 }));
    health.check(sample(1000, { position: 5 }));
    const advice = [2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000].map((now) =>
      health.check(sample(now, { position: 5 })),
    );
    expect(advice).toEqual(['fine', 'fine', 'seek-live', 'fine', 'fine', 'fine', 'seek-live', 'rebuild']);
  });

  it('says of a picture that it stands within a second and a half, also where the sound goes on', () => {
    const health = new PlayerHealth(0);
    expect(health.isStanding(0)).toBe(true);
    for (let now = 250; now <= 2000; now += 250) health.check(sample(now, { pictures: now / 40 }));
    expect(health.isStanding(2000)).toBe(false);
    for (let now = 2250; now <= 3000; now += 250) health.check(sample(now, { pictures: 50 }));
    expect([health.isStanding(2750), health.isStanding(3000), health.stuckMs(3000)]).toEqual([false, true, 0]);
    health.check(sample(3250, { pictures: 51 }));
    expect(health.isStanding(3250)).toBe(false);
    expect(health.isStanding(4250)).toBe(true);
  });

  it('leaves a stream alone that has a picture a second, and says of one without its first picture that it stands', () => {
    const [slow, started] = [new PlayerHealth(0), new PlayerHealth(0)];
    for (let now = 0; now <= 9000; now += 250) {
      slow.check(sample(now, { pictures: Math.floor(now / 1000) }));
      started.check(sample(now, { pictures: 0 }));
      if (now >= 1250) expect([slow.isStanding(now), started.isStanding(now)]).toEqual([false, true]);
    }
  });

  it('does not take its own jump for a movement', () => {
    const health = new PlayerHealth(0);
    health.check(sample(500, { position: 4 }));
    health.check(sample(1000, { position: 5 }));
    expect(health.check(sample(4000, { position: 5 }))).toBe('seek-live');
    health.jumped(40);
    expect(health.check(sample(5000, { position: 40 }))).toBe('fine');
    expect(health.stuckMs(5000)).toBe(4000);
    expect(health.check(sample(9000, { position: 40 }))).toBe('rebuild');
  });

  it('gives a start more time, and does not seek in it', () => {
    const health = new PlayerHealth(0);
    const advice = [1, 4, 9, 14, 16].map((second) => health.check(sample(second * 1000, { position: 0 })));
    expect(advice).toEqual(['fine', 'fine', 'fine', 'fine', 'rebuild']);
  });

  it('plays what something paused', () => {
    expect(new PlayerHealth(0).check(sample(1000, { isPaused: true }))).toBe('play');
  });
});
