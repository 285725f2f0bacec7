import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArchiveStage } from '../../../tests/helpers/archive-stage.ts';
import { StreamOutput } from '../../delivery/stream-output.ts';
import { spriteSeconds, stepOf } from '../../packaging/thumbnail-tiles.ts';
import { listThumbnails } from './thumbnail-list.ts';
import { Thumbnails, type MakeSprite } from './thumbnails.ts';

describe('a list of thumbnails', () => {
  it('has every recorded moment once, in the time of a playlist, and no empty sprites', () => {
    const lengthsMs = fc.array(fc.integer({ min: 1, max: 400_000 }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1_700_000_000, max: 1_800_000_000 }),
        lengthsMs,
        fc.nat(900),
        (from, lengths, least) => {
          const ranges = [];
          let at = from * 1000;
          for (const [index, length] of lengths.entries()) {
            if (index % 2 === 0) ranges.push({ startMs: at, endMs: at + length });
            at += length;
          }
          const stepSeconds = stepOf(least);
          const listed = {
            stream: 'cam',
            time: { startMs: from * 1000, endMs: at },
            ranges,
            stepSeconds,
            query: 'token=a',
          };
          let playedMs = 0;
          for (const [, start = '', end = '', first = '', x = '', y = ''] of listThumbnails(listed, 'vtt').matchAll(
            /([\d:.]+) --> ([\d:.]+)\nsprite-(\d+)-\d+\.jpg\?token=a#xywh=(\d+),(\d+),160,90/g,
          )) {
            expect(msOf(start)).toBe(playedMs);
            const utcMs = utcOf(ranges, playedMs);
            const tileMs = (Number(first) + (Number(x) / 160 + (Number(y) / 90) * 5) * stepSeconds) * 1000;
            expect(Number(first) % spriteSeconds(stepSeconds)).toBe(0);
            expect(utcMs).toBeGreaterThanOrEqual(tileMs);
            expect(utcMs).toBeLessThan(tileMs + stepSeconds * 1000);
            playedMs = msOf(end);
          }
          expect(playedMs).toBe(ranges.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0));
          let shownMs = 0;
          for (const [, seconds = '', first = ''] of listThumbnails(listed, 'm3u8').matchAll(
            /DURATION=\d+\n#EXTINF:([\d.]+),\nsprite-(\d+)-\d+\.jpg\?token=a\n/g,
          )) {
            // The sprite contains the complete range; it starts at most half a step away from it.
            const fromMs = utcOf(ranges, shownMs) - Number(first) * 1000;
            expect(Math.abs(fromMs)).toBeLessThanOrEqual(stepSeconds * 500);
            expect(Number(first) % stepSeconds).toBe(0);
            const lengthMs = Math.round(Number(seconds) * 1000);
            expect(lengthMs).toBeLessThanOrEqual(spriteSeconds(stepSeconds) * 1000 + stepSeconds * 500);
            shownMs += lengthMs;
          }
          expect(shownMs).toBe(playedMs);
          // The server made the document.
          const list = JSON.parse(listThumbnails(listed, 'json')) as { images: { from: number; address: string }[] };
          for (const image of list.images) {
            expect(image.address).toBe(`sprite-${image.from}-${stepSeconds}.jpg?token=a`);
            const endMs = (image.from + spriteSeconds(stepSeconds)) * 1000;
            expect(ranges.some((range) => range.startMs < endMs && range.endMs > image.from * 1000)).toBe(true);
          }
        },
      ),
    );
  });
});

function msOf(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  return Math.round((hours * 3600 + minutes * 60 + seconds) * 1000);
}

/** UTC at a position of a playlist. */
function utcOf(ranges: readonly { readonly startMs: number; readonly endMs: number }[], playedMs: number): number {
  let left = playedMs;
  for (const { startMs, endMs } of ranges) {
    if (left < endMs - startMs) return startMs + left;
    left -= endMs - startMs;
  }
  return NaN;
}

describe('thumbnails', () => {
  async function staged(): Promise<{
    stage: ArchiveStage;
    sprites: Parameters<MakeSprite>[0][];
    thumbnails: Thumbnails;
  }> {
    const stage = new ArchiveStage({ segmentMs: 1000 });
    await stage.record();
    await stage.play({ video: { fps: 25, gopFrames: 25, bFrames: 0 }, seconds: 20 });
    const sprites: Parameters<MakeSprite>[0][] = [];
    const thumbnails = new Thumbnails({
      clock: stage.stream.clock,
      async recorded(stream, request) {
        if (request.kind !== 'span' || request.span.kind !== 'range') return { code: 'archive_empty', detail: '' };
        const { fromSeconds, durationSeconds } = request.span;
        const range = { fromMs: fromSeconds * 1000, toMs: (fromSeconds + durationSeconds) * 1000 };
        const window = await stage.playback.open(stream, { kind: 'range', ...range }, 1000);
        return typeof window === 'string'
          ? { code: 'archive_empty', detail: window }
          : new StreamOutput(stream, window);
      },
      ranges: async (...args) => stage.catalog.ranges(...args),
      makeSprite: async (input) => {
        sprites.push(input);
        return Promise.resolve(new Uint8Array(1000));
      },
      keyFrame: () => undefined,
    });
    return { stage, sprites, thumbnails };
  }

  it('are created once for all requests, and again while their range is growing', async () => {
    const { stage, sprites, thumbnails } = await staged();
    const startMs = stage.stream.window.bounds()?.fromMs ?? 0;
    const from = Math.floor(startMs / 50_000) * 50;
    const [one, other] = await Promise.all([thumbnails.sprite('c/03', from, 2), thumbnails.sprite('c/03', from, 2)]);
    expect(one).toBe(other);
    expect(one).toMatchObject({ isFinal: false });
    expect(sprites).toHaveLength(1);
    const has = sprites[0]?.frames.map((frame) => frame !== null) ?? [];
    const first = has.indexOf(true);
    expect(first).toBe(Math.floor((startMs / 1000 - from) / 2));
    expect(has).toEqual(has.map((_, tile) => tile >= first && tile < first + has.filter(Boolean).length));
    expect(has.filter(Boolean).length).toBeLessThanOrEqual(11);
    expect(has.filter(Boolean).length).toBeGreaterThanOrEqual(9);
    await thumbnails.sprite('c/03', from, 2);
    expect(sprites).toHaveLength(2);
    await stage.close();
    stage.stream.clock.advance(120_000);
    for (let time = 0; time < 3; time++)
      expect(await thumbnails.sprite('c/03', from, 2)).toMatchObject({ isFinal: true });
    expect(sprites).toHaveLength(3);
    stage.playback.close();
  });

  it('are refused if they are impossible, or too many are requested', async () => {
    const { stage, sprites, thumbnails } = await staged();
    const from = Math.floor((stage.stream.window.bounds()?.fromMs ?? 0) / 50_000) * 50;
    expect(await thumbnails.sprite('c/03', from + 1, 2)).toMatchObject({ code: 'bad_request' });
    expect(await thumbnails.sprite('c/03', from, 3)).toMatchObject({ code: 'bad_request' });
    expect(await thumbnails.sprite('c/03', from - 500, 2)).toMatchObject({ code: 'archive_empty' });
    const results = await Promise.all(
      Array.from({ length: 60 }, async (_, at) => thumbnails.sprite('c/03', from - at * 50, 2)),
    );
    expect(results.filter((answer) => 'code' in answer && answer.code === 'unavailable')).toHaveLength(36);
    expect(sprites).toHaveLength(1);
    const time = { fromSeconds: from - 1000, durationSeconds: 90_000 };
    expect(await thumbnails.list('c/03', time, 'vtt', '')).toMatchObject({ code: 'archive_too_long' });
    expect(await thumbnails.list('c/03', { ...time, durationSeconds: 100 }, 'vtt', '')).toMatchObject({
      code: 'archive_empty',
    });
    expect(await thumbnails.list('c/03', { ...time, durationSeconds: 2000 }, 'vtt', 'step=4')).toMatchObject({
      code: 'bad_request',
    });
    expect(await thumbnails.previewFile('c/03', {})).toMatchObject({ code: 'picture_not_available' });
    await stage.close();
    stage.playback.close();
  });
});
