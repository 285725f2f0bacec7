import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scanBlock, type ScannedBlock } from '../../src-main/dvr/block/block-scan.ts';
import { endOf } from '../../src-main/dvr/recovery.ts';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { EncoderProcess } from '../helpers/encoder-process.ts';
import { fileOf } from '../helpers/recording-stage.ts';
import { MachineStalls } from '../helpers/machine-stalls.ts';
import { until } from '../helpers/until.ts';

let server: AirdeskProcess;
let encoder: EncoderProcess | undefined;

beforeAll(async () => {
  server = await AirdeskProcess.start(
    'dvr main { root archive; disk one; }\nstream cam { input publish://; segment_duration 1; dvr @main 7d; }',
  );
});

afterAll(async () => {
  await encoder?.stop();
  await server.dispose();
});

interface FoundBlock extends ScannedBlock {
  readonly path: string;
  readonly sizeBytes: number;
}

/** Blocks on disk, oldest first, each read from its bytes. */
async function blocks(): Promise<FoundBlock[]> {
  const folder = join(server.folder, 'data/archive/one/cam');
  const found: FoundBlock[] = [];
  let names: string[] = [];
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mp4'));
  } catch {
    // No block exists yet.
  }
  for (const name of names) {
    const bytes = readFileSync(join(folder, name));
    const block = await scanBlock(fileOf(bytes), bytes.length);
    if (block) found.push({ ...block, path: join(folder, name), sizeBytes: bytes.length });
  }
  return found.sort((a, b) => a.head.startMs - b.head.startMs);
}

function recordedMs(found: readonly FoundBlock[]): number {
  return found.reduce((sum, { head, index }) => sum + endOf(head, index) - head.startMs, 0);
}

/** Fails if ffprobe or ffmpeg prints a message; returns the number of packets of each track. */
function probe({ path }: FoundBlock): number[] {
  const args = ['-v', 'error', '-count_packets', '-show_entries', 'stream=nb_read_packets', '-of', 'csv=p=0', path];
  const printed = execFileSync('sh', ['-c', 'exec ffprobe "$@" 2>&1', 'sh', ...args], { encoding: 'utf8' });
  const complaints = execFileSync('sh', ['-c', 'exec ffmpeg -v error -i "$1" -f null - 2>&1', 'sh', path], {
    encoding: 'utf8',
  });
  expect(complaints).toBe('');
  return printed.trim().split('\n').map(Number);
}

async function publish(): Promise<void> {
  encoder = EncoderProcess.publish({ url: `${server.rtmpUrl}/static/cam`, isEndless: true });
  await Promise.resolve();
}

it('records a publisher, keeps the recording except for the last second at a crash of the server, and continues afterwards', async () => {
  const machineStalls = MachineStalls.watch();
  await publish();
  await until(
    '6 s on disk',
    async () => recordedMs(await blocks()) > 6000,
    60_000,
    () => server.printed,
  );
  const stats = await fetch(`${server.url}/streamer/api/v3/streams/cam`).then(async (reply): Promise<unknown> =>
    reply.json(),
  );
  expect(stats).toMatchObject({ stats: { dvr_enabled: true } });
  // At a full minute, there may be no open block for a moment.
  const open = await until(
    'an open block',
    async () => (await blocks()).findLast(({ isFinished }) => !isFinished),
    20_000,
    () => server.printed,
  );
  const openMs = endOf(open.head, open.index);
  expect(Date.now() - openMs - machineStalls.totalMs).toBeLessThan(6000);
  machineStalls.close();

  await encoder?.stop();
  await server.crash();
  const left = await blocks();
  expect(recordedMs(left)).toBeGreaterThan(6000);
  for (const block of left) for (const count of probe(block)) expect(count).toBeGreaterThan(0);

  await publish();
  await until(
    'another block',
    async () => {
      const found = await blocks();
      return found.length > left.length && recordedMs(found) > recordedMs(left) + 4000;
    },
    60_000,
    () => server.printed,
  );
  // The catalog contains finished and unfinished blocks of the crashed server: the gap between the ranges is the time
  // without a server.
  const { ranges } = (await fetch(`${server.url}/streamer/api/v3/streams/cam/dvr/ranges`).then(async (reply) =>
    reply.json(),
  )) as { ranges: { from: number; duration: number }[] };
  expect(ranges).toHaveLength(2);
  expect(ranges[0]?.from).toBe(Math.floor((left[0]?.head.startMs ?? 0) / 1000));
  expect(ranges[1]?.from).toBeGreaterThanOrEqual(Math.floor(openMs / 1000));
  expect(ranges[1]?.duration).toBeGreaterThan(2);
  await encoder?.stop();
  expect(await server.stop()).toBe(0);
  const found = await blocks();
  expect(found.every(({ isFinished, endBytes, sizeBytes }) => isFinished && endBytes === sizeBytes)).toBe(true);
  for (const block of found) for (const count of probe(block)) expect(count).toBeGreaterThan(0);
  for (const [index, block] of found.entries()) {
    const before = found[index - 1];
    if (before) expect(block.head.startMs).toBeGreaterThanOrEqual(endOf(before.head, before.index) - 50);
  }
  const resumed = found.find(({ head }) => head.startMs > openMs);
  expect(resumed?.index.segments.filter(({ isDiscontinuity }) => isDiscontinuity).length).toBe(2);
}, 180_000);
