import { describe, expect, it } from 'vitest';
import { METER_FLOOR_DB, PpmChannel, meterFraction, peakOf } from './ppm-channel.ts';

describe('PpmChannel', () => {
  it('rises at once and falls 20 dB in 1.5 s', () => {
    const channel = new PpmChannel();
    channel.feed(1, 1000);
    expect(channel.levelDb).toBe(0);
    channel.feed(0, 2500);
    expect(channel.levelDb).toBeCloseTo(-20, 5);
  });

  it('holds the peak and then releases it', () => {
    const channel = new PpmChannel();
    channel.feed(0.5, 1000);
    channel.feed(0, 2000);
    expect(channel.peakDb).toBeCloseTo(-6.02, 1);
    channel.feed(0, 2600);
    expect(channel.peakDb).toBe(channel.levelDb);
  });

  it('stays at its minimum, which meterFraction maps to 0', () => {
    const channel = new PpmChannel();
    channel.feed(0, 1e9);
    expect(channel.levelDb).toBe(METER_FLOOR_DB);
    expect([meterFraction(-60), meterFraction(-30), meterFraction(0), meterFraction(6), meterFraction(-90)]).toEqual([
      0, 0.5, 1, 1, 0,
    ]);
  });

  it('detects peaks of both signs with peakOf', () => {
    expect(peakOf(new Float32Array([0.1, -0.75, 0.5]))).toBe(0.75);
  });
});
