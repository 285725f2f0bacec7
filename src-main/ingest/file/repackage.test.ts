import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { AccessUnit } from '../../media/access-unit.ts';
import { forEachSample } from '../../media/containers/isobmff/chunk-reader.ts';
import { chunkHeaderBytes } from '../../media/containers/isobmff/chunk-shape.ts';
import { writeChunkHeader } from '../../media/containers/isobmff/chunk.ts';
import { writeInitSegment } from '../../media/containers/isobmff/init-segment.ts';
import { readInitSegment } from '../../../tests/helpers/read-init-segment.ts';
import { createSampleTable } from '../../media/containers/isobmff/sample-table.ts';
import { trackNumber, type Track } from '../../media/track.ts';
import { bytesOfMemory, ClipFolder, H264, H265, CollectingSink, probe } from '../../../tests/helpers/clip-folder.ts';
import { openMovie } from '../../media/containers/isobmff/movie-file.ts';
import { Mp4Pass } from './mp4-pass.ts';

const folder = new ClipFolder();
afterAll(() => {
  folder.close();
});

/** A UTC timeline in the middle of this century: more than 2^47 ticks. */
const START_SECONDS = 2_500_000_000;
const CHUNK_SAMPLES = 13;

interface Placed {
  readonly dts: number;
  readonly pts: number;
  readonly duration: number;
  readonly unit: AccessUnit;
}

async function play(path: string): Promise<CollectingSink> {
  const sink = new CollectingSink();
  const file = bytesOfMemory(readFileSync(path));
  const movie = await openMovie(file);
  if (typeof movie === 'string') throw new Error(movie);
  const pass = new Mp4Pass(file, movie, sink, () => undefined);
  while (await pass.step());
  return sink;
}

/** Access units of a track on its own timescale, with durations that leave no gap. */
function place(track: Track, units: readonly AccessUnit[]): Placed[] {
  const toTicks = (ticks: number): number =>
    START_SECONDS * track.timescale + Math.round((ticks * track.timescale) / 90_000);
  return units.map((unit, index) => {
    const dts = toTicks(unit.dtsTicks);
    const next = units[index + 1];
    const before = units[index - 1];
    const duration = next ? toTicks(next.dtsTicks) - dts : dts - toTicks(before?.dtsTicks ?? 0);
    return { dts, pts: toTicks(unit.ptsTicks), duration, unit };
  });
}

function chunkOf(track: Track, placed: readonly Placed[], sequenceNumber: number): Uint8Array {
  const samples = createSampleTable(CHUNK_SAMPLES);
  const headBytes = chunkHeaderBytes(placed.length, { content: track.content, hasWall: true });
  const data = Buffer.concat([new Uint8Array(headBytes), ...placed.map(({ unit }) => unit.data)]);
  for (const { dts, pts, duration, unit } of placed) {
    const index = samples.count++;
    samples.sizes[index] = unit.data.length;
    samples.durations[index] = duration;
    samples.compositionOffsets[index] = pts - dts;
    samples.isSync[index] = unit.isRandomAccess ? 1 : 0;
  }
  const baseDecodeTicks = placed[0]?.dts ?? 0;
  const wall = { epochMs: START_SECONDS * 1000, mediaTicks: baseDecodeTicks };
  const start = writeChunkHeader(data, headBytes, {
    trackNumber: trackNumber(track.id),
    sequenceNumber,
    baseDecodeTicks,
    samples,
    content: track.content,
    wall,
  });
  return data.subarray(start);
}

const AAC = ['-c:a', 'aac', '-ac', '2'];
const clips: readonly (readonly [name: string, options: readonly string[]])[] = [
  ['h264-aac', [...H264, ...AAC, '-metadata:s:a:0', 'language=deu', '-vf', 'setsar=16/11']],
  ['h265-ac3', [...H265, '-c:a', 'ac3']],
  ['eac3', ['-vn', '-c:a', 'eac3']],
  ['opus', ['-vn', '-c:a', 'libopus']],
  ['mp3', ['-vn', '-c:a', 'libmp3lame']],
  ['mp3-low-rate', ['-vn', '-c:a', 'libmp3lame', '-ar', '22050']],
];

describe('written init segments and chunks', () => {
  it.each(clips)('of %s are read by ffprobe without warnings', async (name, options) => {
    const sink = await play(folder.make(`${name}.mp4`, options, 3));
    const tracks = sink.trackSets[0] ?? [];
    expect(tracks.length).toBeGreaterThan(0);
    for (const track of tracks) {
      const placed = place(
        track,
        sink.units.filter((unit) => unit.trackId === track.id),
      );
      const init = writeInitSegment(track);
      const chunks: Uint8Array[] = [];
      for (let at = 0; at < placed.length; at += CHUNK_SAMPLES)
        chunks.push(chunkOf(track, placed.slice(at, at + CHUNK_SAMPLES), chunks.length + 1));
      const path = join(folder.path, `${name}-${track.id}.mp4`);
      writeFileSync(path, Buffer.concat([init, ...chunks]));

      const { packets, timescales, streams } = probe(path);
      expect(timescales).toEqual([track.timescale]);
      const probed = packets.map((packet) => [
        packet.dts,
        packet.pts,
        Number(packet.size),
        packet.flags.startsWith('K'),
      ]);
      expect(probed).toEqual(placed.map(({ dts, pts, unit }) => [dts, pts, unit.data.length, unit.isRandomAccess]));
      if (track.content === 'video') {
        expect(streams[0]).toMatchObject({
          width: track.width,
          height: track.height,
          sample_aspect_ratio: `${track.sarWidth}:${track.sarHeight}`,
        });
      } else {
        expect(streams[0]).toMatchObject({
          codec_name: track.codec,
          channels: track.channels,
          sample_rate: String(track.sampleRate),
        });
        expect((streams[0]?.['tags'] as { language?: string } | undefined)?.language ?? 'und').toBe(
          track.language ?? 'und',
        );
      }

      const read = readInitSegment(init);
      const { sourceId: _sourceId, fps: _fps, profile: _profile, ...known } = { fps: 0, ...track };
      expect(read).toMatchObject(known);
      expect(read && writeInitSegment(read)).toEqual(init);

      const bytes = Buffer.concat(chunks);
      const samples: unknown[] = [];
      for (let at = 0; at >= 0 && at < bytes.length;) {
        at = forEachSample(
          bytes,
          (start, size, dts, pts, duration, isSync) => {
            samples.push([
              dts,
              pts,
              duration,
              isSync,
              Buffer.compare(bytes.subarray(start, start + size), placed[samples.length]?.unit.data ?? init),
            ]);
          },
          at,
        );
      }
      expect(samples).toEqual(
        placed.map(({ dts, pts, duration, unit }) => [dts, pts, duration, unit.isRandomAccess, 0]),
      );
    }
  });

  it('are refused without an exception if the init segment is truncated or damaged', async () => {
    const { trackSets } = await play(join(folder.path, 'h264-aac.mp4'));
    for (const track of trackSets[0] ?? []) {
      const init = writeInitSegment(track);
      for (let length = 0; length < init.length - 8; length += 7)
        expect(readInitSegment(init.subarray(0, length))).toBeUndefined();
      for (let at = 0; at < init.length; at++) {
        const damaged = init.slice();
        damaged[at] = (damaged[at] ?? 0) ^ 0xff;
        expect(() => readInitSegment(damaged)).not.toThrow();
      }
    }
  });
});
