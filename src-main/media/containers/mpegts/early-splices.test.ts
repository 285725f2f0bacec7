import { expect, it } from 'vitest';
import { RecordingSink } from '../../../../tests/helpers/recording-sink.ts';
import { spliceInsert } from '../../../../tests/helpers/splice-sections.ts';
import { testMedia } from '../../../../tests/helpers/test-media.ts';
import { readSpliceInfo } from '../../scte35/splice-info.ts';
import { spliceTimeOf } from '../../scte35/splice-point.ts';
import { MpegTsReader } from './reader.ts';
import { MpegTsWriter } from './writer.ts';

it('MpegTsReader unwraps the 33-bit time of a splice section that precedes the first access unit', () => {
  const media = testMedia();
  for (const firstTicks of [900_000, 6_000_000_000]) {
    const writer = new MpegTsWriter([media.video, media.audio], { hasSplices: true });
    // After the tables and inside the first picture, which ends with the next picture.
    for (const [index, unit] of [...media.units(2, firstTicks)].entries()) {
      if (index === 1) writer.splice(spliceInsert({ ptsTicks: firstTicks + 90_000 }));
      writer.accessUnit(unit);
    }
    const sink = new RecordingSink();
    const reader = new MpegTsReader(sink);
    reader.push(writer.take());
    const times = sink.calls.flatMap((call) => {
      const info = 'splice' in call && readSpliceInfo(call.splice.section);
      return info ? [spliceTimeOf(info, call.splice) - (sink.units('v1')[0]?.ptsTicks ?? 0)] : [];
    });
    expect(times).toEqual([90_000]);
  }
});
