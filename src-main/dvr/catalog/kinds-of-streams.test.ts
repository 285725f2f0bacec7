import { expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { ListCatalog } from '../../../tests/helpers/list-catalog.ts';
import { madeAudio, madeUnits, madeVideo, type MadeInput } from '../../../tests/helpers/made-input.ts';
import { RecordingStage } from '../../../tests/helpers/recording-stage.ts';
import { settled } from '../../../tests/helpers/settled.ts';
import { ArchiveCatalog } from './archive-catalog.ts';

const VIDEO = { fps: 25, gopFrames: 25, bFrames: 0 };
const AUDIO = { sampleRate: 48_000, lateMs: 0 };
const PLAIN: MadeInput = { video: VIDEO, audio: AUDIO, seconds: 10 };

/** Catalog content of a stream: tracks of each block, discontinuities, and durations of gapless ranges in seconds. */
interface Listed {
  readonly tracks: readonly string[];
  readonly cuts: number;
  readonly seconds: readonly number[];
}

async function listed(stage: RecordingStage): Promise<Listed> {
  await stage.close();
  expect(stage.gaps).toEqual([]);
  const catalog = new ArchiveCatalog({
    store: new ListCatalog(),
    clock: new FakeClock(),
    open: () => [],
    failed: (error) => {
      throw error;
    },
  });
  for (const block of stage.blocks) catalog.add(block);
  const ever = { startMs: 0, endMs: 1e13 };
  const blocks = await catalog.blocks('c/03', ever, 100);
  const { ranges } = await catalog.ranges('c/03', ever, 100);
  return {
    tracks: blocks.map(({ tracks }) => tracks.map(({ id }) => id).join(' ')),
    cuts: blocks.flatMap(({ segments }) => segments).filter(({ isDiscontinuity }) => isDiscontinuity).length,
    seconds: ranges.map(({ startMs, endMs }) => Math.round((endMs - startMs) / 1000)),
  };
}

it.each<[string, (stage: RecordingStage) => Promise<void>, Listed]>([
  [
    'sound alone',
    async (stage) => stage.play({ audio: AUDIO, seconds: 10 }),
    { tracks: ['a1'], cuts: 1, seconds: [10] },
  ],
  [
    'a picture with several sounds',
    async (stage) => {
      const { hub, clock } = stage.stream;
      const tracks = [madeVideo(), madeAudio(), madeAudio('a2')];
      const startMs = clock.now();
      const units = [...madeUnits(PLAIN)].flatMap(({ arrivesMs, unit }) =>
        unit.trackId === 'a1'
          ? [
              { arrivesMs, unit },
              { arrivesMs, unit: { ...unit, trackId: 'a2' } },
            ]
          : [{ arrivesMs, unit }],
      );
      stage.stream.feed(() => hub.tracks(tracks));
      for (const { arrivesMs, unit } of units) {
        clock.advance(Math.max(0, startMs + arrivesMs - clock.now()));
        stage.stream.feed(() => hub.accessUnit(unit));
      }
      await settled();
    },
    { tracks: ['v1 a1 a2'], cuts: 3, seconds: [10] },
  ],
  [
    'another format in between: a block of its own, cut in every track',
    async (stage) => {
      await stage.play(PLAIN);
      await stage.play({ ...PLAIN, video: { ...VIDEO, variant: 1 } });
    },
    { tracks: ['v1 a1', 'v1 a1'], cuts: 4, seconds: [20] },
  ],
  [
    'a switch to another input of the same format: cut in every track, and the time between is a gap',
    async (stage) => {
      await stage.play(PLAIN);
      await stage.idle(3000);
      await stage.play({ ...PLAIN, startTicks: 777_000 });
    },
    { tracks: ['v1 a1', 'v1 a1'], cuts: 4, seconds: [10, 10] },
  ],
  [
    'a clock that jumps ahead by an hour: the timeline continues',
    async (stage) => stage.play({ ...PLAIN, seconds: 20, jumps: [{ atMs: 10_000, byMs: 3_600_000 }] }),
    { tracks: ['v1 a1'], cuts: 4, seconds: [20] },
  ],
  [
    'a clock that jumps back',
    async (stage) => stage.play({ ...PLAIN, seconds: 20, jumps: [{ atMs: 10_000, byMs: -5000 }] }),
    { tracks: ['v1 a1'], cuts: 4, seconds: [20] },
  ],
])('the catalog lists %s', async (_, play, expected) => {
  const stage = new RecordingStage();
  await stage.record();
  await play(stage);
  expect(await listed(stage)).toEqual(expected);
});
