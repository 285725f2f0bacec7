import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkOrder, checkSteps, FRAME_MS, STEP_MS, UNIT_MS } from '../../helpers/break-proof.ts';
import { BREAK_EACH_MS, BreakStage } from '../../helpers/break-stage.ts';
import { until } from '../../helpers/until.ts';
import { READABLE_SIZE } from '../../helpers/numbered-media.ts';
import { picturesByGst, unitsByFfmpeg, unitsByVlc, type TakenUnits } from '../../helpers/peer-units.ts';
import { WireViewer, type WireUnit } from '../../helpers/wire-viewer.ts';

// Viewers of a live stream, each with breaks of its kind, who load what a player would: each picture and each sound that they were sent, known by its bytes.

/** Breaks of each viewer; more by AIRDESK_BREAKS, which prints how each did. */
const BREAKS = Number(process.env['AIRDESK_BREAKS'] ?? 2);
const IS_LONG = process.env['AIRDESK_BREAKS'] !== undefined;
const LEAD_MS = 4000;
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
/** Players outside of browsers, the kinds of breaks that each goes through without a fault, and which of them are looked at: the others are played alike. */
const PEERS = [
  { peer: 'ffmpeg', plays: () => true, short: ['1-ll-hls', '1-hls-ts', '1-dash', '2-hls-ts'] },
  // It plays no live DASH, with clips or without.
  { peer: 'gstreamer', plays: ({ format }: Kind) => format !== 'dash', short: ['1-ll-hls', '2-hls-ts'] },
  // In DASH it leaves out a second of sound now and then, with clips or without.
  { peer: 'vlc', plays: ({ format }: Kind) => format !== 'dash', short: ['1-ll-hls', '1-hls-ts'] },
] as const;
const PEER_KINDS = PEERS.flatMap(({ peer, plays, short }) =>
  // With AIRDESK_BREAKS it is printed how they do with all.
  KINDS.filter(
    ({ v, insertBy, format }) =>
      IS_LONG || (insertBy === 'splicing' && short.some((name) => name === `${v}-${format}`)),
  ).map((kind) => ({ ...kind, ...{ peer, name: `${peer}-${kind.name}`, plays: plays(kind) } })),
);

const viewers = new Map<string, WireViewer>();
const peers = new Map<string, Promise<TakenUnits | Error>>();
const end = new AbortController();
let stage: BreakStage;

beforeAll(async () => {
  stage = await BreakStage.start(ALL_MS / 1000 + 30);
  for (const { name, format, ...kind } of KINDS) {
    const query = stage.viewer(name, kind);
    const viewer = new WireViewer(`${stage.server.url}/cam`, query, { folder: join(stage.folder, name), format });
    viewers.set(name, viewer);
    viewer.start();
  }
  for (const kind of PEER_KINDS) {
    const taken = takenBy(kind).catch((error: unknown) => error as Error);
    peers.set(kind.name, taken);
  }
  for (let number = 0; number < BREAKS; number++) {
    const atMs = LEAD_MS + number * BREAK_EACH_MS;
    await until('time for the next break', () => leastLoadedMs() >= atMs - 2000, LIMIT_MS);
    await stage.splice();
  }
  await until('all breaks', () => leastLoadedMs() >= ALL_MS, LIMIT_MS);
  await Promise.all([...viewers.values()].map((viewer) => viewer.stop()));
  end.abort();
  await Promise.all(peers.values());
});

afterAll(async () => {
  await stage.close();
});

/** What a player takes of the stream, until it is ended. */
async function takenBy({ peer, name, format, ...kind }: (typeof PEER_KINDS)[number]): Promise<TakenUnits> {
  const list = { 'll-hls': 'index.m3u8', 'hls-ts': 'index.ts.m3u8', dash: 'index.mpd' }[format];
  const address = `${stage.server.url}/cam/${list}?${stage.viewer(name, kind)}`;
  if (peer === 'ffmpeg') return unitsByFfmpeg(address, format === 'hls-ts', end.signal);
  if (peer === 'vlc') return unitsByVlc(address, end.signal);
  const pictures = await picturesByGst(address, READABLE_SIZE.width * READABLE_SIZE.height * 1.5, end.signal);
  return { v: pictures.map((digest, index) => ({ digest, ms: index * FRAME_MS })), a: [] };
}

/** How much the viewer who has least has; raises what has gone wrong for one of them. */
function leastLoadedMs(): number {
  return Math.min(...[...viewers.values()].map((viewer) => viewer.loadedMs));
}

/** Largest distance of a unit from where the one before it ends, in milliseconds: inside a run, and where one begins. */
function holes(units: readonly WireUnit[], lengthMs: number): { readonly within: number; readonly between: number } {
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

it.each(KINDS)('sends each picture once, and sound in step, with v $v, by $insertBy, in $format', async (kind) => {
  const viewer = viewers.get(kind.name) as WireViewer;
  const { v1: units, ...sounds } = await viewer.shown();
  const pictures = stage.known.stretchesOf(units, 'v');
  const breaks = checkOrder(pictures, stage.wanted(kind));
  const found: Record<string, ReturnType<typeof holes>> = { v1: holes(units, FRAME_MS) };
  const apartMs: Record<string, number> = {};
  // Clips have one sound: it stands in both of the stream.
  for (const track of ['a1', 'a2'] as const) {
    const sound = sounds[track];
    apartMs[track] = checkSteps(pictures, stage.known.stretchesOf(sound, 'a'), { hasTimes: true, areWhole: false });
    found[track] = holes(sound, UNIT_MS);
  }
  if (IS_LONG) {
    const counts = { breaks, pictures: units.length, hinted: viewer.hinted, parts: viewer.parts, apartMs };
    process.stdout.write(`${JSON.stringify({ kind: kind.name, ...counts, found })}\n`);
  }
  expect(breaks).toBeGreaterThanOrEqual(BREAKS);
  for (const { within } of Object.values(found)) expect(within).toBeLessThan(3);
  // Times go on over clips apart, too.
  for (const { between } of Object.values(found)) expect(between).toBeLessThanOrEqual(STEP_MS);
  if (kind.format === 'll-hls') expect(viewer.hinted).toBeGreaterThan(viewer.parts / 8);
});

it.each(PEER_KINDS)('shows $peer each picture once, with v $v, by $insertBy, in $format', async (kind) => {
  const taken = await peers.get(kind.name);
  let [found, fault]: [object, Error | undefined] = [{}, undefined];
  try {
    if (!taken || taken instanceof Error) throw taken ?? new Error('it was not begun');
    const pictures = stage.known.stretchesOf(taken.v, 'v');
    const breaks = checkOrder(pictures, stage.wanted(kind));
    found = { breaks, pictures: taken.v.length };
    // The last break may be on its way when the player is ended.
    expect(breaks).toBeGreaterThanOrEqual(BREAKS - 1);
    if (taken.a.length > 0) {
      const options = { hasTimes: true, areWhole: false };
      const apartMs = checkSteps(pictures, stage.known.stretchesOf(taken.a, 'a'), options);
      found = { ...found, apartMs };
    }
  } catch (error) {
    fault = error instanceof Error ? error : new Error(String(error));
  }
  if (IS_LONG)
    process.stdout.write(
      `${JSON.stringify({ kind: kind.name, ...found, fault: fault?.message.slice(0, 200) ?? null })}\n`,
    );
  if (fault !== undefined && kind.plays) throw fault;
});
