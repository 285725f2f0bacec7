import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ffmpeg, testSources } from '../../../tests/helpers/ffmpeg-media.ts';
import { RecordingSink } from '../../../tests/helpers/recording-sink.ts';
import { MpegTsReader } from '../../media/containers/mpegts/reader.ts';
import type { MediaItem } from './media-item.ts';
import { PlaylistSplices } from './playlist-splices.ts';
import { RenditionQueue, type RenditionUnit } from './rendition-queue.ts';
import { RenditionUnits } from './rendition-units.ts';

const PACKET_BYTES = 188;
const FRAME_TICKS = 3600;

const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-bf', '2', '-b:v', '2M', '-x264-params'];
const media = ffmpeg([
  ...testSources(4, 1),
  ...video,
  'slices=3:scenecut=0',
  '-c:a',
  'aac',
  '-f',
  'mpegts',
  '-pat_period',
  '0.1',
]);

/** The file in segments of `packets` packets, which may end inside pictures and audio frames. */
function cut(packets: number): Buffer[] {
  const segments: Buffer[] = [];
  for (let at = 0; at < media.length; at += packets * PACKET_BYTES)
    segments.push(Buffer.from(media.subarray(at, at + packets * PACKET_BYTES)));
  return segments;
}

/** The same segments with continuity counters that restart at 0 in each segment. */
function recounted(segments: readonly Buffer[]): Buffer[] {
  return segments.map((segment) => {
    const counters = new Map<number, number>();
    for (let at = 0; at < segment.length; at += PACKET_BYTES) {
      if ((segment[at + 3]! & 0x10) === 0) continue;
      const pid = segment.readUInt16BE(at + 1) & 0x1fff;
      const counter = counters.get(pid) ?? 0;
      segment[at + 3] = (segment[at + 3]! & 0xf0) | counter;
      counters.set(pid, (counter + 1) & 0x0f);
    }
    return segment;
  });
}

const item = (msn: number, extra: Partial<MediaItem> = {}): MediaItem => {
  return { msn, uri: `${msn}.ts`, keys: [], durationMs: 1000, era: 0, isAfterGap: false, ...extra };
};

interface Read {
  readonly units: RenditionUnit['unit'][];
  readonly problems: string[];
  /** Presentation time of the picture after each cue. */
  readonly cues: (number | undefined)[];
}

function read(segments: readonly Buffer[], extras: Readonly<Record<number, Partial<MediaItem>>> = {}): Read {
  const problems: string[] = [];
  const problem = ({ code }: { readonly code: string }): void => void problems.push(code);
  const queue = new RenditionQueue({ content: 'all', problem, splices: new PlaylistSplices(problem) });
  const reader = new RenditionUnits(queue);
  const [units, cues]: [Read['units'], Read['cues']] = [[], []];
  const drain = (isLast: boolean): void => {
    while (queue.head && (isLast || queue.isReady)) {
      if (queue.head.kind === 'unit') units.push(queue.head.unit);
      else cues.push(queue.head.message.atTicks);
      queue.shift();
    }
  };
  for (const [index, bytes] of segments.entries()) {
    expect(reader.open({ item: item(index, extras[index]), bytes })).toBe(true);
    do drain(false);
    while (reader.step());
  }
  reader.finish();
  drain(true);
  return { units, problems, cues };
}

function readAll(): RecordingSink {
  const sink = new RecordingSink();
  const reader = new MpegTsReader(sink);
  reader.push(media);
  reader.flush();
  return sink;
}

const digest = (units: Read['units']): unknown[] =>
  units.map(({ data, ...unit }) => ({ ...unit, data: createHash('sha1').update(data).digest('hex') }));

const of = (units: Read['units'], trackId: string): Read['units'] => units.filter((unit) => unit.trackId === trackId);

describe('MPEG-TS segments that end inside pictures and frames', () => {
  const expected = readAll();
  const ways: readonly [string, (segments: readonly Buffer[]) => readonly Buffer[]][] = [
    ['continuing', (segments) => segments],
    ['restarting', recounted],
  ];

  it.each([97, 150, 331].flatMap((packets) => ways.map(([name, change]) => [packets, name, change] as const)))(
    'are joined with %i packets per segment and %s continuity counters',
    (packets, _, change) => {
      const segments = change(cut(packets));
      expect(segments.length).toBeGreaterThan(2);
      const { units, problems } = read(segments);
      expect(problems).toEqual([]);
      for (const id of ['v1', 'a1']) expect(digest(of(units, id)), id).toEqual(digest(expected.units(id)));
      expect(of(units, 'v1')).toHaveLength(100);
    },
  );

  it.each([
    ['a gap', { isAfterGap: true }],
    ['a discontinuity', { era: 1 }],
  ])('are not joined across %s', (_, extra) => {
    const segments = cut(150);
    const joined = read([...segments.slice(0, 2), ...segments.slice(3)], { 2: { ...extra, msn: 3 } });
    const all = expected.units('v1');
    for (const unit of of(joined.units, 'v1').slice(0, -1)) {
      const same = all.find(({ dtsTicks }) => dtsTicks === unit.dtsTicks);
      if (!same) throw new Error(`There is no picture at ${unit.dtsTicks}.`);
      // The picture cut by the gap may be incomplete, but never contains bytes from after the gap.
      expect(Buffer.from(same.data).includes(Buffer.from(unit.data.subarray(5, 100)))).toBe(true);
    }
    expect(joined.units.length).toBeLessThan(expected.units().length);
  });
});

it('cues of a segment are placed before its first picture, not before the picture that ends in it', () => {
  // One segment per GOP: each starts with the tables and its key frame.
  const starts: number[] = [];
  for (let at = 0; at < media.length; at += PACKET_BYTES) {
    const isStart = (media.readUInt16BE(at + 1) & 0x5fff) === 0x4100;
    if (isStart && (media[at + 3]! & 0x20) !== 0 && (media[at + 5]! & 0x40) !== 0) starts.push(at);
  }
  expect(starts).toHaveLength(4);
  const segments = starts.map((start, index) => media.subarray(index === 0 ? 0 : start, starts[index + 1]));
  const keys = readAll()
    .units('v1')
    .filter(({ isRandomAccess }) => isRandomAccess)
    .map(({ ptsTicks }) => ptsTicks);
  const { cues, units } = read(segments, { 2: { marks: [{ kind: 'out', durationMs: 1000 }] } });
  expect(of(units, 'v1')).toHaveLength(100);
  expect(keys[1]! - keys[0]!).toBe(25 * FRAME_TICKS);
  expect(cues.at(-1)).toBe(keys[2]);
});
