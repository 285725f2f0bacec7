import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { madeVideo } from '../../tests/helpers/made-input.ts';
import { spliceInsert } from '../../tests/helpers/splice-sections.ts';
import { LoopSink } from '../ingest/file/loop-sink.ts';
import type { MediaSink } from '../media/access-unit.ts';
import { wrapTicks } from '../media/containers/mpegts/packet.ts';
import { readSpliceInfo, spliceTimeTicks } from '../media/scte35/splice-info.ts';
import { StreamHub } from './stream-hub.ts';
import type { StreamSplice } from './stream-splice.ts';

const FRAME_TICKS = 3600;
const WRAP_TICKS = 2 ** 33;

/** A hub that records the splices and output times of its readers. */
class Studio {
  readonly clock = new FakeClock();
  readonly splices: StreamSplice[] = [];
  readonly problems: string[] = [];
  /** Presentation time of each picture in epoch milliseconds, by its number. */
  readonly shownMs: number[] = [];
  readonly hub = new StreamHub(this.clock, ({ code }) => this.problems.push(code));

  constructor() {
    this.hub.addReader({
      tracks() {},
      discontinuity() {},
      idle() {},
      unit: ({ ptsTicks }) => void this.shownMs.push(ptsTicks / 90),
      splice: (splice) => void this.splices.push(splice),
    });
  }

  /** Sends `count` pictures from a time of the input. Calls the callback before each picture. */
  give(
    sink: MediaSink,
    firstTicks: number,
    count: number,
    before: (index: number, ticks: number) => void = () => {},
  ): void {
    sink.tracks([madeVideo()]);
    for (let index = 0; index < count; index++) {
      const ticks = firstTicks + index * FRAME_TICKS;
      before(index, ticks);
      this.clock.advance(40);
      sink.accessUnit({
        trackId: 'v1',
        dtsTicks: ticks,
        ptsTicks: ticks,
        isRandomAccess: index % 25 === 0,
        data: new Uint8Array(10),
      });
    }
  }
}

describe('splice points on the output timeline', () => {
  it('take effect at the intended picture, for any encoder clock, and across a wrap', () => {
    const starts = fc.oneof(fc.nat(WRAP_TICKS * 2), fc.constantFrom(0, WRAP_TICKS - 40 * FRAME_TICKS, WRAP_TICKS - 1));
    fc.assert(
      fc.property(
        starts,
        fc.nat(60),
        fc.integer({ min: 0, max: 199 }),
        fc.nat(WRAP_TICKS - 1),
        (first, spliceTime, presentationTime, adjustment) => {
          const studio = new Studio();
          studio.give(studio.hub, first, 200, (index, ticks) => {
            if (index !== spliceTime) return;
            const section = spliceInsert({
              ptsTicks: first + presentationTime * FRAME_TICKS,
              ptsAdjustmentTicks: adjustment,
            });
            studio.hub.splice({ sourceId: 1, section, atTicks: ticks });
          });
          const [splice] = studio.splices;
          expect(studio.splices).toHaveLength(1);
          expect(splice?.atMs).toBe(Math.round(studio.shownMs[presentationTime] ?? 0));
          expect(splice).toMatchObject({ kind: 'out', eventId: 7, durationMs: 30_000 });
          // The section contains the same time on the output clock.
          const info = readSpliceInfo(splice?.section ?? new Uint8Array());
          expect(info && spliceTimeTicks(info)).toBe(
            wrapTicks(Math.round((studio.shownMs[presentationTime] ?? 0) * 90)),
          );
        },
      ),
    );
  });

  it('follow the clock of a looped file, and of a second input', () => {
    const studio = new Studio();
    const loop = new LoopSink(studio.hub);
    const play = (): void => {
      studio.give(loop, 1000, 100, (index, ticks) => {
        if (index === 10)
          loop.splice({ sourceId: 1, section: spliceInsert({ ptsTicks: 1000 + 60 * FRAME_TICKS }), atTicks: ticks });
      });
    };
    play();
    loop.nextPass();
    play();
    studio.hub.inputSwitched();
    // A section before the first picture of an input waits for that picture, because its time is not known yet.
    studio.hub.splice({
      sourceId: 1,
      section: spliceInsert({ ptsTicks: 5_000_000 + 20 * FRAME_TICKS }),
      atTicks: 5_000_000,
    });
    expect(studio.splices).toHaveLength(2);
    studio.give(studio.hub, 5_000_000, 50);
    expect(studio.splices.map(({ atMs }) => atMs)).toEqual(
      [60, 160, 220].map((at) => Math.round(studio.shownMs[at] ?? 0)),
    );
  });

  it('take effect on arrival if immediate, and damaged sections are dropped and reported', () => {
    const studio = new Studio();
    studio.give(studio.hub, 0, 50, (index, ticks) => {
      if (index === 30) studio.hub.splice({ sourceId: 1, section: spliceInsert(), atTicks: ticks });
      if (index === 40)
        studio.hub.splice({ sourceId: 1, section: spliceInsert({ ptsTicks: ticks }).fill(0, 8, 12), atTicks: ticks });
    });
    expect(studio.splices.map(({ atMs }) => atMs)).toEqual([Math.round(studio.shownMs[30] ?? 0)]);
    expect(studio.problems).toEqual(['splice_damaged']);
  });

  it.each([
    ['that jumps', 3600 * 90_000, 1],
    ['that does not', 0, 45],
  ])(
    'take effect at their picture on a clock %s, although earlier pictures arrive after the message',
    (_, jumpTicks, afterFrames) => {
      const studio = new Studio();
      const pointTicks = 100 * FRAME_TICKS + jumpTicks + (jumpTicks === 0 ? 300 * FRAME_TICKS : 0);
      let givenAfter = 0;
      const section = spliceInsert({ ptsTicks: pointTicks });
      // A reader holds two pictures, so the message overtakes them.
      studio.give(studio.hub, 0, 50, (index, ticks) => {
        if (index === 48) studio.hub.splice({ sourceId: 1, section, atTicks: ticks });
      });
      studio.give(studio.hub, 50 * FRAME_TICKS + jumpTicks, 360, () => {
        if (studio.splices.length === 0) givenAfter++;
      });
      const picture = jumpTicks === 0 ? 400 : 100;
      expect(studio.splices.map(({ atMs }) => atMs)).toEqual([Math.round(studio.shownMs[picture] ?? 0)]);
      // Long before the splice time.
      expect(givenAfter).toBeLessThanOrEqual(afterFrames);
    },
  );
});
