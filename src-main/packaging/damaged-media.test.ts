import { beforeAll, describe, expect, it } from 'vitest';
import { ArchiveStage } from '../../tests/helpers/archive-stage.ts';
import { decodedFrames } from '../../tests/helpers/decoded-frames.ts';
import { collectMedia } from '../../tests/helpers/mp4-file.ts';
import { settled } from '../../tests/helpers/settled.ts';
import { testMedia } from '../../tests/helpers/test-media.ts';
import { ArchiveWindow } from '../dvr/window/archive-window.ts';
import { WholeMp4 } from './mp4/whole-file.ts';
import { progressiveMp4 } from './mp4/progressive.ts';
import { windowTs } from './mpegts/continuous.ts';

const SECONDS = 12;
/** Indexes of the segments to damage, one per test. A segment has 50 pictures in two seconds. */
const DAMAGED = [2, 0];

interface FileRange {
  readonly offset: number;
  readonly sizeBytes: number;
}

/** Ways to damage the chunks of a segment. Each returns the damaged file. */
const DAMAGES: Readonly<Record<string, (bytes: Buffer, ranges: readonly FileRange[]) => Buffer>> = {
  zeroed: (bytes, ranges) => {
    for (const { offset, sizeBytes } of ranges) bytes.fill(0, offset, offset + sizeBytes);
    return bytes;
  },
  'overwritten at their headers': (bytes, ranges) => {
    for (const { offset } of ranges) bytes.fill(0xff, offset, offset + 16);
    return bytes;
  },
  'cut off with the rest of the file': (bytes, ranges) =>
    bytes.subarray(0, Math.min(...ranges.map(({ offset }) => offset))),
  'missing with their file': () => Buffer.alloc(0),
};

/** Formats that send a window as one file. */
const OUTPUTS = {
  'an MP4 of known length': {
    format: 'mp4',
    read: async (window: ArchiveWindow) => {
      const file = await WholeMp4.of(window);
      if (!file) throw new Error('no file');
      const { bytes } = await collectMedia(file.read());
      expect(bytes).toHaveLength(file.sizeBytes);
      return bytes;
    },
  },
  'an endless MP4': {
    format: 'mp4',
    read: async (window: ArchiveWindow) => (await collectMedia(progressiveMp4(window))).bytes,
  },
  'a transport stream': {
    format: 'ts',
    read: async (window: ArchiveWindow) => (await collectMedia(windowTs(window))).bytes,
  },
} as const;

const stage = new ArchiveStage();
let window: ArchiveWindow;
const media = testMedia({ bFrames: 0 });

beforeAll(async () => {
  await stage.record();
  const units = [...media.units(SECONDS)];
  for (let at = 0; at < units.length; at += 50) {
    stage.stream.playUnits([media.video, media.audio], units.slice(at, at + 50));
    await settled();
  }
  const fromMs = stage.stream.window.segments('v1')[0]?.startMs ?? 0;
  await stage.close();
  stage.stream.clock.advance(60_000);
  const opened = await stage.playback.open('c/03', { kind: 'range', fromMs, toMs: fromMs + SECONDS * 1000 }, 2000);
  if (!(opened instanceof ArchiveWindow)) throw new Error('no window');
  window = opened;
});

describe.each(Object.keys(OUTPUTS) as (keyof typeof OUTPUTS)[])('%s from an archive', (name) => {
  const { format, read } = OUTPUTS[name];

  const cases = Object.keys(DAMAGES).flatMap((damage) => DAMAGED.map((index) => [index, damage] as const));
  it.each(cases)('keeps all intact pictures if the chunks of segment %i are %s', async (index, damage) => {
    const undamaged = decodedFrames(await read(window), format).video;
    expect(undamaged).toHaveLength(SECONDS * 25);
    const parts = window.tracks.flatMap(({ track }) => window.segments(track.id)[index]?.segment.parts ?? []);
    const ranges = parts.flatMap(({ pieces }) => pieces.flatMap((piece) => ('file' in piece ? [piece] : [])));
    const intact = new Map(stage.disks.files);
    for (const [path, bytes] of intact) {
      const damaged = DAMAGES[damage]?.(Buffer.from(bytes), ranges);
      if (damaged) stage.disks.files.set(path, damaged);
    }
    await stage.files.close();
    const expected = {
      'missing with their file': undefined,
      'cut off with the rest of the file': undamaged.slice(0, index * 50),
    }[damage] ?? [...undamaged.slice(0, index * 50), ...undamaged.slice((index + 1) * 50)];
    try {
      const isNothing =
        damage === 'missing with their file' || (index === 0 && damage === 'cut off with the rest of the file');
      if (isNothing && format === 'mp4') await expect(read(window)).rejects.toThrow(RangeError);
      else if (isNothing) expect(await read(window)).toHaveLength(0);
      else expect(decodedFrames(await read(window), format).video).toEqual(expected);
    } finally {
      for (const [path, bytes] of intact) stage.disks.files.set(path, bytes);
      await stage.files.close();
    }
  });
});
