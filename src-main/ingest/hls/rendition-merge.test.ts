import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecordingSink } from '../../../tests/helpers/recording-sink.ts';
import type { AudioTrack, VideoTrack } from '../../media/track.ts';
import { RenditionMerge } from './rendition-merge.ts';
import type { MergeSource } from './rendition-merge.ts';
import { RenditionQueue } from './rendition-queue.ts';

const video: VideoTrack = {
  content: 'video',
  id: 'v1',
  codec: 'h264',
  timescale: 90_000,
  codecString: 'avc1',
  decoderConfig: new Uint8Array(0),
  width: 2,
  height: 2,
  sarWidth: 1,
  sarHeight: 1,
  fps: 25,
  profile: '',
  level: '',
};
const audio: AudioTrack = {
  content: 'audio',
  id: 'a1',
  codec: 'aac',
  timescale: 48_000,
  codecString: 'mp4a',
  decoderConfig: new Uint8Array(0),
  sampleRate: 48_000,
  channels: 2,
  samplesPerFrame: 1024,
};

/** Rendition whose units the test adds. */
class TestRendition implements MergeSource {
  readonly queue: RenditionQueue;
  isWrapping = false;
  isDone = false;
  readonly #track: VideoTrack | AudioTrack;

  constructor(track: VideoTrack | AudioTrack) {
    this.#track = track;
    this.queue = new RenditionQueue({ content: 'all', problem: () => undefined });
    this.queue.tracks([track]);
  }

  add(era: number, ticks: number, isRandomAccess = true): this {
    this.queue.startEra(era);
    this.queue.accessUnit({
      trackId: this.#track.id,
      dtsTicks: ticks,
      ptsTicks: ticks,
      isRandomAccess,
      data: new Uint8Array(1),
    });
    return this;
  }

  run(era: number, from: number, count: number): this {
    const frame = this.#track.content === 'video' ? 3600 : 1920;
    for (let index = 0; index < count; index++) this.add(era, from + index * frame, index % 25 === 0);
    return this;
  }

  end(): this {
    this.isDone = true;
    return this;
  }

  head = (): ReturnType<MergeSource['head']> => this.queue.head;
  firsts = (era: number): ReturnType<MergeSource['firsts']> => this.queue.firsts(era);
  shift = (): void => {
    this.queue.shift();
  };
}

/** Emits all possible units without waiting. */
function drain(merge: RenditionMerge): void {
  for (;;) {
    const step = merge.next();
    if (step.kind === 'starved' || step.kind === 'done') return;
    if (step.kind === 'cross') merge.cross();
    else merge.emit(step);
  }
}

function timesOf(sink: RecordingSink, trackId: string): number[] {
  return sink.units(trackId).map(({ dtsTicks }) => dtsTicks);
}

describe('RenditionMerge', () => {
  it('merges units by decoding time, and reports missing renditions', () => {
    const [picture, sound] = [new TestRendition(video).run(0, 1000, 2), new TestRendition(audio)];
    const sink = new RecordingSink();
    const merge = new RenditionMerge([picture, sound], sink);
    expect(merge.next()).toMatchObject({ kind: 'cross', missing: [{ tracks: [] }] });
    sound.run(0, 1500, 3);
    drain(merge);
    expect(sink.units().map(({ trackId, dtsTicks }) => [trackId, dtsTicks])).toEqual([
      ['v1', 1000],
      ['a1', 1500],
      ['a1', 3420],
      ['v1', 4600],
      ['a1', 5340],
    ]);
    expect(sink.announcements.map((tracks) => tracks.map(({ id }) => id))).toEqual([['v1', 'a1']]);
    expect(merge.next()).toEqual({ kind: 'starved' });
    picture.run(0, 8200, 1);
    // The audio is at 7260, so an earlier unit may still arrive.
    expect(merge.next()).toMatchObject({ kind: 'unit', ticks: 8200, missing: [{ tracks: [{ id: 'a1' }] }] });
    sound.end();
    expect(merge.next()).toMatchObject({ kind: 'unit', missing: [] });
  });

  it('crosses discontinuities with all renditions, without overlap and with a gap in at most one rendition', () => {
    const runs = fc.array(
      fc.record({
        from: fc.integer({ min: 0, max: 2 ** 40 }),
        lead: fc.integer({ min: -3000, max: 3000 }),
        videos: fc.integer({ min: 1, max: 60 }),
        late: fc.integer({ min: -3, max: 3 }),
      }),
      { minLength: 2, maxLength: 6 },
    );
    fc.assert(
      fc.property(runs, (list) => {
        const [picture, sound] = [new TestRendition(video), new TestRendition(audio)];
        for (const [era, { from, lead, videos, late }] of list.entries()) {
          picture.run(era, from, videos);
          sound.run(era, from + lead, Math.max(1, Math.round((videos * 3600) / 1920) + late));
        }
        const sink = new RecordingSink();
        drain(new RenditionMerge([picture.end(), sound.end()], sink));
        expect(sink.units('v1')).toHaveLength(list.reduce((sum, { videos }) => sum + videos, 0));
        for (const [track, frame] of [
          ['v1', 3600],
          ['a1', 1920],
        ] as const) {
          const times = timesOf(sink, track);
          const steps = times.slice(1).map((ticks, index) => ticks - times[index]!);
          expect(Math.min(frame, ...steps)).toBe(frame);
          // Audio offsets and durations of the eras above differ by at most this.
          expect(Math.max(0, ...steps)).toBeLessThan(frame + 20_000);
        }
      }),
      // Audio that is dropped completely at the start.
      {
        examples: [
          [
            [
              { from: 0, lead: -1, videos: 1, late: -1 },
              { from: 0, lead: 0, videos: 1, late: 0 },
            ],
          ],
        ],
        numRuns: 300,
      },
    );
  });

  it('does not wait for a rendition without a discontinuity', () => {
    const picture = new TestRendition(video).run(0, 0, 25).run(1, 500_000, 25).end();
    const sound = new TestRendition(audio).run(0, 0, 200).end();
    const sink = new RecordingSink();
    drain(new RenditionMerge([picture, sound], sink));
    expect(sink.units('v1')).toHaveLength(50);
    expect(sink.units('a1')).toHaveLength(200);
    expect(timesOf(sink, 'v1')[25]).toBe(90_000);
    // The audio continues on its own.
    expect(timesOf(sink, 'a1').at(-1)).toBe(199 * 1920);
  });

  it('aligns 33-bit times of two renditions across the wrap, and aligns unrelated clocks', () => {
    const wrap = 2 ** 33;
    const picture = new TestRendition(video).run(0, wrap - 1800, 3);
    const sound = new TestRendition(audio).run(0, 100, 3);
    sound.isWrapping = picture.isWrapping = true;
    const sink = new RecordingSink();
    drain(new RenditionMerge([picture.end(), sound.end()], sink));
    expect(timesOf(sink, 'a1')[0]).toBe(wrap + 100);
    const unrelated = new RecordingSink();
    drain(
      new RenditionMerge(
        [new TestRendition(video).run(0, 9_000_000, 3).end(), new TestRendition(audio).run(0, 0, 3).end()],
        unrelated,
      ),
    );
    expect(timesOf(unrelated, 'a1')).toEqual([9_000_000, 9_001_920, 9_003_840]);
  });

  it('starts the video at a random access point, and drops audio before it', () => {
    const picture = new TestRendition(video).add(0, 0, false).add(0, 3600).add(1, 70_000, false).add(1, 73_600);
    const sound = new TestRendition(audio).run(0, -4000, 6).run(1, 69_000, 3);
    const sink = new RecordingSink();
    drain(new RenditionMerge([picture.end(), sound.end()], sink));
    expect(sink.units('v1').map(({ isRandomAccess }) => isRandomAccess)).toEqual([true, true]);
    expect(timesOf(sink, 'a1')[0]).toBe(-160 + 1920);
  });

  it('announces a format change with its first unit', () => {
    const rendition = new TestRendition(video).run(0, 0, 2);
    rendition.queue.tracks([{ ...video, width: 4, decoderConfig: new Uint8Array([1]) }]);
    rendition.run(0, 7200, 1);
    const sink = new RecordingSink();
    drain(new RenditionMerge([rendition.end()], sink));
    expect(sink.calls.map((call) => ('tracks' in call ? 'tracks' : 'unit'))).toEqual([
      'tracks',
      'unit',
      'unit',
      'tracks',
      'unit',
    ]);
  });
});

describe('RenditionQueue', () => {
  it('orders its tracks, and waits for each track within limits', () => {
    const queue = new RenditionQueue({ content: 'all', language: 'deu', problem: () => undefined });
    queue.tracks([video, audio]);
    const add = (trackId: string, dtsTicks: number): void => {
      queue.accessUnit({ trackId, dtsTicks, ptsTicks: dtsTicks, isRandomAccess: true, data: new Uint8Array(1) });
    };
    add('v1', 0);
    add('v1', 3600);
    expect(queue.isReady).toBe(false);
    add('a1', 1000);
    expect(queue.isReady).toBe(true);
    expect(queue.head).toMatchObject({ ticks: 0, tracks: [{ id: 'v1' }, { id: 'a1', language: 'deu' }] });
    queue.shift();
    expect(queue.head?.ticks).toBe(1000);
    queue.shift();
    expect(queue.isReady).toBe(false);
    add('v1', 3600 + 140_000);
    expect(queue.isReady).toBe(true);
  });

  it('keeps only tracks of the requested kind', () => {
    const queue = new RenditionQueue({ content: 'video', problem: () => undefined });
    queue.tracks([video, audio]);
    queue.accessUnit({ trackId: 'a1', dtsTicks: 0, ptsTicks: 0, isRandomAccess: true, data: new Uint8Array(1) });
    expect(queue.head).toBeUndefined();
  });
});
