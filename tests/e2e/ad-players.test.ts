import { afterAll, beforeAll, expect, it } from 'vitest';
import { BREAK_EACH_MS, BreakStage, type BreakKind } from '../helpers/break-stage.ts';
import { BrowserWindows } from '../helpers/browser-windows.ts';
import { PageServer } from '../helpers/page-server.ts';
import { PlayerPage, type NumberedPicture, type PlayerName } from '../helpers/player-page.ts';
import { seenPictures } from '../helpers/seen-pictures.ts';
import { MAX_ATTEMPTS, undisturbed } from '../helpers/machine-stalls.ts';
import { until } from '../helpers/until.ts';

// Players in Chromium over breaks of each kind: checks the pictures shown, and stalls.

/** Breaks per viewer. AIRDESK_BREAKS sets more, and prints the result of each player for all kinds of breaks. */
const BREAKS = Number(process.env['AIRDESK_BREAKS'] ?? 1);
const IS_LONG = process.env['AIRDESK_BREAKS'] !== undefined;
const LEAD_MS = 5000;
const WINDOW_SEGMENTS = 12;
const ALL_MS = LEAD_MS + BREAKS * BREAK_EACH_MS;
const LIMIT_MS = 120_000 + ALL_MS * 2;
/** Maximum missed time in seconds; less than the duration of the shorter clip in the archive. */
const MISSED_SECONDS = 0.5;
const PLAYERS: readonly (readonly [PlayerName, string])[] = [
  ['hlsjs', 'index.m3u8'],
  ['shaka', 'index.m3u8'],
  ['dashjs', 'index.mpd'],
  ['shaka', 'index.mpd'],
];
const ALL: readonly BreakKind[] = [
  { v: 1, insertBy: 'interval' },
  { v: 2, insertBy: 'splicing' },
  { v: 1, insertBy: 'splicing' },
  { v: 2, insertBy: 'interval' },
];
const KINDS = ALL.slice(0, IS_LONG ? 4 : 2);

let stage: BreakStage;
let pages: PageServer;
let windows: BrowserWindows;

beforeAll(async () => {
  pages = await PageServer.start();
  stage = await BreakStage.start(
    KINDS.length * (IS_LONG ? 1 : MAX_ATTEMPTS) * (ALL_MS / 1000 + 20) + 60,
    WINDOW_SEGMENTS,
    false,
  );
  windows = await BrowserWindows.start(pages);
});

afterAll(async () => {
  await windows.close();
  await pages.close();
  await stage.close();
});

it.each(KINDS)(
  'every player shows each picture at its time, with v $v, by $insertBy',
  (kind) => undisturbed((attempt) => stage.whileOnAir(watchKind(kind, attempt))),
  LIMIT_MS * 2,
);

it(
  'every player shows the clips of a break each time the viewer seeks back over it in the archive',
  async () => {
    // Consecutive breaks are less than an archive segment apart. This break has no neighbour.
    if (IS_LONG) await stage.splice();
    const recorded = async (): Promise<string> => (await fetch(`${stage.archive('mpd', 2)}?token=first`)).text();
    await until('the whole break in the archive', async () => (await recorded()).includes('type="static"'), LIMIT_MS);
    // A server that stalls may leave out a clip that it could not read in time.
    await undisturbed(async (attempt) => {
      await Promise.all(ARCHIVED.map((one) => watchArchive(one, attempt)));
    });
  },
  // Longer than each of its steps, so that a slow step fails first.
  LIMIT_MS * 3,
);

const ARCHIVED = [
  ['hlsjs', 'm3u8'],
  ['shaka', 'm3u8'],
  ['dashjs', 'mpd'],
] as const;

/** Position to which the viewer seeks back, before the break. */
const BACK_SECONDS = 1.5;

/** Lets a player watch the last break in the archive, seek back, and watch it again. */
async function watchArchive([player, ending]: (typeof ARCHIVED)[number], attempt: number): Promise<void> {
  const token = `archive-${player}-${attempt}`;
  const address = `${stage.archive(ending, 2)}?${stage.viewer(token, { v: 2, insertBy: 'splicing' })}`;
  const page = await PlayerPage.open(windows.for(player), pages, player, address);
  try {
    await page.readNumbers();
    const afterBreak = async (): Promise<unknown> =>
      page.reportWhere('the pictures after the break', ({ currentTime }) => currentTime >= 6.3, LIMIT_MS);
    await page.page.evaluate("document.querySelector('#video').playbackRate = 2");
    await afterBreak();
    await page.page.evaluate(`document.querySelector('#video').currentTime = ${BACK_SECONDS}`);
    await page.reportWhere('the pictures before the break', ({ currentTime }) => currentTime < 4, LIMIT_MS);
    await afterBreak();
    const { errors, stalls, longestFreezeMs } = await page.report();
    const all = await page.numbers();
    expect([player, errors]).toEqual([player, []]);
    const wayBack = all.findIndex(({ mediaTime }, index) => mediaTime < (all[index - 1]?.mediaTime ?? 0) - 2);
    const watched = [
      [0, all.slice(0, wayBack)],
      [BACK_SECONDS, all.slice(wayBack)],
    ] as const;
    for (const [fromSeconds, numbers] of watched) {
      const pictures = seenPictures(await withMissed(page, numbers, fromSeconds));
      const { ranges, back, betweenMs } = pictures;
      const details = JSON.stringify({ ...pictures, stalls, longestFreezeMs, sent: await stage.showings(token) });
      expect([player, ranges.map(({ of }) => of)], details).toEqual([player, [0, 1, 3, 0]]);
      expect([player, back, betweenMs.every((ms) => ms > -45)]).toEqual([player, 0, true]);
    }
  } finally {
    await page.page.close();
  }
  // A repeated range counts once.
  expect([player, await stage.showings(token)]).toEqual([player, ['ads/a.mp4', 'ads/c.mp4']]);
}

/**
 * Ranges shown by a player, plus a picture of each range that the page missed: at double speed the shorter clip lasts
 * half a second, and a page that stalls for so long misses it. The player seeks to it.
 */
async function withMissed(
  page: PlayerPage,
  pictures: readonly NumberedPicture[],
  fromSeconds: number,
): Promise<NumberedPicture[]> {
  const all: NumberedPicture[] = [];
  for (const picture of pictures) {
    const lastSeconds = all.at(-1)?.mediaTime ?? fromSeconds;
    // A longer missed time may contain more ranges.
    const parts = Math.max(1, Math.ceil((picture.mediaTime - lastSeconds) / MISSED_SECONDS));
    for (let part = 1; part < parts; part++) {
      const seconds = lastSeconds + ((picture.mediaTime - lastSeconds) * part) / parts;
      const countBefore = (await page.numbers()).length;
      // A browser does not always report the picture shown after a seek: a neighbouring one is accepted.
      const go = `{ const video = document.querySelector('#video'); video.pause(); if (!video.seeking) video.currentTime = ${seconds} + Math.random() / 10; }`;
      const isMissed = ({ mediaTime }: NumberedPicture): boolean => Math.abs(mediaTime - seconds) < 0.15;
      const find = async (): Promise<NumberedPicture | undefined> => {
        await page.page.evaluate(go);
        return (await page.numbers()).slice(countBefore).find(isMissed);
      };
      all.push(await until('a picture that was missed', find, LIMIT_MS));
    }
    all.push(picture);
  }
  return all;
}

/** Runs all players over breaks of a kind, from start to end. */
async function watchKind(kind: BreakKind, attempt: number): Promise<void> {
  const watching = await Promise.all(
    PLAYERS.map(async ([player, form], index) => {
      const token = `player-${kind.v}-${kind.insertBy}-${attempt}-${index}`;
      const address = `${stage.server.url}/cam/${form}?${stage.viewer(token, kind, ['ads/b.mp4'])}`;
      const page = await PlayerPage.open(windows.for(player), pages, player, address);
      await page.readNumbers();
      return { page, token };
    }),
  );
  try {
    await watch(kind, watching);
    // Breaks by interval have no splice points, so they continue while the players pause.
    if (kind.insertBy === 'interval') await resumeAfterPause(watching.map(({ page }) => page));
  } finally {
    await Promise.all(watching.map(({ page }) => page.page.close()));
  }
}

interface Viewer {
  readonly page: PlayerPage;
  readonly token: string;
}

/** Lets players watch breaks of a kind, and checks the shown ranges. */
async function watch(kind: BreakKind, watching: readonly Viewer[]): Promise<void> {
  for (const { page } of watching) await page.playing(LIMIT_MS);
  const starts = await Promise.all(watching.map(async ({ page }) => (await page.report()).currentTime));
  const minMs = async (): Promise<number> => {
    const now = await Promise.all(watching.map(async ({ page }) => (await page.report()).currentTime));
    return Math.min(...now.map((seconds, index) => (seconds - (starts[index] ?? 0)) * 1000));
  };
  for (let number = 0; number < BREAKS; number++) {
    if (kind.insertBy === 'splicing') await stage.splice();
    await until('the next break', async () => (await minMs()) >= (number + 1) * BREAK_EACH_MS, LIMIT_MS);
  }
  await until('the end of the last break', async () => (await minMs()) >= ALL_MS, LIMIT_MS);
  for (const { page, token } of watching) {
    const { errors, stalls, longestFreezeMs, droppedFrames, frames } = await page.report();
    const pictures = seenPictures(await page.numbers());
    const { unread, unseen, back, stepMs, betweenMs } = pictures;
    const name = `${page.name.split(' ')[0] ?? ''} ${page.name.includes('.mpd') ? 'dash' : 'hls'}`;
    const breaks = (await stage.explain(token)).breaks.filter(({ clips }) =>
      clips.some(({ sent_segments: sent }) => sent > 0),
    );
    if (IS_LONG) {
      const between = { count: betweenMs.length, least: Math.min(...betweenMs), most: Math.max(...betweenMs) };
      const waits = { stalls: stalls.length, longestFreezeMs: Math.round(longestFreezeMs), droppedFrames, frames };
      const counts = { name, breaks: breaks.length, unread, unseen, back, stepMs, between, ...waits };
      process.stdout.write(`${JSON.stringify({ ...kind, ...counts, where: stalls })}\n`);
    }
    expect([name, errors]).toEqual([name, []]);
    // The preroll, and each break after it: a clip shown before is sent again.
    const showings = await stage.showings(token);
    const details = JSON.stringify({ ...pictures, stalls, longestFreezeMs, droppedFrames, showings });
    // Rows are in the order of loading: a late player may load the first break before the preroll.
    expect([name, ...showings.slice(0, 2).sort()], details).toEqual([name, 'ads/a.mp4', 'ads/b.mp4']);
    expect([name, showings.length > 2 * BREAKS], details).toEqual([name, true]);
    // Consecutive clips, each from near its start to near its end, with the stream between the breaks.
    const shown = pictures.ranges.map(({ of }) => of);
    expect([name, shown.filter((of) => of === 0).length >= BREAKS], details).toEqual([name, true]);
    const isInOrder = [back, stepMs < 45, Math.min(...betweenMs) > -45];
    expect([name, ...isInOrder], details).toEqual([name, 0, true, true]);
  }
}

/** All players pause for longer than the window while breaks continue, and all resume. */
async function resumeAfterPause(pages: readonly PlayerPage[]): Promise<void> {
  await Promise.all(pages.map(({ page }) => page.evaluate(`document.querySelector('#video').pause()`)));
  const firstMsn = async (): Promise<number> => {
    const playlist = await (await fetch(`${stage.server.url}/cam/v1/index.m3u8?token=first`)).text();
    return Number(/MEDIA-SEQUENCE:(\d+)/.exec(playlist)?.[1]);
  };
  const before = await firstMsn();
  await until(
    'a window without the shown pictures',
    async () => (await firstMsn()) > before + WINDOW_SEGMENTS,
    LIMIT_MS,
  );
  await Promise.all(pages.map(({ page }) => page.evaluate(`void document.querySelector('#video').play()`)));
  for (const page of pages) {
    const { frames } = await page.report();
    const { errors } = await page.reportWhere(
      'the pictures after a pause',
      (now) => now.frames > frames + 100,
      LIMIT_MS,
    );
    expect([page.name, errors]).toEqual([page.name, []]);
  }
}
