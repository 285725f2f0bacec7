import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkOrder, checkSteps, FRAME_MS, MAX_OFFSET_MS, UNIT_MS } from '../helpers/break-proof.ts';
import { BREAK_EACH_MS, BreakStage } from '../helpers/break-stage.ts';
import { until } from '../helpers/until.ts';
import { READABLE_SIZE } from '../helpers/numbered-media.ts';
import { picturesByGst, unitsByFfmpeg, unitsByVlc, type ReceivedUnits } from '../helpers/peer-units.ts';
import { SHORT_STALL_MS, MachineStalls } from '../helpers/machine-stalls.ts';
import { WireViewer, type WireUnit } from '../helpers/wire-viewer.ts';

// Viewers of a live stream, each with breaks of one kind, who load the same media as a player: each picture and audio
// unit is identified by its bytes.

/** Number of breaks per viewer. Set AIRDESK_BREAKS to test more of them and print the result of each viewer. */
const BREAKS = Number(process.env['AIRDESK_BREAKS'] ?? 2);
const IS_LONG = process.env['AIRDESK_BREAKS'] !== undefined;
const LEAD_MS = 4000;
/** Number of segments in the window; more than the default, because a busy machine stalls the viewers for seconds. */
const WINDOW_SEGMENTS = 40;
const ALL_MS = LEAD_MS + BREAKS * BREAK_EACH_MS + 2000;
const LIMIT_MS = 60_000 + ALL_MS * 2;
const KINDS = ([1, 2] as const).flatMap((v) =>
  (['interval', 'splicing'] as const).flatMap((insertBy) =>
    (['ll-hls', 'hls-ts', 'dash'] as const).map((format) => ({
      v,
      insertBy,
      format,
      name: `${v}-${insertBy}-${format}`,
    })),
  ),
);

type Kind = (typeof KINDS)[number];
/**
 * Players other than browsers, the kinds of breaks that each plays without a fault, and the kinds that are tested by
 * default.
 */
const PEERS = [
  { peer: 'ffmpeg', plays: () => true, short: ['1-ll-hls', '1-hls-ts', '1-dash', '2-hls-ts'] },
  // GStreamer plays no live DASH, with or without clips.
  { peer: 'gstreamer', plays: ({ format }: Kind) => format !== 'dash', short: ['1-ll-hls', '2-hls-ts'] },
  // VLC sometimes skips a second of audio in DASH, with or without clips.
  { peer: 'vlc', plays: ({ format }: Kind) => format !== 'dash', short: ['1-ll-hls', '1-hls-ts'] },
] as const;
const PEER_KINDS = PEERS.flatMap(({ peer, plays, short }) =>
  // With AIRDESK_BREAKS the results of all are printed.
  KINDS.filter(
    ({ v, insertBy, format }) =>
      IS_LONG || (insertBy === 'splicing' && short.some((name) => name === `${v}-${format}`)),
  ).map((kind) => ({ ...kind, peer, name: `${peer}-${kind.name}`, plays: plays(kind) })),
);

const viewers = new Map<string, WireViewer>();
const peers = new Map<string, Promise<ReceivedUnits | Error>>();
const end = new AbortController();
let stage: BreakStage;
/** Longest stall of the machine during the recording, in milliseconds. */
let stalledMs = 0;

beforeAll(async () => {
  stage = await BreakStage.start(ALL_MS / 1000 + 45, WINDOW_SEGMENTS);
  const machineStalls = MachineStalls.watch();
  for (const { name, format, ...kind } of KINDS) {
    const query = stage.viewer(name, kind);
    const options = { folder: join(stage.folder, name), format, plainQuery: 'token=first' };
    const viewer = new WireViewer(`${stage.server.url}/cam`, query, options);
    viewers.set(name, viewer);
    viewer.start();
  }
  for (const kind of PEER_KINDS) {
    const taken = takenBy(kind, end.signal).catch((error: unknown) => error as Error);
    peers.set(kind.name, taken);
  }
  for (let number = 0; number < BREAKS; number++) {
    const atMs = LEAD_MS + number * BREAK_EACH_MS;
    await until('time for the next break', () => minLoadedMs() >= atMs - 2000, LIMIT_MS);
    await stage.splice();
  }
  await until('all breaks', async () => minLoadedMs() >= ALL_MS && (await minShown()) >= BREAKS * 2, LIMIT_MS);
  await Promise.all([...viewers.values()].map((viewer) => viewer.stop()));
  end.abort();
  await Promise.all(peers.values());
  stalledMs = Math.max(0, ...machineStalls.all.map(({ ms }) => ms));
  machineStalls.close();
});

afterAll(async () => {
  // Players of a failed run would load from the closed server endlessly.
  end.abort();
  await stage.close();
});

type PeerKind = (typeof PEER_KINDS)[number];

/** Units of the stream that a player received until it was ended. */
async function takenBy({ peer, name, format, ...kind }: PeerKind, over: AbortSignal): Promise<ReceivedUnits> {
  const list = { 'll-hls': 'index.m3u8', 'hls-ts': 'index.ts.m3u8', dash: 'index.mpd' }[format];
  const address = `${stage.server.url}/cam/${list}?${stage.viewer(name, kind)}`;
  if (peer === 'ffmpeg') return unitsByFfmpeg(address, format === 'hls-ts', over);
  if (peer === 'vlc') return unitsByVlc(address, over);
  const pictures = await picturesByGst(address, READABLE_SIZE.width * READABLE_SIZE.height * 1.5, over);
  return { v: pictures.map((digest, index) => ({ digest, ms: index * FRAME_MS })), a: [] };
}

/** Units that a player received in one more break. */
async function takenAgain(kind: PeerKind): Promise<ReceivedUnits> {
  const over = new AbortController();
  const beganMs = Date.now();
  const taken = takenBy({ ...kind, name: `${kind.name}-again` }, over.signal);
  taken.catch(() => undefined);
  const passed = async (ms: number): Promise<boolean> =>
    until('time to go on', () => Date.now() - beganMs >= ms, LIMIT_MS);
  await passed(LEAD_MS - 2000);
  await stage.splice();
  await passed(LEAD_MS + BREAK_EACH_MS + 4000);
  over.abort();
  return taken;
}

/** Shortest duration that a viewer has loaded; throws the fault of a viewer. */
function minLoadedMs(): number {
  return Math.min(...[...viewers.values()].map((viewer) => viewer.loadedMs));
}

/**
 * Smallest number of clips sent to a viewer. A break has two clips. The encoder of a busy machine may lag by seconds.
 */
async function minShown(): Promise<number> {
  return Math.min(...(await Promise.all(KINDS.map(async ({ name }) => (await stage.showings(name)).length))));
}

/**
 * Largest distance between the end of a unit and the start of the next one, in milliseconds: inside a run, and between
 * two runs.
 */
function gaps(units: readonly WireUnit[], lengthMs: number): { readonly within: number; readonly between: number } {
  let [within, between] = [0, 0];
  for (const [index, { ms, run }] of units.entries()) {
    const before = units[index - 1];
    if (!before) continue;
    const apart = Math.abs(ms - before.ms - lengthMs);
    if (before.run === run) within = Math.max(within, apart);
    else between = Math.max(between, apart);
  }
  return { within, between };
}

it.each(KINDS)('sends each picture once and continuous audio, with v $v, by $insertBy, in $format', async (kind) => {
  const viewer = viewers.get(kind.name) as WireViewer;
  const { v1: units, ...sounds } = await viewer.shown();
  const pictures = stage.knownUnits.rangesOf(units, 'v');
  const breaks = checkOrder(pictures, { ...stage.expectedBreaks(kind), mayJoinInBreak: true });
  const found: Record<string, ReturnType<typeof gaps>> = { v1: gaps(units, FRAME_MS) };
  const apartMs: Record<string, number> = {};
  // Clips have one audio track, which replaces both audio tracks of the stream.
  for (const track of ['a1', 'a2'] as const) {
    const sound = sounds[track];
    apartMs[track] = checkSteps(pictures, stage.knownUnits.rangesOf(sound, 'a'), { hasTimes: true, areAligned: false });
    found[track] = gaps(sound, UNIT_MS);
  }
  if (IS_LONG) {
    const counts = { breaks, pictures: units.length, hinted: viewer.hinted, parts: viewer.parts, apartMs };
    process.stdout.write(`${JSON.stringify({ kind: kind.name, ...counts, found })}\n`);
  }
  expect(breaks).toBeGreaterThanOrEqual(BREAKS);
  for (const { within } of Object.values(found)) expect(within).toBeLessThan(3);
  // The times are continuous with separate clips as well.
  for (const { between } of Object.values(found)) expect(between).toBeLessThanOrEqual(MAX_OFFSET_MS);
  // On a busy machine, most parts are listed before the viewer requests the preload hint.
  if (kind.format === 'll-hls') expect(viewer.hinted).toBeGreaterThan(0);
});

it.each(PEER_KINDS)('sends $peer each picture once, with v $v, by $insertBy, in $format', async (kind) => {
  const taken = await peers.get(kind.name);
  let [found, fault]: [object, Error | undefined] = [{}, undefined];
  try {
    if (!taken || taken instanceof Error) throw taken ?? new Error('it was not started');
    // The last break may be in progress when the player is ended.
    found = judge(kind, taken, BREAKS - 1);
  } catch (error) {
    fault = error instanceof Error ? error : new Error(String(error));
  }
  if (IS_LONG)
    process.stdout.write(
      `${JSON.stringify({ kind: kind.name, ...found, fault: fault?.message.slice(0, 200) ?? null })}\n`,
    );
  if (fault === undefined || !kind.plays) return;
  // Players lag after a stall of the machine, and show some media twice or not at all.
  if (stalledMs < SHORT_STALL_MS) throw fault;
  judge(kind, await takenAgain(kind), 1);
});

/** Checks the units of a player: returns the numbers of breaks and pictures, or throws the fault. */
function judge(kind: PeerKind, taken: ReceivedUnits, leastBreaks: number): object {
  const pictures = stage.knownUnits.rangesOf(taken.v, 'v');
  const breaks = checkOrder(pictures, { ...stage.expectedBreaks(kind), mayJoinInBreak: true });
  const found = { breaks, pictures: taken.v.length };
  expect(breaks).toBeGreaterThanOrEqual(leastBreaks);
  if (taken.a.length === 0) return found;
  const options = { hasTimes: true, areAligned: false };
  return { ...found, apartMs: checkSteps(pictures, stage.knownUnits.rangesOf(taken.a, 'a'), options) };
}
