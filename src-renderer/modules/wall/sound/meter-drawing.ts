import { METER_FLOOR_DB, meterFraction } from './ppm-channel.ts';
import type { PpmChannel } from './ppm-channel.ts';

/** Level from which the bar is yellow: above the alignment level of EBU R 68. */
const YELLOW_DB = -18;
/** Level from which the bar is red: above the permitted maximum level. */
const RED_DB = -9;

const ZONES = [
  { from: METER_FLOOR_DB, to: YELLOW_DB, lit: '#2fd07a', dark: '#10301f' },
  { from: YELLOW_DB, to: RED_DB, lit: '#ffc02e', dark: '#3a2d0c' },
  { from: RED_DB, to: 0, lit: '#ff4a4d', dark: '#3d1315' },
] as const;

/** Draws vertical bars, one per channel, across the whole canvas. */
export function drawMeters(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  channels: readonly PpmChannel[],
): void {
  context.clearRect(0, 0, width, height);
  const gap = Math.max(1, Math.round(width * 0.08));
  const barWidth = Math.max(1, (width - gap * (channels.length + 1)) / channels.length);
  channels.forEach((channel, index) => {
    const x = gap + index * (barWidth + gap);
    const level = meterFraction(channel.levelDb);
    for (const zone of ZONES) {
      const bottom = meterFraction(zone.from);
      const top = meterFraction(zone.to);
      fill(context, zone.dark, x, barWidth, height, Math.max(bottom, Math.min(level, top)), top);
      if (level > bottom) fill(context, zone.lit, x, barWidth, height, bottom, Math.min(level, top));
    }
    if (channel.peakDb > METER_FLOOR_DB) {
      context.fillStyle = channel.peakDb > RED_DB ? '#ff8a8c' : '#ffffff';
      context.fillRect(
        x,
        Math.max(0, height * (1 - meterFraction(channel.peakDb))),
        barWidth,
        Math.max(2, height / 120),
      );
    }
  });
  // A line at the alignment level, to see the loudness at a glance.
  context.fillStyle = '#ffffff59';
  context.fillRect(0, Math.round(height * (1 - meterFraction(YELLOW_DB))), width, 1);
}

function fill(
  context: CanvasRenderingContext2D,
  colour: string,
  x: number,
  barWidth: number,
  height: number,
  from: number,
  to: number,
): void {
  if (to <= from) return;
  context.fillStyle = colour;
  context.fillRect(x, height * (1 - to), barWidth, height * (to - from));
}
