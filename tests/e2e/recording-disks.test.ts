import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { decodedFrames } from '../helpers/decoded-frames.ts';
import { EncoderProcess } from '../helpers/encoder-process.ts';
import { until } from '../helpers/until.ts';

// Copies of recordings on disks that are removed, returned and replaced by empty disks. Each disk is a separate file
// system.

const STORAGE = '/streamer/api/v3/dvrs/main';
const DISKS = ['a', 'b', 'c'] as const;
type Disk = (typeof DISKS)[number];

let server: AirdeskProcess;

beforeAll(async () => {
  server = await AirdeskProcess.start(
    `dvr main { root archive; raid 1; disk a; disk b; disk c readonly; }
stream cam { input publish://; segment_duration 1; source_timeout 2; dvr @main; }`,
    { disks: Object.fromEntries(DISKS.map((disk) => [`data/archive/${disk}`, '200m'])) },
  );
});

afterAll(() => server?.dispose());

/** Names of the blocks on a disk. */
function blocks(disk: Disk): string[] {
  const folder = server.hostPath(`data/archive/${disk}`);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.mp4')).sort();
}

async function ranges(): Promise<{ from: number; duration: number }[]> {
  const reply = await fetch(`${server.url}/streamer/api/v3/streams/cam/dvr/ranges`);
  return ((await reply.json()) as { ranges: { from: number; duration: number }[] }).ranges;
}

/**
 * Hashes of the pictures of the first range of the archive, as sent to a viewer.
 *
 * @param isNewest whether the range is the newest one. Its last two segments are left out then, because the file would
 * wait for further recording.
 */
async function played(isNewest = false): Promise<readonly string[]> {
  const [first] = await ranges();
  const { from = 0, duration = 0 } = first ?? {};
  const seconds = isNewest ? Math.floor(duration) - 2 : Math.ceil(duration) + 1;
  const reply = await fetch(`${server.url}/cam/archive-${Math.floor(from)}-${seconds}.mp4`);
  expect(reply.status).toBe(200);
  return decodedFrames(new Uint8Array(await reply.arrayBuffer()), 'mp4').video;
}

interface Job {
  readonly status: string;
  readonly error?: string;
  readonly faults: readonly { readonly disk: string; readonly path: string }[];
}

/** Starts a job on archives, and waits for its end; returns its state. */
async function runJob(job: 'copies' | 'consistency-check'): Promise<Job> {
  const url = `${server.url}/streamer/api-v4/dvr/${job}`;
  // The server may be running such a job already.
  await until(`the start of ${job}`, async () => (await fetch(url, { method: 'POST' })).status === 200, 60_000);
  return until(
    `the end of ${job}`,
    async () => {
      const state = (await (await fetch(url)).json()) as Job;
      return state.status !== 'running' && state;
    },
    60_000,
  );
}

async function setModes(expected: Readonly<Record<Disk, string>>): Promise<void> {
  const disks = DISKS.map((path) => ({ path, mode: expected[path] }));
  const reply = await fetch(`${server.url}${STORAGE}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ disks }),
  });
  expect([reply.status, await reply.text()]).toEqual([200, expect.anything()]);
}

it('plays from a copy while a disk is removed, uses the disk again when it returns, copies to an empty disk, and empties retired disks', async () => {
  const print = (): string => server.printed;
  const encoder = EncoderProcess.publish({ url: `${server.rtmpUrl}/static/cam`, isEndless: true });
  await until('6 s', async () => ((await ranges())[0]?.duration ?? 0) >= 6, 60_000, print);
  await encoder.stop();
  const isCopied = (): boolean => blocks('a').length > 0 && blocks('a').join() === blocks('b').join();
  await until('a copy of each block', isCopied, 60_000, print);
  const [block = ''] = blocks('a');
  const before = await played(true);
  expect(before.length).toBeGreaterThan(50);

  const pulled = server.pull('data/archive/a');
  expect(blocks('a')).toEqual([]);
  expect(await played(true)).toEqual(before);

  // Only this disk returns, with the block under another name, so the catalog must be updated.
  const renamed = block.replace('.mp4', '-1.mp4');
  renameSync(join(pulled, block), join(pulled, renamed));
  server.pull('data/archive/b');
  const isAway = async (): Promise<boolean> =>
    /disk_up\{[^}]*a"[^}]*\} 0/.test(await server.text('/streamer/api-v4/dvr/metrics'));
  await until('a disk that is seen to be away', isAway, 30_000, print);
  server.remount('data/archive/a');
  const isListed = async (): Promise<boolean> => {
    const { faults } = await runJob('consistency-check');
    return !faults.some(({ disk }) => disk.endsWith('/a'));
  };
  await until('the blocks of the disk', isListed, 30_000, print);
  expect(await played(true)).toEqual(before);
  const again = EncoderProcess.publish({ url: `${server.rtmpUrl}/static/cam`, isEndless: true });
  // A recording across a minute has two blocks.
  await until('a recording', () => blocks('a').length >= 2, 30_000, print);
  await again.stop();
  server.remount('data/archive/b');
  const isCopiedBack = async (): Promise<boolean> =>
    (await runJob('copies')).status === 'done' && blocks('b').length === blocks('a').length;
  await until('a copy of the recording', isCopiedBack, 30_000, print);
  const names = blocks('b');
  const all = await played();
  expect(all.slice(0, before.length)).toEqual(before);
  expect(all.length).toBeGreaterThan(before.length);
  server.pull('data/archive/a');

  // An empty disk replaces the removed disk.
  server.mountEmpty('data/archive/a', '200m');
  expect(await runJob('copies')).toMatchObject({ status: 'done' });
  expect(blocks('a')).toEqual(names);

  await setModes({ a: 'normal', b: 'migrate', c: 'normal' });
  expect(await runJob('copies')).toMatchObject({ status: 'done' });
  await until('an empty disk', () => blocks('b').length === 0 && blocks('c').join() === names.join(), 60_000, print);
  await setModes({ a: 'abandon', b: 'normal', c: 'rescue' });
  // Moved blocks are on the only other disk, so there is no disk for a second copy.
  const isWithoutDisk = async (): Promise<boolean> => (await runJob('copies')).error?.includes('no_disk') === true;
  await until('a copy that finds no disk', isWithoutDisk, 30_000, print);
  await until('rescued blocks', () => blocks('b').join() === names.join(), 60_000, print);
  expect(blocks('c')).toEqual(names);
  expect(await played()).toEqual(all);
  server.pull('data/archive/c');
  expect(await played()).toEqual(all);
  // Nothing was written to the folders of missing disks.
  for (const disk of ['a', 'c'] as const) {
    const under = execFileSync('find', [join(server.folder, 'data/archive', disk), '-type', 'f'], { encoding: 'utf8' });
    expect(under).toBe('');
  }
  expect(await server.stop()).toBe(0);
}, 240_000);
