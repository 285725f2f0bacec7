import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExportJobObject } from '../../../src-preload/contract/api/export-job-object.ts';
import type { BlockPiece } from '../../../src-main/dvr/block/block-index.ts';
import { scanBlock } from '../../../src-main/dvr/block/block-scan.ts';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { until } from '../../helpers/until.ts';
import { writeArchive } from '../../helpers/written-archive.ts';

// Archives with a damaged segment, or a missing block, in every form: all other pictures are played.

const run = promisify(execFile);
/** Two blocks of 20 s, with ten pictures in each segment of two seconds. */
const SECONDS = 40;
const PICTURES = SECONDS * 5;
const SEGMENT_PICTURES = 10;
/** Index of the damaged segment in its block. */
const SEGMENT = 4;

interface Damage {
  /** Block with the damage: 0 or 1. */
  readonly block: number;
  /** Number of lost pictures; `lostWithSound` is used for forms that read the tracks of a segment together. */
  readonly lost: number;
  readonly lostWithSound?: number;
  /** Damages the bytes of a block; undefined to remove the block. */
  readonly change?: (bytes: Buffer, pieces: readonly BlockPiece[]) => Buffer;
  readonly segment?: number;
}

const zeroed = (bytes: Buffer, pieces: readonly BlockPiece[]): Buffer => {
  for (const { offset, sizeBytes } of pieces) bytes.fill(0, offset, offset + sizeBytes);
  return bytes;
};

const DAMAGES = {
  zeroed: { block: 1, lost: SEGMENT_PICTURES, change: zeroed },
  first: { block: 0, lost: SEGMENT_PICTURES, change: zeroed, segment: 0 },
  overwritten: {
    block: 1,
    lost: SEGMENT_PICTURES,
    change: (bytes, pieces) => {
      for (const { offset } of pieces) bytes.fill(0xff, offset, offset + 16);
      return bytes;
    },
  },
  cut: {
    block: 1,
    // Everything after the first four segments; the audio of some of them is after the cut.
    lost: PICTURES / 2 - SEGMENT * SEGMENT_PICTURES,
    lostWithSound: PICTURES / 2,
    change: (bytes, pieces) => bytes.subarray(0, Math.min(...pieces.map(({ offset }) => offset)) + 20),
  },
  missing: { block: 1, lost: PICTURES / 2 },
  start: { block: 0, lost: PICTURES / 2 },
} as const satisfies Record<string, Damage>;
type Kind = keyof typeof DAMAGES;
const KINDS = Object.keys(DAMAGES) as readonly Kind[];

let server: AirdeskProcess;
let fromSeconds = 0;

beforeAll(async () => {
  server = await AirdeskProcess.start('dvr main { root archive; disk one; }');
  fromSeconds = Math.floor(Date.now() / 60_000) * 60 - 600 - SECONDS / 2;
  const disk = join(server.folder, 'data/archive/one');
  for (const kind of KINDS) {
    await writeArchive(disk, kind, fromSeconds * 1000, SECONDS);
    const added = await fetch(`${server.url}/streamer/api/v3/streams/${kind}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ inputs: [{ url: 'publish://' }], dvr: { root: '@main', expiration: 604_800 } }),
    });
    expect(added.status).toBe(200);
  }
  for (const kind of KINDS)
    await until(
      `the archive ${kind}`,
      async () => (await listed(kind)) === SECONDS,
      20_000,
      () => server.printed,
    );
  for (const kind of KINDS) await damage(join(disk, kind), DAMAGES[kind]);
}, 120_000);

afterAll(async () => {
  await server?.dispose();
});

async function damage(folder: string, { block, change, segment = SEGMENT }: Damage): Promise<void> {
  const blocks = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mp4'));
  expect(blocks).toHaveLength(2);
  const path = join(folder, blocks.sort()[block] ?? '');
  if (!change) {
    rmSync(path);
    return;
  }
  const bytes = readFileSync(path);
  const read = async (offset: number, size: number): Promise<Uint8Array> =>
    Promise.resolve(bytes.subarray(offset, offset + size));
  const { index } = (await scanBlock({ read }, bytes.length)) ?? {};
  const pictures = index?.segments.filter(({ trackNumber }) => trackNumber < 100) ?? [];
  const startTicks = pictures[segment]?.startTicks ?? 0;
  const sound = index?.segments.filter(({ trackNumber }) => trackNumber >= 100)[segment];
  expect(startTicks).toBeGreaterThan(0);
  writeFileSync(path, change(bytes, [...(pictures[segment]?.pieces ?? []), ...(sound?.pieces ?? [])]));
}

function address(kind: Kind, form: string, track = ''): string {
  return `${server.url}/${kind}/${track}archive-${fromSeconds - 2}-${SECONDS + 5}.${form}`;
}

async function list(kind: Kind, track = 'v1/'): Promise<string> {
  return (await fetch(address(kind, 'm3u8', track))).text();
}

/** Duration of a playlist in whole seconds. */
async function listed(kind: Kind): Promise<number> {
  return Math.round(
    [...(await list(kind)).matchAll(/#EXTINF:([0-9.]+)/g)].reduce((sum, [, length]) => sum + Number(length), 0),
  );
}

/** Number of pictures that ffmpeg decodes. */
async function pictures(from: string): Promise<number> {
  const { stdout } = await run(
    'ffmpeg',
    ['-v', 'error', '-nostdin', '-i', from, '-map', '0:v:0', '-fps_mode', 'passthrough', '-f', 'framemd5', '-'],
    { maxBuffer: 64 << 20 },
  );
  return stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
}

describe.each(KINDS)('an archive with the damage "%s"', (kind) => {
  const { lost, lostWithSound = lost }: Damage = DAMAGES[kind];

  // ffmpeg does not detect the format of a DASH track that starts with 20 s without media.
  const forms = ['m3u8', 'ts.m3u8', 'ts', 'mp4', ...(kind === 'start' ? [] : ['mpd'])];

  it.each(forms)('plays all undamaged pictures as .%s', async (form) => {
    expect(await pictures(address(kind, form)), server.printed).toBe(
      PICTURES - (form === 'mp4' ? lostWithSound : lost),
    );
  });

  it('lists damaged segments as gaps, and answers requests for each segment with media', async () => {
    for (const track of ['v1', 'a1']) {
      const segments = (await list(kind, `${track}/`)).split('\n').filter((line) => line.endsWith('.m4s'));
      for (const one of segments) {
        const answered = await fetch(`${server.url}/${kind}/${track}/${one}`);
        const bytes = Buffer.from(await answered.arrayBuffer());
        expect([answered.status, bytes.toString('latin1', 4, 8)]).toEqual([200, expect.stringMatching(/moof|prft/)]);
      }
    }
    if ('change' in DAMAGES[kind])
      expect((await list(kind)).split('#EXT-X-GAP').length - 1).toBe(DAMAGES[kind].lost / SEGMENT_PICTURES);
  });

  it('is exported without the damaged parts, and the export job reports them', async () => {
    const created = await fetch(`${server.url}/streamer/api/v3/dvr_export_jobs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: kind, from: fromSeconds * 1000, duration: SECONDS * 1000 }),
    });
    const { id } = (await created.json()) as ExportJobObject;
    const job = await until(
      'the export',
      async () => {
        const answered = await fetch(`${server.url}/streamer/api/v3/dvr_export_jobs/${id}`);
        const one = (await answered.json()) as ExportJobObject;
        return one.status === 'done' || one.status === 'failed' ? one : undefined;
      },
      20_000,
    );
    expect(job).toMatchObject({ status: 'done', error: null });
    const [file] = job.files;
    expect(await pictures(file?.path ?? '')).toBe(PICTURES - lostWithSound);
    if (DAMAGES[kind].block === 0) expect(file?.from).toBeGreaterThan(fromSeconds * 1000 + 1000);
    else expect(file?.gaps).not.toEqual([]);
  });
});
