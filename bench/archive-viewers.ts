import { fork } from 'node:child_process';
import { once } from 'node:events';
import { HttpPlayer } from './http-player.ts';
import { stopChild } from './replay.ts';

/** Options of the process of viewers. */
interface ViewersOptions {
  readonly port: number;
  /** Number of viewers of random moments of an archive. */
  readonly archived: number;
  /** Number of live viewers. */
  readonly live: number;
  /** Addresses of the streams without the last slash. */
  readonly streams: readonly string[];
  /** Recorded range, in epoch seconds. */
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** Duration of watching, in milliseconds. */
  readonly ms: number;
}

/** Measurements of the viewers. */
export interface ViewersFigures {
  /** Time until the last byte of an archive playlist or segment, in milliseconds. */
  readonly archiveMs: readonly number[];
  /** Segments received by the live viewers. */
  readonly liveSegments: number;
}

/** Duration of a segment: the interval of a viewer's requests. */
const SEGMENT_MS = 2000;
/** Segments that an archive viewer plays before the next moment. */
const PLAYED = 5;

/** Runs viewers in a separate process for a time. */
export async function watchFor(options: ViewersOptions): Promise<ViewersFigures> {
  const child = fork(new URL(import.meta.url), [JSON.stringify(options)], { execArgv: [] });
  const [answer] = (await once(child, 'message')) as [ViewersFigures | string];
  await stopChild(child);
  if (typeof answer === 'string') throw new Error(answer);
  return answer;
}

async function watch(options: ViewersOptions): Promise<ViewersFigures> {
  const endMs = performance.now() + options.ms;
  const archiveMs: number[] = [];
  let liveSegments = 0;
  const archived = Array.from({ length: options.archived }, async (_, viewer) => {
    await pause((SEGMENT_MS * viewer) / options.archived);
    for (let moment = viewer; performance.now() < endMs; moment++)
      await playMoment(options, (moment * 7919) % 1009, endMs, archiveMs);
  });
  const live = Array.from({ length: options.live }, async (_, viewer) => {
    const stream = options.streams[viewer % options.streams.length] ?? '';
    const player = new HttpPlayer(options.port);
    await pause((SEGMENT_MS * viewer) / options.live);
    for (let last = ''; performance.now() < endMs;) {
      const newest = namesOf(await textOf(player, `${stream}/v1/index.m3u8`)).at(-1) ?? '';
      if (newest !== last) {
        const { status } = await player.get(`${stream}/v1/${newest}`);
        if (status !== 200) throw new Error(`${stream}/v1/${newest}: ${status}`);
        liveSegments++;
      }
      last = newest;
      await pause(SEGMENT_MS / 4);
    }
    player.close();
  });
  await Promise.all([...archived, ...live]);
  return { archiveMs, liveSegments };
}

/** Opens the n-th moment of the archive and plays some segments in real time. */
async function playMoment(
  { port, streams, fromSeconds, toSeconds }: ViewersOptions,
  number: number,
  endMs: number,
  timesMs: number[],
): Promise<void> {
  const player = new HttpPlayer(port);
  const stream = streams[number % streams.length] ?? '';
  const seconds = fromSeconds + (number % Math.max(1, toSeconds - fromSeconds - PLAYED * 2));
  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    const before = performance.now();
    const found = await work();
    timesMs.push(performance.now() - before);
    return found;
  };
  const names = namesOf(await timed(() => textOf(player, `${stream}/v1/archive-${seconds}-${PLAYED * 2}.m3u8`)));
  for (const name of names) {
    const dueMs = performance.now() + SEGMENT_MS;
    const { status } = await timed(() => player.get(`${stream}/v1/${name}`));
    if (status !== 200) throw new Error(`${stream}/v1/${name}: ${status}`);
    // Waits after the last segment, too: otherwise the viewer would open the next moment too early.
    await pause(Math.max(0, Math.min(dueMs, endMs) - performance.now()));
    if (dueMs > endMs) break;
  }
  player.close();
}

async function textOf(player: HttpPlayer, path: string): Promise<string> {
  const { status, body } = await player.get(path);
  if (status !== 200) throw new Error(`${path}: ${status} ${body.toString()}`);
  return body.toString();
}

function namesOf(playlist: string): string[] {
  return playlist.match(/^\d+\.m4s$/gm) ?? [];
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

if (process.send) {
  process.on('disconnect', () => process.exit(0));
  watch(JSON.parse(process.argv[2] ?? '{}') as ViewersOptions).then(
    (figures) => process.send?.(figures),
    (error: unknown) => process.send?.(String(error)),
  );
}
