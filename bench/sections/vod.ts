import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src-main/lib/clock.ts';
import { OpenFiles } from '../../src-main/vod/thread/open-files.ts';
import type { BenchContext } from '../context.ts';
import { HttpPlayer } from '../http-player.ts';
import { hasLoadGenerator } from '../load.ts';
import { recordingFolder } from '../nginx-peer.ts';
import { figuresOf, type Row } from '../row.ts';
import { segmentRounds } from '../segment-rounds.ts';

const SECTION = 'vod';
const FILM_SECONDS = 7200;
const QUICK_FILM_SECONDS = 1200;
/** Duration at which the segments of 4 Mbit/s take twice the size of the cache. */
const TELEVISION_SECONDS = 240;
/** Size below which a file is read completely, as in `compose/vod.ts`. */
const OUTLINE_FROM_BYTES = 16 << 20;
const threadEntry = new URL('../../src-main/index-thread.ts', import.meta.url);
/** Kinds of files, with the options of their muxers. */
const KINDS: readonly (readonly [name: string, file: string, muxer: readonly string[]])[] = [
  ['MP4', 'film.mp4', []],
  ['fragmented MP4', 'fragments.mp4', ['-movflags', '+frag_keyframe+empty_moov+default_base_moof']],
  ['MPEG-TS', 'film.ts', []],
  ['MKV', 'film.mkv', []],
];

/** Measures files of two hours: the time to open them in this process, and their segments compared with files on nginx. */
export async function vod(context: BenchContext): Promise<Row[]> {
  // Large files are on the disk, not in memory.
  const folder = join(recordingFolder(), 'films');
  mkdirSync(folder, { recursive: true });
  try {
    const seconds = context.isQuick ? QUICK_FILM_SECONDS : FILM_SECONDS;
    makeFilms(folder, seconds);
    const rows: Row[] = [];
    for (const [name, file] of KINDS) {
      context.say(`vod: ${name} of ${seconds / 60} minutes`);
      rows.push(...(await opening(folder, name, file, context.isQuick)));
    }
    if (hasLoadGenerator()) rows.push(...(await segments(context, folder)));
    return rows;
  } finally {
    rmSync(recordingFolder(), { recursive: true, force: true });
  }
}

function makeFilms(folder: string, seconds: number): void {
  const run = (args: readonly string[]): void => {
    execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { cwd: folder, stdio: 'inherit' });
  };
  const make = (source: string, length: number, rate: readonly string[], file: string): void => {
    const picture = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-bf', '2', '-pix_fmt', 'yuv420p'];
    const inputs = [source, 'sine=sample_rate=48000'].flatMap((text) => ['-f', 'lavfi', '-i', text]);
    run([...inputs, '-t', String(length), ...picture, ...rate, '-c:a', 'aac', file]);
  };
  make('testsrc2=size=320x180:rate=25', 60, ['-b:v', '400k'], 'minute.mkv');
  const steady = ['-b:v', '4M', '-minrate', '4M', '-maxrate', '4M', '-bufsize', '4M', '-x264-params', 'nal-hrd=cbr'];
  make('testsrc2=size=640x360:rate=25', TELEVISION_SECONDS, steady, 'television.mp4');
  for (const [, file, muxer] of KINDS)
    run(['-stream_loop', '-1', '-i', 'minute.mkv', '-t', String(seconds), '-c', 'copy', ...muxer, file]);
}

/** Measures the time to open a file for the first time, with a stored index, and when it is already open. */
async function opening(folder: string, name: string, file: string, isQuick: boolean): Promise<Row[]> {
  const cache = join(folder, 'cache');
  const [unindexed, restarted, reopened]: number[][] = [[], [], []];
  let indexBytes = 0;
  for (let round = 0; round < (isQuick ? 3 : 5); round++) {
    rmSync(cache, { recursive: true, force: true });
    for (const times of [unindexed, restarted]) {
      const files = new OpenFiles({
        clock: systemClock,
        threadEntry,
        storeFolder: cache,
        outlineFromBytes: OUTLINE_FROM_BYTES,
      });
      files.apply([{ prefix: 'films', roots: [folder], segmentMs: 6000 }]);
      times?.push(await open(files, file));
      reopened?.push(await open(files, file));
      indexBytes = files.memoryBytes;
      await files.close();
    }
  }
  const base = { section: SECTION, unit: 'ms', better: 'lower' } as const;
  return [
    { ...base, name: `${name}, opened for the first time`, ...figuresOf(unindexed ?? []) },
    { ...base, name: `${name}, opened after a restart`, ...figuresOf(restarted ?? []), target: 100 },
    { ...base, name: `${name}, opened again`, ...figuresOf(reopened ?? []), target: 5 },
    { ...base, name: `${name}, its index in memory`, unit: 'MB', ours: indexBytes / 1e6 },
  ];
}

async function open(files: OpenFiles, file: string): Promise<number> {
  const before = performance.now();
  const found = await files.open(`films/${file}`);
  if ('code' in found) throw new Error(found.detail);
  return performance.now() - before;
}

/**
 * Measures segments of two MP4 films, of low bitrate and of television quality, compared with files of the same bytes on
 * nginx.
 */
async function segments(context: BenchContext, folder: string): Promise<Row[]> {
  const ours = await context.ours.start(`vod films { storage ${folder}; }`);
  const peer = await context.peer?.start();
  try {
    const rows: Row[] = [];
    for (const [name, file, count] of [
      ['a segment of an MP4 file', 'film.mp4', 1],
      ['a segment of an MP4 file of 4 Mbit/s', 'television.mp4', 1],
      ['segments of an MP4 file of 4 Mbit/s in turn', 'television.mp4', Infinity],
    ] as const) {
      const player = new HttpPlayer(ours.httpPort);
      const list = (await player.get(`/films/${file}/v1/index.m3u8`)).body.toString();
      player.close();
      const names = list.match(/^[0-9a-f]+-\d+\.m4s$/gm) ?? [];
      const paths = names.slice(0, count).map((segment) => `/films/${file}/v1/${segment}`);
      rows.push(...(await segmentRounds(context, { section: SECTION, name, ours, peer, paths })));
    }
    return rows;
  } finally {
    await ours.stop();
    await peer?.stop();
  }
}
