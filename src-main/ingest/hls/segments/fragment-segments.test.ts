import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { ClipFolder, H264, H265, CollectingSink } from '../../../../tests/helpers/clip-folder.ts';
import { joinedMp4 } from '../../../../tests/helpers/joined-mp4.ts';
import { withoutSets } from '../../../../tests/helpers/without-sets.ts';
import { readBoxes } from '../../../media/containers/isobmff/box.ts';
import { FragmentSegments } from './fragment-segments.ts';

const folder = new ClipFolder();
afterAll(() => {
  folder.close();
});

const FRAGMENTED = ['-c:a', 'aac', '-movflags', '+frag_keyframe+empty_moov+default_base_moof'];

/** Init segment and media segments, one per fragment. */
function segmentsOf(file: Buffer): { readonly init: Buffer; readonly segments: readonly Buffer[] } {
  const moofs = readBoxes(file).filter(({ type }) => type === 'moof');
  const [first] = moofs;
  if (!first) throw new Error('there is no fragment');
  const segments = moofs.map(({ start }, index) => file.subarray(start, moofs[index + 1]?.start));
  return { init: file.subarray(0, first.start), segments };
}

function play(init: Buffer, segments: readonly Buffer[]): CollectingSink {
  const sink = new CollectingSink();
  const reader = new FragmentSegments(sink);
  for (const segment of segments) {
    reader.open(segment, init);
    while (reader.step());
    reader.endSegment();
  }
  return sink;
}

it.each([
  ['avc3', [...H264, '-x264-params', 'repeat-headers=1']],
  ['hev1', [...H265, '-tag:v', 'hvc1', '-x265-params', 'log-level=error:repeat-headers=1:pools=1']],
])('FragmentSegments finds the parameter sets of %s in the samples, also in a later segment', (name, options) => {
  const { init, segments } = segmentsOf(readFileSync(folder.make(`${name}.mp4`, [...options, ...FRAGMENTED], 3)));
  const stripped = withoutSets(init);
  const expected = play(init, segments);
  const sink = play(stripped, segments);
  expect(expected.units.length).toBeGreaterThan(200);
  expect(sink.units).toEqual(expected.units);
  expect(sink.trackSets[0]).toEqual(expected.trackSets[0]);
  // The first segment has no parameter sets: its pictures cannot be played, but its audio can.
  const [first, ...later] = segments;
  const blanked = Buffer.from(first ?? []);
  for (const { start, end, type } of readBoxes(blanked)) if (type === 'mdat') blanked.fill(0, start + 8, end);
  const late = play(stripped, [blanked, ...later]);
  const pictures = (played: CollectingSink): unknown[] => played.units.filter(({ trackId }) => trackId === 'v1');
  expect(pictures(late)).toEqual(pictures(expected).slice(25));
});

it('FragmentSegments decodes pictures with the sample description of their fragment', () => {
  const parts = [160, 128].map((width, index) =>
    readFileSync(folder.make(`described-${index}.mp4`, [...H264, '-s', `${width}x90`, '-an'])),
  );
  const { init, segments } = segmentsOf(joinedMp4(parts, [0, 1, 0], true));
  const sink = play(init, segments);
  const widths = sink.trackSets.map(([track]) => track?.content === 'video' && track.width);
  expect(widths).toEqual([160, 128, 160]);
  expect(sink.units).toHaveLength(150);
});

it('FragmentSegments takes the aspect ratio from the sample description if the pictures have none', () => {
  const parts = [160, 128].map((width, index) => {
    const file = readFileSync(
      folder.make(`aspect-${index}.mp4`, [...H264, '-vf', `scale=${width}:90,setsar=1`, '-an']),
    );
    Buffer.from([0, 0, 0, 16, 0, 0, 0, 11 + 2 * index]).copy(file, file.indexOf('pasp') + 4);
    return file;
  });
  const { init, segments } = segmentsOf(joinedMp4(parts, [0, 1, 0], true));
  const sink = play(init, segments);
  expect(sink.trackSets.map(([track]) => track?.content === 'video' && track.sarHeight)).toEqual([11, 13, 11]);
});

it('FragmentSegments takes the audio format from the sample description of the fragment', () => {
  const parts = ['2', '1'].map((channels) =>
    readFileSync(folder.make(`channels-${channels}.mp4`, ['-vn', '-c:a', 'aac', '-ac', channels])),
  );
  const { init, segments } = segmentsOf(joinedMp4(parts, [0, 1, 0], true));
  const sink = play(init, segments);
  expect(sink.trackSets.map(([track]) => track?.content === 'audio' && track.channels)).toEqual([2, 1, 2]);
});
