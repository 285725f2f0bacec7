import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { madeAudio, madeVideo } from '../../tests/helpers/made-input.ts';
import { Timeline } from './timeline.ts';
import type { Placement } from './track-clock.ts';

const NOW = 1_800_000_000_000;
const START = 90_000_000;

/** A timeline after `ms` milliseconds of an input with 40 ms per frame, each placed `lagMs` after its time. */
function played(ms: number, lagMs = 0, start = START): { line: Timeline; last: Placement } {
  const line = new Timeline();
  line.setTracks([madeVideo(), madeAudio()], true);
  let last: Placement | undefined;
  for (let atMs = 0; atMs < ms; atMs += 40) last = place(line, 'v1', start + atMs * 90, NOW + lagMs + atMs);
  if (!last) throw new Error('nothing was played');
  return { line, last };
}

function place(line: Timeline, trackId: string, dtsTicks: number, nowMs: number): Placement {
  return {
    ...line.place({ trackId, dtsTicks, ptsTicks: dtsTicks, isRandomAccess: true, data: new Uint8Array() }, nowMs),
  };
}

describe('an input that reconnects', () => {
  it('continues without a discontinuity if its clock continued', () => {
    const { line } = played(10_000);
    line.rejoin();
    expect(place(line, 'v1', START + 12_000 * 90, NOW + 12_010)).toEqual({
      verdict: 'place',
      lastsTicks: 3600,
      isDiscontinuity: false,
      isRewind: false,
      dtsTicks: (NOW + 12_000) * 90,
      ptsTicks: (NOW + 12_000) * 90,
    });
    // The other track joins the same clock.
    expect(place(line, 'a1', START + 12_000 * 90, NOW + 12_020)).toMatchObject({
      isDiscontinuity: false,
      dtsTicks: (NOW + 12_000) * 48,
    });
  });

  it('continues with the next frame if the encoder kept unsent data', () => {
    const { line, last } = played(10_000);
    line.rejoin();
    expect(place(line, 'v1', START + 10_000 * 90, NOW + 13_000)).toMatchObject({
      isDiscontinuity: false,
      dtsTicks: last.dtsTicks + 3600,
    });
  });

  it.each([
    ['from 0', 0, 90_000],
    ['with the same times', START, 90_000],
    ['an instant before its end', START + 9900 * 90, 0],
    ['from the future', START + 16_000 * 90, 0],
    ['a day later', START + 86_400_000 * 90, 0],
  ])('is placed at the current time with a discontinuity if its timestamps start %s', (_, dtsTicks) => {
    const { line } = played(10_000);
    line.rejoin();
    const now = NOW + 12_000;
    expect(place(line, 'v1', dtsTicks, now)).toMatchObject({
      verdict: 'place',
      isDiscontinuity: true,
      dtsTicks: now * 90,
    });
    expect(place(line, 'v1', dtsTicks + 3600, now + 40)).toMatchObject({
      isDiscontinuity: false,
      dtsTicks: (now + 40) * 90,
    });
    expect(place(line, 'a1', dtsTicks + 3600, now + 40)).toMatchObject({
      isDiscontinuity: false,
      dtsTicks: (now + 40) * 48,
    });
  });

  it.each([
    ['33 bits, as in MPEG-2 systems', 2 ** 33],
    ['32 bits of milliseconds, as in RTMP', 2 ** 32 * 90],
  ])('continues if its restarted clock lost its wraps of %s', (_, wrap) => {
    const start = 3 * wrap - 8000 * 90;
    const { line } = played(10_000, 0, start);
    line.rejoin();
    const dtsTicks = start + 12_000 * 90 - 3 * wrap;
    expect(dtsTicks).toBe(4000 * 90);
    expect(place(line, 'v1', dtsTicks, NOW + 12_000)).toMatchObject({
      isDiscontinuity: false,
      dtsTicks: (NOW + 12_000) * 90,
    });
    expect(place(line, 'v1', dtsTicks + 3600, NOW + 12_040)).toMatchObject({
      isDiscontinuity: false,
      dtsTicks: (NOW + 12_040) * 90,
    });
    expect(place(line, 'a1', dtsTicks + 3600, NOW + 12_040)).toMatchObject({
      isDiscontinuity: false,
      dtsTicks: (NOW + 12_040) * 48,
    });
  });

  it('is placed at the current time if no track of it was known before', () => {
    const line = new Timeline();
    line.setTracks([madeVideo(), madeAudio()], true);
    line.rejoin();
    expect(place(line, 'a1', 1234, NOW)).toMatchObject({
      verdict: 'place',
      isDiscontinuity: false,
      dtsTicks: NOW * 48,
    });
  });

  it('is treated as another input after `restart`', () => {
    const { line } = played(10_000);
    line.rejoin();
    line.restart();
    expect(place(line, 'v1', START + 12_000 * 90, NOW + 12_500)).toMatchObject({
      isDiscontinuity: true,
      dtsTicks: (NOW + 12_500) * 90,
    });
  });

  it('never moves the output back or far ahead of the wall clock, for any timestamps', () => {
    const outage = fc.record({
      ms: fc.integer({ min: 0, max: 30_000 }),
      shiftMs: fc.oneof(
        fc.integer({ min: -20_000, max: 20_000 }),
        fc.constantFrom(-10_000, 0, 95_443_717, 4_294_967_296),
      ),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2000 }),
        fc.array(outage, { minLength: 1, maxLength: 6 }),
        (lagMs, outages) => {
          const line = new Timeline();
          line.setTracks([madeVideo()], true);
          let now = NOW;
          let input = START;
          let last = 0;
          for (const { ms, shiftMs } of outages) {
            for (let frame = 0; frame < 50; frame++) {
              const { verdict, dtsTicks } = place(line, 'v1', input, now + lagMs);
              // Media that came early several times waits until the clock reaches it.
              if (verdict === 'drop') expect(last / 90).toBeGreaterThan(now + lagMs);
              else {
                expect(dtsTicks).toBeGreaterThan(last);
                // Each reconnect may be early by a second, and time that was used early stays used.
                expect(dtsTicks / 90 - (now + lagMs)).toBeLessThan(1100 * (outages.length + 1));
                last = dtsTicks;
              }
              now += 40;
              input += 3600;
            }
            now += ms;
            input += (ms + shiftMs) * 90;
            line.rejoin();
          }
        },
      ),
      {
        examples: [
          [
            0,
            [
              { ms: 0, shiftMs: 1 },
              { ms: 0, shiftMs: -40 },
              { ms: 0, shiftMs: 1001 },
              { ms: 0, shiftMs: 0 },
            ],
          ],
        ],
      },
    );
  });
});

describe('a switch to another input', () => {
  it.each([0, 300, 900])('has no discontinuity if both inputs share one clock, with a delay of %i ms', (lagMs) => {
    const { line } = played(10_000);
    line.switchInput();
    expect(line.isAnchored).toBe(false);
    expect(place(line, 'v1', START + 12_000 * 90, NOW + 12_000 + lagMs)).toMatchObject({
      isDiscontinuity: false,
      dtsTicks: (NOW + 12_000) * 90,
    });
    expect(line.isAnchored).toBe(true);
  });

  it.each([
    ['from 0', 0],
    ['with the same times', START],
    ['where the first ended, but later', START + 10_000 * 90],
    ['from the future', START + 14_000 * 90],
  ])('is placed at the current time with a discontinuity if its timestamps start %s', (_, dtsTicks) => {
    const { line } = played(10_000);
    line.switchInput();
    expect(place(line, 'v1', dtsTicks, NOW + 12_000)).toMatchObject({
      isDiscontinuity: true,
      dtsTicks: (NOW + 12_000) * 90,
    });
  });
});
