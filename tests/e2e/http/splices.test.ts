import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MpegTsWriter } from '../../../src-main/media/containers/mpegts/writer.ts';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { ffprobe } from '../../helpers/ffmpeg-media.ts';
import { spliceInsert } from '../../helpers/splice-sections.ts';
import { readStrictPlaylist, type ReadPlaylist } from '../../helpers/strict-playlist.ts';
import { testMedia } from '../../helpers/test-media.ts';
import { until } from '../../helpers/until.ts';

const FRAME_MS = 40;
const SPLICE_EVERY_MS = 6000;
const CLIP_SECONDS = 8;
const CLIP_SPLICE_SECONDS = 5;

let server: AirdeskProcess;
let folder: string;
let clip: Buffer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-splices-'));
  clip = markedClip();
  writeFileSync(join(folder, 'clip.ts'), clip);
  const picture = `fake:// width=160 height=90 gop=25 splice=${SPLICE_EVERY_MS / 1000}`;
  server = await AirdeskProcess.start(
    `allowed_paths ${folder};
     stream picture { input ${picture}; segment_count 20; }
     stream copied { input copy://picture; segment_count 20; }
     stream cues { input ${picture}; segment_count 20; hls_scte35 aws; }
     stream plain { input fake:// width=160 height=90 gop=25; segment_count 20; }
     stream clip { input file://${join(folder, 'clip.ts')}; segment_count 20; }`,
  );
});

afterAll(async () => {
  await server.dispose();
  rmSync(folder, { recursive: true });
});

/** Transport stream of 8 s with a break of 2 s that starts after five seconds, announced two seconds ahead. */
function markedClip(): Buffer {
  const media = testMedia();
  const writer = new MpegTsWriter([media.video, media.audio], { hasSplices: true });
  const firstTicks = 900_000;
  let isSent = false;
  for (const unit of media.units(CLIP_SECONDS, firstTicks)) {
    if (!isSent && unit.dtsTicks >= firstTicks + (CLIP_SPLICE_SECONDS - 2) * 90_000) {
      writer.splice(spliceInsert({ ptsTicks: firstTicks + CLIP_SPLICE_SECONDS * 90_000, durationMs: 2000 }));
      isSent = true;
    }
    writer.accessUnit(unit);
  }
  return writer.take();
}

async function text(path: string): Promise<string> {
  const response = await fetch(`${server.url}/${path}`);
  return response.ok ? response.text() : '';
}

/** Playlist of a stream after at least this number of splice points. */
async function playlistAfter(stream: string, splices: number): Promise<ReadPlaylist> {
  return until(
    `${splices} splice points of ${stream}`,
    async () => {
      const shown = await text(`${stream}/v1/index.m3u8`);
      if (shown === '') return undefined;
      const playlist = readStrictPlaylist(shown);
      const endMs = playlist.segments.at(-1)?.dateMs ?? 0;
      return startsOf(playlist).filter((ms) => ms < endMs).length >= splices ? playlist : undefined;
    },
    60_000,
  );
}

/** Starts of breaks in epoch milliseconds. */
function startsOf({ dateRanges }: ReadPlaylist): number[] {
  return dateRanges.flatMap((range) => (range.has('SCTE35-OUT') ? [Date.parse(range.get('START-DATE') ?? '')] : []));
}

/** Starts of breaks that are missing in the MPD. */
async function missingInDash(stream: string, playlist: ReadPlaylist): Promise<number[]> {
  const mpd = await text(`${stream}/index.mpd`);
  const events = [...mpd.matchAll(/<Event presentationTime="(\d+)"/g)].map(([, at]) => Number(at));
  return startsOf(playlist).filter((at) => !events.includes(at));
}

/** Starts of breaks by the event id of their SCTE-35 section. */
function byEvent({ dateRanges }: ReadPlaylist): Map<string, number> {
  const outs = dateRanges.filter((range) => range.has('SCTE35-OUT'));
  return new Map(
    outs.map((range) => [range.get('ID')?.split('-')[1] ?? '', Date.parse(range.get('START-DATE') ?? '')]),
  );
}

/** Past splice points at which no segment starts. */
function missed(playlist: ReadPlaylist): number[] {
  const begins = playlist.segments.map(({ dateMs }) => dateMs ?? 0);
  const [firstMs = 0, lastMs = 0] = [begins[0], begins.at(-1)];
  return startsOf(playlist).filter(
    (at) => at > firstMs && at < lastMs && !begins.some((ms) => Math.abs(ms - at) <= FRAME_MS),
  );
}

describe.concurrent('splice points', () => {
  it('of the test picture are at their times in HLS and DASH, and segments start there', async () => {
    const playlist = await playlistAfter('picture', 2);
    expect(missed(playlist)).toEqual([]);
    const starts = startsOf(playlist);
    const gaps = starts.slice(1).map((ms, index) => ms - (starts[index] ?? 0));
    expect(gaps.length).toBeGreaterThan(0);
    for (const gap of gaps) expect(Math.abs(gap - SPLICE_EVERY_MS)).toBeLessThanOrEqual(FRAME_MS);
    expect(await missingInDash('picture', playlist)).toEqual([]);
  });

  it('are copied to the same pictures of a copied stream', async () => {
    const copied = await playlistAfter('copied', 2);
    expect(missed(copied)).toEqual([]);
    expect(await missingInDash('copied', copied)).toEqual([]);
    const original = byEvent(readStrictPlaylist(await text('picture/v1/index.m3u8')));
    // The copy has its own timeline: all splice points are shifted by the same duration.
    const late = [...byEvent(copied)].flatMap(([event, at]) =>
      original.has(event) ? [at - (original.get(event) ?? 0)] : [],
    );
    expect(late.length).toBeGreaterThan(1);
    expect(Math.max(...late) - Math.min(...late)).toBeLessThanOrEqual(FRAME_MS);
    expect(Math.abs(late[0] ?? Infinity)).toBeLessThan(5000);
  });

  it('are EXT-X-CUE tags if configured', async () => {
    const cues = await until(
      'cues',
      async () => /#EXT-X-CUE-IN/.test(await text('cues/v1/index.m3u8')) && text('cues/v1/index.m3u8'),
      60_000,
    );
    expect(cues).toMatch(/#EXT-X-CUE-OUT:3\.000\n/);
    expect(cues).not.toContain('DATERANGE');
  });

  it('of a file are repeated when the file is repeated', async () => {
    expect(ffprobe(clip, ['-show_entries', 'stream=codec_name', '-of', 'csv=p=0'])).toContain('scte_35');
    const playlist = await playlistAfter('clip', 2);
    expect(missed(playlist)).toEqual([]);
    expect(await missingInDash('clip', playlist)).toEqual([]);
    const [first = 0, second = 0] = startsOf(playlist);
    expect(Math.abs(second - first - CLIP_SECONDS * 1000)).toBeLessThan(100);
  });

  it('can be started, cancelled and refused by the API', async () => {
    const post = async (body: object, stream = 'plain'): Promise<[number, Record<string, unknown>]> => {
      const reply = await fetch(`${server.url}/mediaserver/api/v3/streams/${stream}/ads/splice_insert`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      return [reply.status, (await reply.json()) as Record<string, unknown>];
    };
    await server.streamWhere('plain', 'frames', ({ alive }) => alive);
    const [status, body] = await post({ duration: 4 });
    expect([status, body['kind']]).toEqual([202, 'out']);
    const listed = async (): Promise<readonly Record<string, unknown>[]> => {
      const { splices } = JSON.parse(await text('streamer/api-v4/splices/plain')) as {
        splices: Record<string, unknown>[];
      };
      return splices;
    };
    const isListed = async (id: unknown): Promise<boolean> => (await listed()).some((one) => one['event_id'] === id);
    expect((await post({ at: Date.now() + 60_000, event_id: 77 }))[0]).toBe(202);
    await until('the announced break', () => isListed(77), 20_000);
    expect((await post({ kind: 'cancel', event_id: 77 }))[0]).toBe(202);
    await until('the end of the cancelled break', async () => !(await isListed(77)), 20_000);
    const shown = await listed();
    expect(shown.find((splice) => splice['event_id'] === body['event_id'])).toMatchObject({
      kind: 'out',
      at: body['at'],
      duration: 4000,
      auto_return: true,
      command: 'splice_insert',
    });
    const playlist = await playlistAfter('plain', 1);
    expect(Math.abs((startsOf(playlist)[0] ?? 0) - Number(body['at']))).toBeLessThanOrEqual(FRAME_MS);
    const codes = async (...given: Parameters<typeof post>): Promise<unknown> => {
      const [code, { errors }] = await post(...given);
      return [code, (errors as { code: string }[])[0]?.code];
    };
    expect(await codes({}, 'none')).toEqual([404, 'stream_not_found']);
    expect(await codes({ at: 1 })).toEqual([400, 'bad_value']);
    expect(await codes({ kind: 'in', duration: 3 })).toEqual([400, 'bad_value']);
    expect(await codes({ kind: 'cancel' })).toEqual([400, 'bad_value']);
  });
});
