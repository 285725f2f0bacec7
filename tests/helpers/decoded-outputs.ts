import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prefixOf } from '../../src-main/packaging/address.ts';
import { progressiveMp4 } from '../../src-main/packaging/mp4/progressive.ts';
import { WholeMp4 } from '../../src-main/packaging/mp4/whole-file.ts';
import { muxTsSegment } from '../../src-main/packaging/mpegts/segment.ts';
import { readMedia } from '../../src-main/segment/media-bytes.ts';
import type { ChangingWindow, SegmentWindow } from '../../src-main/segment/segment-window.ts';
import { collectMedia } from './mp4-file.ts';

/** Times of a packet in seconds. */
export interface PacketTimes {
  readonly pts: number;
  readonly dts: number;
}

/** Hashes of the decoded frames of a track in order, and the stored times of its packets. */
export interface DecodedTrack {
  readonly digests: string[];
  readonly packets: PacketTimes[];
}

/** Tracks of some media as decoded by ffmpeg. */
export interface DecodedMedia {
  readonly video: DecodedTrack;
  readonly audio: DecodedTrack;
}

/** Result of one run of ffmpeg, with its messages. */
export interface DecodedFiles {
  readonly files: readonly DecodedMedia[];
  readonly complaints: string;
}

/** Named file: bytes, and the file name extension of the format. */
export interface NamedBytes {
  readonly name: string;
  readonly format: 'mp4' | 'ts' | 'aac';
  readonly bytes: Uint8Array;
}

/**
 * Outputs of a window: fMP4 with each init segment, TS segments, and an MP4 file if the format of the window never
 * changes.
 */
export async function outputsOf(window: ChangingWindow): Promise<NamedBytes[]> {
  const outputs: NamedBytes[] = [];
  for (const { track } of window.listedTracks ?? window.tracks)
    for (const [index, bytes] of (await fragmentsOf(window, track.id)).entries())
      outputs.push({ name: `fMP4 ${track.id} ${index}`, format: 'mp4', bytes });
  const [first] = window.tracks;
  const segments = [];
  for (const { msn } of first ? window.segments(first.track.id) : []) segments.push(await muxTsSegment(window, msn));
  outputs.push({ name: 'TS', format: 'ts', bytes: Buffer.concat(segments) });
  if (window.mutability === 'static') outputs.push({ name: 'MP4', format: 'mp4', bytes: await fileOf(window) });
  return outputs;
}

/** Init segment and media of each range of segments that share an init segment. */
async function fragmentsOf(window: SegmentWindow, trackId: string): Promise<Buffer[]> {
  const ranges: Uint8Array[][] = [];
  let initId: number | undefined;
  for (const entry of window.segments(trackId)) {
    const { segment } = entry;
    if (segment.isGap) continue;
    if (segment.initId !== initId) {
      const init = window.init(trackId, segment.initId, prefixOf(entry));
      if (!init) throw new Error(`there is no init segment ${segment.initId} of ${trackId}`);
      ranges.push([Uint8Array.from(await readMedia(init))]);
    }
    initId = segment.initId;
    for (const part of segment.parts) ranges.at(-1)?.push(Uint8Array.from(await readMedia(part)));
  }
  return ranges.map((pieces) => Buffer.concat(pieces));
}

async function fileOf(window: ChangingWindow): Promise<Buffer> {
  const file = await WholeMp4.of(window);
  if (!file) return (await collectMedia(progressiveMp4(window))).bytes;
  const pieces: Uint8Array[] = [];
  for await (const piece of file.read(0, file.sizeBytes)) pieces.push(Uint8Array.from(await readMedia(piece)));
  return Buffer.concat(pieces);
}

/** Decodes several files with one run of ffmpeg. Pictures keep their size. */
export function decodeAll(files: readonly NamedBytes[]): DecodedFiles {
  const folder = mkdtempSync(join(tmpdir(), 'airdesk-outputs-'));
  const report = (index: number, kind: string): string => join(folder, `${index}.${kind}`);
  try {
    const inputs = files.flatMap(({ bytes, format }, index) => {
      writeFileSync(report(index, format), bytes);
      return ['-threads', '1', '-i', report(index, format)];
    });
    const outputs = files.flatMap((_, index) => [
      '-map',
      String(index),
      '-fps_mode',
      'passthrough',
      '-autoscale',
      '0',
      '-threads',
      '1',
      '-f',
      'framemd5',
      report(index, 'frames'),
      '-map',
      String(index),
      '-c',
      'copy',
      '-f',
      'framemd5',
      report(index, 'packets'),
    ]);
    const args = ['-nostdin', '-v', 'error', '-copyts', '-filter_threads', '1', ...inputs, ...outputs];
    const { status, stderr } = spawnSync('ffmpeg', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    if (status !== 0) throw new Error(`ffmpeg ends with ${status}: ${stderr}`);
    const read = files.map((_, index): DecodedMedia => {
      const [frames, packets] = ['frames', 'packets'].map((kind) =>
        readReport(readFileSync(report(index, kind), 'utf8')),
      );
      const track = (type: string): DecodedTrack => ({
        digests: (frames?.get(type) ?? []).map(({ digest }) => digest),
        packets: packets?.get(type) ?? [],
      });
      return { video: track('video'), audio: track('audio') };
    });
    return { files: read, complaints: stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Parses the output of ffmpeg's muxer `framemd5`, by media type. */
function readReport(text: string): Map<string, (PacketTimes & { readonly digest: string })[]> {
  const types = new Map([...text.matchAll(/^#media_type (\d+): (\w+)$/gm)].map(([, index, type]) => [index, type]));
  const scales = new Map([...text.matchAll(/^#tb (\d+): 1\/(\d+)$/gm)].map(([, index, per]) => [index, Number(per)]));
  const found = new Map<string, (PacketTimes & { readonly digest: string })[]>();
  for (const line of text.trim().split('\n')) {
    if (line.startsWith('#')) continue;
    const [index = '', dts, pts, , , digest = ''] = line.split(',').map((field) => field.trim());
    const scale = scales.get(index) ?? NaN;
    const one = { digest, pts: Number(pts) / scale, dts: Number(dts) / scale };
    const type = types.get(index) ?? '';
    found.set(type, [...(found.get(type) ?? []), one]);
  }
  return found;
}
