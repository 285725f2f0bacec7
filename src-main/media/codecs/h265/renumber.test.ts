import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ffmpeg, testSources } from '../../../../tests/helpers/ffmpeg-media.ts';
import { removeEmulation } from '../nal/emulation.ts';
import { isIrap, isSlice, nalTypeOf } from './nal-type.ts';
import { readIrapPpsId, readPps } from './pps.ts';
import { LEAST_PPS, MOST_PPS, renumberSet, renumberSlice } from './renumber.ts';
import { readSps } from './sps.ts';
import { readVps } from './vps.ts';

/** NAL units of an encoder's Annex B stream. */
function unitsOf(stream: Buffer): Uint8Array[] {
  const units: Uint8Array[] = [];
  let at = stream.indexOf(Buffer.from([0, 0, 1]));
  while (at >= 0) {
    const next = stream.indexOf(Buffer.from([0, 0, 1]), at + 3);
    let end = next < 0 ? stream.length : next;
    while (stream[end - 1] === 0) end--;
    units.push(Uint8Array.from(stream.subarray(at + 3, end)));
    at = next;
  }
  return units;
}

const X265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:pools=1:bframes=0'];
const numbers = fc.record({
  vps: fc.integer({ min: 0, max: 15 }),
  sps: fc.integer({ min: 0, max: 15 }),
  pps: fc.integer({ min: LEAST_PPS, max: MOST_PPS }),
});

it('changes the numbers of parameter sets and nothing else, and slices refer to them', () => {
  const units = unitsOf(ffmpeg([...testSources(1, 0), ...X265, '-f', 'hevc']));
  const find = <T>(read: (unit: Uint8Array) => T | undefined, type: number): T | undefined =>
    read(units.find((unit) => nalTypeOf(unit[0] ?? 0) === type) ?? new Uint8Array(0));
  const [vps, sps] = [find(readVps, 32), find(readSps, 33)];
  expect([vps?.id, sps?.id]).toEqual([0, 0]);
  fc.assert(
    fc.property(numbers, (wanted) => {
      const { vps: vpsId, sps: spsId, pps } = wanted;
      let slices = 0;
      for (const unit of units) {
        const type = nalTypeOf(unit[0] ?? 0);
        if (isSlice(type)) {
          slices++;
          const made = renumberSlice(unit, wanted);
          expect([...made.subarray(0, 2)]).toEqual([...unit.subarray(0, 2)]);
          if (isIrap(type)) expect(readIrapPpsId(made, 0, made.length)).toBe(pps);
          const [before, behind] = [removeEmulation(unit, 4), removeEmulation(made, 5)];
          expect(Buffer.compare(behind.subarray(-before.length + 4), before.subarray(4))).toBe(0);
          continue;
        }
        const made = renumberSet(unit, wanted);
        expect(made.at(-1)).not.toBe(0);
        if (type === 32) expect(readVps(made)).toEqual({ ...vps, id: vpsId });
        if (type === 33) expect(readSps(made)).toEqual({ ...sps, id: spsId, vpsId });
        if (type === 34) expect(readPps(made)).toEqual({ id: pps, spsId });
        if (type > 34) expect(made).toBe(unit);
      }
      expect(slices).toBe(25);
    }),
    { numRuns: 20 },
  );
});
