import { expect, it } from 'vitest';
import { madeVideo } from '../../../tests/helpers/made-input.ts';
import { RecordingSink } from '../../../tests/helpers/recording-sink.ts';
import { spliceInsert } from '../../../tests/helpers/splice-sections.ts';
import { readSpliceInfo } from '../../media/scte35/splice-info.ts';
import { spliceTimeOf } from '../../media/scte35/splice-point.ts';
import { JoinSink } from './join-sink.ts';

const FRAME_TICKS = 3600;

it('JoinSink keeps splice points of joined files at their pictures, whichever clock each file has', () => {
  const sink = new RecordingSink();
  const join = new JoinSink(sink);
  for (const firstTicks of [0, 2 ** 33 - 40 * FRAME_TICKS, 5_000_000]) {
    join.nextEntry();
    join.tracks([madeVideo()]);
    for (let index = 0; index < 100; index++) {
      const ticks = firstTicks + index * FRAME_TICKS;
      // One splice before the first picture of the file, one in the middle.
      for (const [sentAtPicture, splicePicture] of [
        [0, 30],
        [50, 75],
      ] as const)
        if (index === sentAtPicture)
          join.splice({
            sourceId: 1,
            section: spliceInsert({ ptsTicks: firstTicks + splicePicture * FRAME_TICKS }),
            atTicks: ticks,
          });
      const isRandomAccess = index % 25 === 0;
      join.accessUnit({ trackId: 'v1', dtsTicks: ticks, ptsTicks: ticks, isRandomAccess, data: new Uint8Array(10) });
    }
    join.endEntry();
  }
  const shown = sink.units('v1').map(({ ptsTicks }) => ptsTicks);
  const times = sink.calls.flatMap((call) => {
    const info = 'splice' in call && readSpliceInfo(call.splice.section);
    return info ? [spliceTimeOf(info, call.splice)] : [];
  });
  expect(times).toEqual([30, 75, 130, 175, 230, 275].map((picture) => shown[picture]));
});
