import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { ClipFiles } from '../../../tests/helpers/clip-files.ts';
import { STREAM_TYPE } from '../../media/containers/mpegts/stream-kind.ts';
import { TsScan } from './ts-scan.ts';

const clips = new ClipFiles();
afterAll(() => {
  clips.close();
});

const AUDIO_PID = 0x101;
const STEP_BYTES = 8 * 1024;

function scanOf(file: Buffer): TsScan {
  const scan = new TsScan();
  for (let at = 0; at < file.length; at += STEP_BYTES) scan.push(file.subarray(at, at + STEP_BYTES), at);
  scan.end();
  return scan;
}

describe('TsScan', () => {
  it('records the codec of the units when it changes on the same PID', () => {
    const codecs = ['aac', 'ac3', 'aac', 'eac3'];
    const parts = codecs.map((codec, index) =>
      readFileSync(
        clips.add(`${index}-${codec}.ts`, {
          seconds: 5,
          muxer: ['-c:a', codec, '-output_ts_offset', `${5.1 * index}`],
        }),
      ),
    );
    const track = scanOf(Buffer.concat(parts)).tracks.find((one) => one.track.id === 'a1');
    const formats = [{ first: 0, track: track?.track }, ...(track?.formats ?? [])];
    expect(formats.map((format) => format.track?.codec)).toEqual(codecs);
    const { adts, ac3, eac3 } = STREAM_TYPE;
    const programs = track?.transport.programs ?? [];
    expect(
      formats.map(({ first }) => {
        const map = programs.findLast((program) => program.first <= first)?.program.map;
        return map?.streams.find(({ pid }) => pid === AUDIO_PID)?.streamType;
      }),
    ).toEqual([adts, ac3, adts, eac3]);
  });
});
