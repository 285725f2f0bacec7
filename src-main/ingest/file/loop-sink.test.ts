import { expect, it } from 'vitest';
import { RecordingSink } from '../../../tests/helpers/recording-sink.ts';
import { opusTrack } from '../../media/codecs/opus/track.ts';
import { LoopSink } from './loop-sink.ts';

/** TOC bytes of Opus packets of one frame, by duration in 90 kHz ticks (RFC 6716 3.1: CELT, fullband). */
const TOC: Readonly<Record<number, number>> = { 225: 28 << 3, 450: 29 << 3, 900: 30 << 3, 1800: 31 << 3 };

it.each([[[1800, 1800, 900]], [[1800, 225]], [[450, 900, 1800]]])(
  'LoopSink starts the next pass after packets of %j ticks at the end of the last packet',
  (lengths) => {
    const config = { channels: 2, preSkip: 312, inputSampleRate: 48_000, outputGain: 0, mappingFamily: 0 } as const;
    const recorded = new RecordingSink();
    const loop = new LoopSink(recorded);
    loop.tracks([opusTrack(config, { trackId: 'a1' })]);
    for (let pass = 0; pass < 3; pass++) {
      let dtsTicks = 5000;
      for (const length of lengths) {
        const data = Uint8Array.of(TOC[length] ?? 0, 1, 2, 3);
        loop.accessUnit({ trackId: 'a1', dtsTicks, ptsTicks: dtsTicks, isRandomAccess: true, data });
        dtsTicks += length;
      }
      loop.nextPass();
    }
    const starts: number[] = [];
    for (let pass = 0, at = 5000; pass < 3; pass++)
      for (const length of lengths) {
        starts.push(at);
        at += length;
      }
    expect(recorded.units('a1').map(({ dtsTicks }) => dtsTicks)).toEqual(starts);
  },
);
