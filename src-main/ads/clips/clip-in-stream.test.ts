import { expect, it } from 'vitest';
import { ListWindow } from '../../../tests/helpers/list-window.ts';
import { StreamRun } from '../../../tests/helpers/stream-run.ts';
import { captionErasure } from '../../media/codecs/nal/closed-captions.ts';
import { forEachSample } from '../../media/containers/isobmff/chunk-reader.ts';
import { readMedia, type MediaBytes } from '../../segment/media-bytes.ts';
import type { WindowTrack } from '../../segment/segment-window.ts';
import { inStream } from './clip-in-stream.ts';
import { ClipLoop } from './clip-loop.ts';
import { MovedSegment } from './clip-parts.ts';
import type { Clip } from './clip.ts';
import { clipPart } from '../placement/in-place/in-place-part.ts';

const ERASURE = Buffer.from(captionErasure('h264', 4));

function madeClip(): Clip {
  const run = new StreamRun({ partMs: 1000, segmentMs: 1000, segmentCount: 10 });
  run.play({ video: { fps: 25, gopFrames: 25, bFrames: 0 }, audio: { sampleRate: 48_000, lateMs: 0 }, seconds: 3 });
  run.close();
  const { window } = run;
  const tracks = window.tracks.map(({ track }) => ({ track, segments: window.segments(track.id).slice(0, 2) }));
  return { path: 'a', addressPrefix: 'a-', window: new ListWindow({ tracks }) };
}

/** The tracks of the clip as tracks of a stream. */
function tracksOf(clip: Clip, hasCaptions: boolean): readonly WindowTrack[] {
  return clip.window.tracks.map((one) => ({
    track: one.track,
    group: one.group,
    rate: one.rate,
    hasCaptions: hasCaptions && one.track.content === 'video',
  }));
}

/** Pictures or audio units of the clip. */
async function samplesIn(media: MediaBytes | undefined): Promise<string[]> {
  const bytes = media ? await readMedia(media) : new Uint8Array(0);
  const found: string[] = [];
  forEachSample(bytes, (offset, size) =>
    found.push(Buffer.from(bytes.subarray(offset, offset + size)).toString('hex')),
  );
  return found;
}

it('inStream clears the captions of the stream in the first picture of the clip, and changes nothing else', async () => {
  const clip = madeClip();
  expect(inStream(clip, { tracks: tracksOf(clip, false) })).toBe(clip);
  const shown = inStream(clip, { tracks: tracksOf(clip, true) });
  expect(inStream(clip, { tracks: tracksOf(clip, true) })).toBe(shown);
  const [plain, other] = [clip, shown].map(({ window }) => window.segments('v1'));
  const [track] = clip.window.tracks.map((one) => one.track);
  const [first, otherFirst] = [plain?.[0], other?.[0]];
  if (!track || !first || !otherFirst) throw new Error('the clip has no pictures');
  const pictures = await samplesIn(first.segment.parts[0]);
  expect(pictures).toHaveLength(25);
  const expected = pictures.map((picture, index) => (index === 0 ? ERASURE.toString('hex') + picture : picture));
  // In a segment of its own, in low-latency parts, and in place.
  expect(await samplesIn(otherFirst.segment.parts[0])).toEqual(expected);
  const place0 = { msn: 7, startMs: 5000, shiftMs: 5000, sets: undefined };
  const cut = new MovedSegment(otherFirst.segment, { track, partMs: 200 }, place0).parts;
  expect((await Promise.all(cut.map(samplesIn))).flat()).toEqual(expected);
  const [source] = first.segment.parts;
  const position = { track, segmentTicks: first.segment.startTicks, leaderTicks: first.segment.startTicks };
  const replacement = { loop: new ClipLoop([shown]), step: 0, key: {} };
  const inside = source && clipPart(source, replacement, { ...position, sequenceNumber: 1 }, () => undefined);
  expect(await samplesIn(inside)).toEqual(expected);
  expect(other?.[1]).toBe(plain?.[1]);
  for (const find of [
    shown.window.segmentByMsn('v1', otherFirst.msn),
    shown.window.segmentByAddress('v1', otherFirst.address),
  ])
    expect(find).toBe(otherFirst);
  expect(shown.window.segments('a1')).toEqual(clip.window.segments('a1'));
});
