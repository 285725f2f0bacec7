import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ArchiveStage } from '../../../tests/helpers/archive-stage.ts';
import { checkSums } from '../../../tests/helpers/check-sums.ts';
import { decodedFrames } from '../../../tests/helpers/decoded-frames.ts';
import { testMedia } from '../../../tests/helpers/test-media.ts';
import { settled } from '../../../tests/helpers/settled.ts';
import { piecesOf, type BlockTable } from '../../dvr/window/block-table.ts';
import { runExport, type ExportProgress } from './export-run.ts';
import { ExportFailure, type ExportTask } from './export-task.ts';

const SECONDS = 70;
const stage = new ArchiveStage();
const folder = mkdtempSync(join(tmpdir(), 'airdesk-export-'));
const media = testMedia();
let startMs = 0;

beforeAll(async () => {
  await stage.record();
  await play(SECONDS);
  startMs = stage.stream.window.bounds()?.fromMs ?? 0;
  await stage.idle(7000);
  await play(6);
  await stage.close();
});

/** Plays media in real time, yielding to the event loop so that the disk keeps up. */
async function play(seconds: number): Promise<void> {
  const { clock } = stage.stream;
  const atStartMs = clock.now();
  const units = [...media.units(seconds)];
  for (let from = 0; from < units.length; from += 50) {
    const some = units.slice(from, from + 50);
    clock.advance(Math.max(0, atStartMs + (some[0]?.dtsTicks ?? 0) / 90 - clock.now()));
    stage.stream.playUnits([media.video, media.audio], some);
    await settled();
  }
}

afterAll(() => {
  rmSync(folder, { recursive: true });
});

let count = 0;

function taskOf(change: Partial<ExportTask> = {}): ExportTask {
  const id = `job-${count++}`;
  return {
    id,
    fromMs: startMs,
    toMs: startMs + SECONDS * 1000,
    packing: 'mp4',
    reserveBytes: 0,
    streams: [{ stream: 'c/03', stem: join(folder, id), marks: [] }],
    ...change,
  };
}

async function run(task: ExportTask, progress: (now: ExportProgress) => void = () => undefined) {
  return runExport({
    task,
    tables: (stream) => async (time) => stage.tables.of(stream, time),
    encode: () => Promise.reject(new Error('nothing is encoded again')),
    picture: (stream, atMs) =>
      atMs < startMs
        ? Promise.reject(new ExportFailure('picture_not_available', { detail: `${stream}: Nothing is recorded there` }))
        : Promise.resolve(Buffer.from(`${stream} at ${atMs}`)),
    progress,
  });
}

/** All recorded pictures and audio, as in the live window. */
function source(): ReturnType<typeof decodedFrames> {
  return sourceFrames;
}
let sourceFrames: ReturnType<typeof decodedFrames> = { video: [], audio: [] };

describe('an export', () => {
  it('contains all pictures and audio of its time range across blocks, with size, hash and duration', async () => {
    const progress: ExportProgress[] = [];
    const [file] = await run(taskOf(), (now) => progress.push(now));
    const bytes = readFileSync(file?.path ?? '');
    expect(file).toMatchObject({ fromMs: startMs, sizeBytes: bytes.length, gapCount: 0, chapters: [] });
    expect(file?.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect((file?.durationMs ?? 0) / 1000).toBeCloseTo(SECONDS, 0);
    sourceFrames = decodedFrames(bytes, 'mp4');
    expect(sourceFrames.video).toHaveLength(SECONDS * 25);
    const last = progress.at(-1);
    expect(last?.writtenBytes).toBe(bytes.length);
  });

  it('contains the same media as a transport stream', async () => {
    const [file] = await run(taskOf({ packing: 'ts' }));
    expect(decodedFrames(readFileSync(file?.path ?? ''), 'ts')).toEqual(source());
  });

  it('includes complete segments that overlap the time range, and only the selected tracks', async () => {
    const task = taskOf({ fromMs: startMs + 61_000, toMs: startMs + 64_500, trackIds: ['v1'] });
    const [file] = await run(task);
    expect(file).toMatchObject({ fromMs: startMs + 60_000, durationMs: 6000 });
    const { video, audio } = decodedFrames(readFileSync(file?.path ?? ''), 'mp4');
    expect(video).toEqual(source().video.slice(1500, 1650));
    expect(audio).toEqual([]);
  });

  it('has chapters at marks, which ffprobe shows', async () => {
    const marks = [{ atMs: startMs + 10_000, title: 'Lock: case 12' }];
    const [file] = await run(taskOf({ streams: [{ stream: 'c/03', stem: join(folder, 'marked'), marks }] }));
    expect(file?.chapters).toEqual([
      { atMs: 0, title: 'Start' },
      { atMs: 10_000, title: 'Lock: case 12' },
    ]);
    const show = ['-v', 'error', '-show_chapters', '-of', 'json', file?.path ?? ''];
    const { chapters } = JSON.parse(execFileSync('ffprobe', show, { encoding: 'utf8' })) as {
      chapters: { start_time: string; tags: { title: string } }[];
    };
    expect(chapters.map(({ start_time: at, tags }) => [Number(at), tags.title])).toEqual([
      [0, 'Start'],
      [10, 'Lock: case 12'],
    ]);
  });

  it('keeps the duration of a gap, lists the gap and adds a chapter for it', async () => {
    const [file] = await run(taskOf({ fromMs: startMs + (SECONDS - 4) * 1000, toMs: startMs + (SECONDS + 15) * 1000 }));
    expect(file?.gapCount).toBe(1);
    const [gap] = file?.gaps ?? [];
    expect(gap?.atMs).toBe(4000);
    expect(gap?.durationMs).toBeGreaterThan(4000);
    expect(file?.chapters.at(-1)?.title).toMatch(/^Gap of [4-7]\.[0-9] s$/);
  });

  describe.each(['mp4', 'ts'] as const)('as %s', (packing) => {
    /** Pictures in four segments, some of which are damaged in the file. Each segment has 50 pictures. */
    const harmed = async (harm: (row: BlockTable, at: number, bytes: Buffer) => void, rows: readonly number[]) => {
      const [table] = await stage.tables.of('c/03', { startMs: startMs + 10_000, endMs: startMs + 18_000 });
      if (!table) throw new Error('no block');
      const path = `${table.disk}/${table.path}`;
      const kept = stage.disks.files.get(path);
      if (!kept) throw new Error('no file');
      const bytes = Buffer.from(kept);
      for (const row of rows) harm(table, row, bytes);
      stage.disks.files.set(path, bytes);
      await stage.files.close();
      try {
        const task = taskOf({ packing, fromMs: startMs + 10_000, toMs: startMs + 18_000, isExact: false });
        const files = await run(task);
        const decoded = decodedFrames(readFileSync(files[0]?.path ?? ''), packing);
        return { file: files[0], decoded };
      } finally {
        stage.disks.files.set(path, kept);
        await stage.files.close();
      }
    };
    /** Zeroes the header of the last chunk of a segment. */
    const zeroLast = (table: BlockTable, row: number, bytes: Buffer): void => {
      const { offset } = piecesOf(table.leader, row).at(-1) ?? { offset: 0 };
      bytes.fill(0, offset, offset + 64);
    };
    const zeroFirst = (table: BlockTable, row: number, bytes: Buffer): void => {
      const { offset } = piecesOf(table.leader, row)[0] ?? { offset: 0 };
      bytes.fill(0, offset, offset + 64);
    };

    it.each([
      ['once', zeroLast, [6]],
      ['in segments that follow each other', zeroFirst, [6, 7]],
    ] as const)('leaves a gap where media is damaged %s, and lists the gap', async (_, harm, rows) => {
      const { file, decoded } = await harmed(harm, rows);
      expect(file?.gapCount).toBe(1);
      expect(file?.gaps).toEqual([{ atMs: 2000, durationMs: rows.length * 2000 }]);
      const all = source().video.slice(250, 450);
      expect(decoded.video).toEqual([...all.slice(0, 50), ...all.slice(50 + rows.length * 50)]);
    });

    it('starts later if its first media is damaged', async () => {
      const { file, decoded } = await harmed(zeroFirst, [5]);
      expect(file).toMatchObject({ fromMs: startMs + 12_000, gapCount: 0 });
      expect(decoded.video).toEqual(source().video.slice(300, 450));
    });

    it('fails if no media can be read', async () => {
      await expect(harmed(zeroFirst, [5, 6, 7, 8, 9])).rejects.toMatchObject({ code: 'media_unreadable' });
    });
  });

  it('of a case is a folder of clips and stills, with descriptions and hashes', async () => {
    const item = (id: string, kind: 'clip' | 'still' | 'mark', fromMs: number, toMs: number | null) => ({
      id,
      kind,
      stream: 'c/03',
      fromMs,
      toMs,
      text: `text of ${id}`,
      by: 'pat',
      atMs: 7,
    });
    const items = [
      item('one', 'clip', startMs + 4000, startMs + 6000),
      item('two', 'still', startMs + 9000, null),
      item('three', 'mark', startMs + 9500, null),
      item('four', 'clip', startMs + 20_000, startMs + 22_000),
    ];
    const path = join(folder, 'goal');
    const clips = items.filter(({ kind }) => kind === 'clip');
    const task = taskOf({
      streams: clips.map(({ id, stream, fromMs, toMs }) => ({
        stream,
        item: id,
        stem: join(path, id),
        marks: [],
        time: { fromMs, toMs: toMs ?? 0 },
      })),
      folder: {
        path,
        stills: [{ item: 'two', stream: 'c/03', atMs: startMs + 9000, path: join(path, 'two.jpg') }],
        manifest: { id: 'case-1', title: 'Goal', note: 'or not', by: 'pat', atMs: 1_800_000_000_000, items },
      },
    });
    const files = await run(task);
    const names = ['one.mp4', 'four.mp4', 'two.jpg', 'manifest.json', 'SHA256SUMS'];
    expect(files.map((file) => file.path)).toEqual(names.map((name) => join(path, name)));
    expect(readdirSync(path).sort()).toEqual([...names].sort());
    expect(decodedFrames(readFileSync(join(path, 'four.mp4')), 'mp4').video).toEqual(source().video.slice(500, 550));
    expect(readFileSync(join(path, 'two.jpg'), 'utf8')).toBe(`c/03 at ${startMs + 9000}`);
    const manifest = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8')) as {
      readonly items: readonly { readonly id: string; readonly files: readonly Record<string, unknown>[] }[];
    };
    expect(manifest).toMatchObject({
      case: { id: 'case-1', title: 'Goal', note: 'or not' },
      exported_at: '2027-01-15T08:00:00.000Z',
      exported_by: 'pat',
    });
    expect(manifest.items.map((one) => [one.id, one.files.map(({ name }) => name)])).toEqual([
      ['one', ['one.mp4']],
      ['two', ['two.jpg']],
      ['three', []],
      ['four', ['four.mp4']],
    ]);
    expect(checkSums(path)).toEqual(names.slice(0, -1));
    for (const { sha256, path: file } of files)
      expect(sha256).toBe(createHash('sha256').update(readFileSync(file)).digest('hex'));
    // If a still cannot be made, not even the folder is left.
    const failing = taskOf({
      ...task,
      id: 'failing',
      folder: { ...task.folder!, path: join(folder, 'none'), stills: [] },
    });
    const stems = task.streams.map((one) => ({ ...one, stem: join(folder, 'none', one.item ?? '') }));
    await expect(run({ ...failing, streams: stems, reserveBytes: Number.MAX_SAFE_INTEGER })).rejects.toThrow();
    expect(readdirSync(folder)).not.toContain('none');
  });

  it('of a case contains the recorded items, and lists missing items with the reason', async () => {
    const path = join(folder, 'partly');
    const early = startMs - 60_000;
    const item = (id: string, kind: 'clip' | 'still', fromMs: number) => ({
      id,
      kind,
      stream: 'c/03',
      fromMs,
      toMs: kind === 'clip' ? fromMs + 2000 : null,
      text: '',
      by: 'pat',
      atMs: 7,
    });
    const items = [item('a', 'clip', early), item('b', 'still', early), item('c', 'clip', startMs + 4000)];
    const folderOf = (shown: typeof items): ExportTask['folder'] => ({
      path,
      stills: shown
        .filter(({ kind }) => kind === 'still')
        .map(({ id, fromMs }) => ({ item: id, stream: 'c/03', atMs: fromMs, path: join(path, `${id}.jpg`) })),
      manifest: { id: 'case-2', title: 'Partly', note: '', by: 'pat', atMs: 0, items: shown },
    });
    const streamsOf = (shown: typeof items): ExportTask['streams'] =>
      shown
        .filter(({ kind }) => kind === 'clip')
        .map(({ id, stream, fromMs, toMs }) => ({
          stream,
          item: id,
          stem: join(path, id),
          marks: [],
          time: { fromMs, toMs: toMs ?? 0 },
        }));
    const files = await run(taskOf({ streams: streamsOf(items), folder: folderOf(items), isExact: true }));
    const names = ['c.mp4', 'manifest.json', 'MISSING.txt', 'SHA256SUMS'];
    expect(files.map((file) => file.path)).toEqual(names.map((name) => join(path, name)));
    expect(checkSums(path)).toEqual(names.slice(0, -1));
    const manifest = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8')) as {
      readonly items: readonly { readonly missing: string | null }[];
    };
    const reasons = ['Nothing was recorded in this time range', 'c/03: Nothing is recorded there', null];
    expect(manifest.items.map(({ missing }) => missing)).toEqual(reasons);
    const at = new Date(early).toISOString();
    expect(readFileSync(join(path, 'MISSING.txt'), 'utf8')).toBe(
      `001 clip c/03 ${at}: ${reasons[0]}\n002 still c/03 ${at}: ${reasons[1]}\n`,
    );
    rmSync(path, { recursive: true });
    // A case without any media fails like other exports, and leaves no folder.
    const none = items.slice(0, 2);
    await expect(run(taskOf({ streams: streamsOf(none), folder: folderOf(none) }))).rejects.toMatchObject({
      code: 'archive_empty',
    });
    expect(readdirSync(folder)).not.toContain('partly');
  });

  it('leaves no files when it fails: full disk, existing file, nothing recorded, unknown track', async () => {
    const before = readdirSync(folder);
    await expect(run(taskOf({ reserveBytes: Number.MAX_SAFE_INTEGER }))).rejects.toMatchObject({
      code: 'export_no_room',
    });
    await expect(run(taskOf({ fromMs: 0, toMs: 1000 }))).rejects.toMatchObject({ code: 'archive_empty' });
    await expect(run(taskOf({ trackIds: ['a7'] }))).rejects.toMatchObject({ code: 'track_not_found' });
    expect(readdirSync(folder)).toEqual(before);
    writeFileSync(join(folder, 'there.mp4'), 'mine');
    const task = taskOf({ streams: [{ stream: 'c/03', stem: join(folder, 'there'), marks: [] }] });
    await expect(run(task)).rejects.toMatchObject({ code: 'export_file_exists' });
    expect(readFileSync(join(folder, 'there.mp4'), 'utf8')).toBe('mine');
    expect(readdirSync(folder)).toEqual([...before, 'there.mp4'].sort());
  });
});
