import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ArchiveStage } from '../../../tests/helpers/archive-stage.ts';
import { decodedFrames, decodeTogether, firstTimes } from '../../../tests/helpers/decoded-frames.ts';
import { settled } from '../../../tests/helpers/settled.ts';
import { testMedia } from '../../../tests/helpers/test-media.ts';
import { cutPictures } from '../../codec/jobs/cut-pictures.ts';
import type { ExportedFile } from './export-request.ts';
import { runExport } from './export-run.ts';
import type { ExportTask } from './export-task.ts';

const SECONDS = 12;
const FRAME_MS = 40;
const folder = mkdtempSync(join(tmpdir(), 'airdesk-exact-'));
let count = 0;

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Archive of real H.264 and AAC, with its decoded pictures and audio. */
class RecordedStage {
  readonly stage = new ArchiveStage();
  startMs = 0;
  encodings = 0;
  pictures: readonly string[] = [];

  /** Records several formats in sequence. */
  async record(...formats: readonly Parameters<typeof testMedia>[0][]): Promise<void> {
    await this.stage.record();
    for (const format of formats) {
      const media = testMedia(format);
      const units = [...media.units(SECONDS)];
      for (let at = 0; at < units.length; at += 50) {
        this.stage.stream.playUnits([media.video, media.audio], units.slice(at, at + 50));
        await settled();
      }
    }
    this.startMs = this.stage.stream.window.segments('v1')[0]?.startMs ?? 0;
    await this.stage.close();
    const aligned = await this.run({ isExact: false, toMs: this.startMs + 100_000 });
    const files = aligned.map(({ path }) => ({ bytes: readFileSync(path), format: 'mp4' as const }));
    decodeTogether(files);
    this.pictures = files.flatMap(({ bytes, format }) => decodedFrames(bytes, format).video);
  }

  async run(change: Partial<ExportTask>): Promise<readonly ExportedFile[]> {
    const id = `job-${count++}`;
    const task: ExportTask = {
      id,
      fromMs: this.startMs,
      toMs: this.startMs + SECONDS * 1000,
      packing: 'mp4',
      reserveBytes: 0,
      isExact: true,
      streams: [{ stream: 'c/03', stem: join(folder, id), marks: [] }],
      ...change,
    };
    return runExport({
      task,
      tables: (stream) => async (time) => this.stage.tables.of(stream, time),
      encode: async (input) => {
        this.encodings++;
        return Promise.resolve(cutPictures(input));
      },
      picture: () => Promise.reject(new Error('no stills here')),
      progress: () => undefined,
    });
  }
}

describe.each([
  ['without B pictures', 0],
  ['with B pictures', 2],
])('an exact export of H.264 %s', (_, bFrames) => {
  const recorded = new RecordedStage();
  beforeAll(async () => recorded.record({ bFrames }));

  it.each([
    // First and last picture, and the range of pictures taken unchanged from the source, with GOPs of two seconds.
    ['inside two GOPs', 30, 230, 50, 200],
    ['at GOPs', 50, 200, 50, 200],
    ['one picture after a GOP, and one before it', 51, 199, 100, 150],
    ['inside one GOP', 60, 71, 0, 0],
    ['of one picture', 77, 78, 0, 0],
    ['over one key picture', 90, 120, 0, 0],
  ])('%s contains exactly the requested pictures', async (_name, from, to, sameFrom, sameTo) => {
    recorded.encodings = 0;
    const time = { fromMs: recorded.startMs + from * FRAME_MS, toMs: recorded.startMs + to * FRAME_MS };
    const files = await Promise.all(
      (['mp4', 'ts'] as const).map(async (packing) => {
        const [file] = await recorded.run({ ...time, packing });
        return { file, format: packing, bytes: readFileSync(file?.path ?? '') };
      }),
    );
    decodeTogether(files);
    for (const { file, format, bytes } of files) {
      const { video, audio } = decodedFrames(bytes, format);
      expect(video).toHaveLength(to - from);
      if (sameTo > sameFrom)
        expect(video.slice(sameFrom - from, sameTo - from)).toEqual(recorded.pictures.slice(sameFrom, sameTo));
      if (format === 'ts') continue;
      expect(file).toMatchObject({ fromMs: time.fromMs, durationMs: time.toMs - time.fromMs });
      const begin = firstTimes(bytes, format);
      expect(begin.video).toBe(0);
      // The first audio frame contains the start. The edit list hides the part before it.
      expect(begin.audio).toBeGreaterThan(-1024 / 48_000);
      expect(begin.audio).toBeLessThan(0.001);
      expect(Math.abs(audio.length * 1024 - (to - from) * 1920)).toBeLessThanOrEqual(2 * 1024);
    }
    // At a key frame nothing is encoded again.
    if (from % 25 === 0 && to % 25 === 0) expect(recorded.encodings).toBe(0);
    else expect(recorded.encodings).toBeGreaterThan(0);
  });
});

describe('an exact export of damaged media', () => {
  const recorded = new RecordedStage();
  let kept = new Map<string, Uint8Array>();
  beforeAll(async () => {
    await recorded.record({ bFrames: 0 });
    kept = new Map(recorded.stage.disks.files);
  });

  /** Overwrites the video and audio of one segment of two seconds. */
  function damage(row: number): void {
    const chunks = recorded.stage.blocks.flatMap(({ path, index }) =>
      index.segments.map((one) => ({ ...one, path: `/a/${path}` })),
    );
    for (const id of new Set(chunks.map(({ trackNumber }) => trackNumber))) {
      const one = chunks.filter(({ trackNumber }) => trackNumber === id)[row];
      const bytes = one && recorded.stage.disks.files.get(one.path);
      if (!one || !bytes) throw new Error('no segment');
      const harmed = Uint8Array.from(bytes);
      for (const { offset, sizeBytes } of one.pieces) harmed.fill(0xff, offset, offset + sizeBytes);
      recorded.stage.disks.files.set(one.path, harmed);
    }
  }

  it.each([
    ['ends in it', 2, 30, 120, 70, 30, 1],
    // The file starts later instead.
    ['starts in it', 1, 60, 230, 130, 100, 0],
    ['goes over it', 2, 30, 230, 150, 30, 1],
  ])('that %s has all intact pictures', async (_name, row, from, to, pictures, first, gaps) => {
    recorded.stage.disks.files.clear();
    for (const [path, bytes] of kept) recorded.stage.disks.files.set(path, bytes);
    await recorded.stage.files.close();
    damage(row);
    const time = { fromMs: recorded.startMs + from * FRAME_MS, toMs: recorded.startMs + to * FRAME_MS };
    const [file] = await recorded.run(time);
    expect(decodedFrames(readFileSync(file?.path ?? ''), 'mp4').video).toHaveLength(pictures);
    expect(file?.fromMs).toBe(recorded.startMs + first * FRAME_MS);
    expect(file?.gaps).toHaveLength(gaps);
  });

  it('fails if no intact media remains', async () => {
    recorded.stage.disks.files.clear();
    for (const [path, bytes] of kept) recorded.stage.disks.files.set(path, bytes);
    await recorded.stage.files.close();
    damage(2);
    const time = { fromMs: recorded.startMs + 105 * FRAME_MS, toMs: recorded.startMs + 140 * FRAME_MS };
    await expect(recorded.run(time)).rejects.toMatchObject({ code: 'media_unreadable' });
  });
});

it('an exact export is cut to the frame at both ends if the format changes in between, with one file per format', async () => {
  const recorded = new RecordedStage();
  await recorded.record({ bFrames: 2 }, { bFrames: 2, width: 320, height: 180 }, { bFrames: 2 });
  const all = SECONDS * 25;
  const second = recorded.stage.stream.window.segments('v1').filter(({ isDiscontinuity }) => isDiscontinuity);
  const [, begin, last] = [0, ...second.map(({ startMs }) => startMs)];
  const ends = [
    // From inside the first format up to inside another one: inside its second and third, and just after the start of its second.
    [recorded.startMs + 30 * FRAME_MS, (begin ?? 0) + 60 * FRAME_MS, [all - 30, 60]],
    [recorded.startMs + 290 * FRAME_MS, (last ?? 0) + 70 * FRAME_MS, [all - 290, all, 70]],
    [recorded.startMs + 299 * FRAME_MS, (begin ?? 0) + FRAME_MS, [1, 1]],
    // From a key frame: only one end is encoded again, in the same format.
    [recorded.startMs + 250 * FRAME_MS, (last ?? 0) + 70 * FRAME_MS, [all - 250, all, 70]],
  ] as const;
  for (const [fromMs, toMs, pictures] of ends) {
    const files = await recorded.run({ fromMs, toMs });
    const [packets] = await recorded.run({ fromMs, toMs, packing: 'ts' });
    const exported = files.map(({ path }) => ({ bytes: readFileSync(path), format: 'mp4' as const }));
    const asPackets = { bytes: readFileSync(packets?.path ?? ''), format: 'ts' as const };
    decodeTogether([...exported, asPackets]);
    const decoded = exported.map(({ bytes, format }) => decodedFrames(bytes, format).video);
    expect(decoded.map(({ length }) => length)).toEqual(pictures);
    expect([files[0]?.fromMs, (files.at(-1)?.fromMs ?? 0) + (files.at(-1)?.durationMs ?? 0)]).toEqual([fromMs, toMs]);
    expect(exported.map(({ bytes, format }) => firstTimes(bytes, format).video)).toEqual(pictures.map(() => 0));
    // Pictures in between are unchanged.
    if (pictures.length === 3) expect(decoded[1]).toEqual(recorded.pictures.slice(all, 2 * all));
    const count = pictures.reduce<number>((sum, one) => sum + one, 0);
    expect(decodedFrames(asPackets.bytes, 'ts').video).toHaveLength(count);
  }
});
