import { beforeEach, describe, expect, it } from 'vitest';
import { ArchiveStage } from '../../../tests/helpers/archive-stage.ts';
import { settled } from '../../../tests/helpers/settled.ts';
import { testMedia } from '../../../tests/helpers/test-media.ts';
import type { Part, WindowSegment } from '../../segment/segment-window.ts';
import { ArchiveWindow } from './archive-window.ts';

const SECONDS = 12;
let stage: ArchiveStage;
let fromMs = 0;

beforeEach(async () => {
  stage = new ArchiveStage();
  await stage.record();
  const media = testMedia({ bFrames: 0 });
  const units = [...media.units(SECONDS)];
  for (let at = 0; at < units.length; at += 50) {
    stage.stream.playUnits([media.video, media.audio], units.slice(at, at + 50));
    await settled();
  }
  fromMs = stage.stream.window.segments('v1')[0]?.startMs ?? 0;
  await stage.close();
  stage.stream.clock.advance(60_000);
});

async function opened(seconds = SECONDS): Promise<ArchiveWindow> {
  const request = { kind: 'range', fromMs, toMs: fromMs + seconds * 1000 } as const;
  const window = await stage.playback.open('c/03', request, 2000);
  if (!(window instanceof ArchiveWindow)) throw new Error('no window');
  return window;
}

function partOf(entry: WindowSegment | undefined): Part {
  const [part] = entry?.segment.parts ?? [];
  if (!part) throw new Error('no part');
  return part;
}

/** Result of the check of each segment of a track. */
async function checks(window: ArchiveWindow, trackId: string): Promise<string[]> {
  return Promise.all(
    window.segments(trackId).map(async (entry) =>
      (partOf(entry).check?.() ?? Promise.reject(new Error('no check'))).then(
        () => 'intact',
        (error: unknown) => (error as Error).constructor.name,
      ),
    ),
  );
}

/** Edits all block files at the offset of a segment. */
async function change(entry: WindowSegment | undefined, edit: (bytes: Buffer, at: number) => Buffer): Promise<void> {
  const [piece] = partOf(entry).pieces;
  if (!piece || !('file' in piece)) throw new Error('not in a file');
  for (const [path, bytes] of stage.disks.files) stage.disks.files.set(path, edit(Buffer.from(bytes), piece.offset));
  await stage.files.close();
}

describe('a damaged segment of the archive', () => {
  it.each<readonly [string, (bytes: Buffer, at: number) => Buffer]>([
    ['zeros', (bytes, at) => bytes.fill(0, at, at + 600)],
    ['zeros inside its header', (bytes, at) => bytes.fill(0, at + 60, at + 200)],
    ['other bytes', (bytes, at) => bytes.fill(0xff, at, at + 16)],
    ['the size of another chunk', (bytes, at) => bytes.fill(0x7f, at, at + 1)],
  ])('is detected when it contains %s, and the other segments are intact', async (_, edit) => {
    const window = await opened();
    await change(window.segments('v1')[2], edit);
    expect(await checks(window, 'v1')).toEqual(['intact', 'intact', 'RangeError', 'intact', 'intact', 'intact']);
    expect(new Set(await checks(window, 'a1'))).toEqual(new Set(['intact']));
  });

  it('becomes a gap in later lists, and keeps its bytes for formats with an index', async () => {
    const window = await opened();
    const sizes = window.segments('v1').map(({ segment }) => segment.sizeBytes);
    await change(window.segments('v1')[2], (bytes, at) => bytes.fill(0, at, at + 600));
    const { version } = window;
    await checks(window, 'v1');
    await settled();
    expect(window.version).toBeGreaterThan(version);
    for (const one of [window, await opened(SECONDS - 1)]) {
      expect(one.segments('v1').flatMap(({ segment: { isGap } }, at) => (isGap ? [at] : []))).toEqual([2]);
      expect(one.segments('v1').map(({ segment: { parts } }) => parts.length)).toEqual(sizes.map(() => 1));
    }
  });

  it('reveals all damaged segments of its block', async () => {
    const window = await opened();
    const [, first, , last] = window.segments('v1');
    await change(first, (bytes, at) => bytes.fill(0, at, at + 600));
    await change(last, (bytes, at) => bytes.fill(0, at, at + 600));
    await partOf(window.segments('v1')[1])
      .check?.()
      .catch(() => undefined);
    await settled();
    expect(window.segments('v1').map(({ segment: { isGap } }) => isGap)).toEqual([
      false,
      true,
      false,
      true,
      false,
      false,
    ]);
  });

  it('is not a gap in a list that may still grow, because listed segments must not change', async () => {
    const window = await opened();
    await change(window.segments('v1')[2], (bytes, at) => bytes.fill(0, at, at + 600));
    window.mutability = 'event';
    const { version } = window;
    expect(await checks(window, 'v1')).toContain('RangeError');
    await settled();
    expect(window.version).toBe(version);
    expect(window.segments('v1').some(({ segment: { isGap } }) => isGap)).toBe(false);
  });

  it('is played again after its file was restored', async () => {
    const window = await opened();
    const originals = new Map(stage.disks.files);
    await change(window.segments('v1')[2], (bytes, at) => bytes.fill(0, at, at + 600));
    expect(await checks(window, 'v1')).toContain('RangeError');
    for (const [path, bytes] of originals) stage.disks.files.set(path, bytes);
    await stage.files.close();
    expect(await checks(window, 'v1')).not.toContain('RangeError');
    expect(window.segments('v1').some(({ segment: { isGap } }) => isGap)).toBe(false);
  });
});
