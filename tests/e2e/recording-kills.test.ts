import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scanBlock, type ScannedBlock } from '../../src-main/dvr/block/block-scan.ts';
import { endOf } from '../../src-main/dvr/recovery.ts';
import { trackNumber } from '../../src-main/media/track.ts';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { unitDigests } from '../helpers/clip-files.ts';
import { EncoderProcess } from '../helpers/encoder-process.ts';
import { markedClip } from '../helpers/marked-clip.ts';
import { fileOf } from '../helpers/recording-stage.ts';
import { until } from '../helpers/until.ts';

/** Number of crashes. Set it to 30 for an endurance test. */
const KILLS = Number(process.env['AIRDESK_KILLS'] ?? 2);
const STREAMS = Array.from({ length: 10 }, (_, index) => `c${index}`);
/** Duration of each run before its end, in milliseconds. */
const RUN_MS = 3000;
const LAST_CLIP = { seconds: 4 };
/** Maximum distance between consecutive blocks in milliseconds: an audio frame. */
const JOIN_MS = 50;

const TRACKS = [
  ['v:0', 'video'],
  ['a:0', 'sound'],
] as const;

let server: AirdeskProcess;
let encoder: EncoderProcess | undefined;

beforeAll(async () => {
  const [first = '', ...copies] = STREAMS;
  server = await AirdeskProcess.start(
    [
      'dvr main { root archive; disk one; disk two; }',
      `stream ${first} { input publish://; segment_duration 1; dvr @main; }`,
      ...copies.map((name) => `stream ${name} { input copy://${first}; segment_duration 1; dvr @main; }`),
    ].join('\n'),
  );
});

afterAll(async () => {
  await encoder?.stop();
  await server.dispose();
});

interface FoundBlock extends ScannedBlock {
  readonly path: string;
}

/** Blocks of a stream on disk, oldest first, each up to its first damage. */
async function blocks(stream: string): Promise<FoundBlock[]> {
  const found: FoundBlock[] = [];
  for (const disk of ['one', 'two']) {
    const folder = join(server.folder, 'data/archive', disk, stream);
    if (!existsSync(folder)) continue;
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.mp4')) continue;
      const bytes = readFileSync(join(folder, name));
      const block = await scanBlock(fileOf(bytes), bytes.length);
      if (block) found.push({ ...block, path: join(folder, name) });
    }
  }
  return found.sort((a, b) => a.head.startMs - b.head.startMs);
}

/** End of the recording of a stream on disk in epoch milliseconds. */
function endMs(found: readonly FoundBlock[]): number {
  return Math.max(0, ...found.map(({ head, index }) => endOf(head, index)));
}

/** Recorded ranges of a stream, from the catalog. */
async function ranges(stream: string): Promise<{ from: number; duration: number }[]> {
  const reply = await fetch(`${server.url}/streamer/api/v3/streams/${stream}/dvr/ranges`);
  return ((await reply.json()) as { ranges: { from: number; duration: number }[] }).ranges;
}

it(
  'keeps the recordings of ten streams except for the last second at each crash of the server',
  async () => {
    const clips: { readonly clip: string; readonly fromMs: number; readonly endMs: number }[] = [];
    const lostMs: number[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const fromMs = Date.now();
      encoder = EncoderProcess.publish({ url: `${server.rtmpUrl}/static/c0` });
      const listedEndsMs = new Map<string, number>();
      for (const name of STREAMS)
        await until(
          `${RUN_MS} ms of ${name}`,
          async () => {
            const last = (await ranges(name)).at(-1);
            if (!last || last.from * 1000 < fromMs - 1000 || last.duration * 1000 < RUN_MS) return false;
            listedEndsMs.set(name, (last.from + last.duration) * 1000);
            return true;
          },
          60_000,
          () => server.printed,
        );
      const killedMs = Date.now();
      await server.kill();
      await encoder.stop('SIGKILL');
      for (const name of STREAMS) {
        const reachedMs = endMs(await blocks(name));
        // Everything up to the end in the catalog (whole seconds) is on disk.
        expect(reachedMs).toBeGreaterThanOrEqual((listedEndsMs.get(name) ?? Infinity) - 2000);
        lostMs.push(killedMs - reachedMs);
        if (name === 'c0') clips.push({ clip: markedClip(), fromMs: fromMs - 1000, endMs: reachedMs });
      }
      await server.crash();
    }
    const fromMs = Date.now();
    encoder = EncoderProcess.publish({ url: `${server.rtmpUrl}/static/c0` }, LAST_CLIP);
    await encoder.ended();
    await until(
      'the end of the clip',
      async () => ((await ranges('c9')).at(-1)?.duration ?? 0) >= LAST_CLIP.seconds - 1,
      60_000,
      () => server.printed,
    );
    expect(await server.stop()).toBe(0);
    clips.push({ clip: markedClip(LAST_CLIP), fromMs: fromMs - 1000, endMs: Infinity });

    for (const name of STREAMS) {
      const found = await blocks(name);
      expect(found.every(({ isFinished }) => isFinished)).toBe(true);
      for (const { fromMs: startMs, endMs: stopMs } of clips) {
        const run = found.filter(({ head }) => head.startMs >= startMs && head.startMs < stopMs);
        for (const [index, block] of run.entries()) {
          const before = run[index - 1];
          if (before) expect(Math.abs(block.head.startMs - endOf(before.head, before.index))).toBeLessThan(JOIN_MS);
          const marks = block.index.segments.filter(({ isDiscontinuity }) => isDiscontinuity);
          expect(marks.map(({ trackNumber: number }) => number).sort()).toEqual(
            index === 0 ? [trackNumber('v1'), trackNumber('a1')].sort() : [],
          );
        }
      }
    }
    // The blocks contain the packets of the encoder: from the start for a crashed run, and all of them for the last
    // run.
    const found = await blocks('c0');
    const runs = clips.map(({ clip, fromMs: startMs, endMs: stopMs }) => {
      const ofRun = found.filter(({ head }) => head.startMs >= startMs && head.startMs < stopMs);
      return { clip, paths: ofRun.map(({ path }) => path) };
    });
    const expected = TRACKS.flatMap(([stream]) =>
      runs.flatMap(({ clip, paths }) => [clip, ...paths].map((path) => [path, stream] as const)),
    );
    const digests = unitDigests(expected).values();
    for (const [, id] of TRACKS)
      for (const [run, { paths }] of runs.entries()) {
        const sent = digests.next().value ?? [];
        const recorded = paths.flatMap(() => digests.next().value ?? []);
        expect(recorded.length, `${id} of run ${run}`).toBeGreaterThan(RUN_MS / 100);
        // A stream starts at its first picture: earlier audio is missing in the live stream as well.
        const from = sent.indexOf(recorded[0] ?? '');
        expect(from).toBeLessThanOrEqual(id === 'video' ? 0 : 2);
        expect(recorded).toEqual(
          run === clips.length - 1 ? sent.slice(from) : sent.slice(from, from + recorded.length),
        );
      }
    if (KILLS > 2) {
      const sorted = lostMs.sort((a, b) => a - b);
      process.stdout.write(
        `lost, ms: median ${sorted[sorted.length >> 1]}, most ${sorted.at(-1)}, of ${sorted.length}\n`,
      );
    }
  },
  180_000 + KILLS * 30_000,
);
