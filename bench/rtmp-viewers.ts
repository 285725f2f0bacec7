import { fork } from 'node:child_process';
import { RtmpClient } from './rtmp-client.ts';
import { stopChild } from './replay.ts';

// RTMP players of one stream, in a process of their own: `startRtmpViewers` starts it.

interface ViewerOptions {
  readonly port: number;
  readonly app: string;
  readonly name: string;
  readonly count: number;
}

/** Running players. */
interface RtmpViewers {
  /** Time from `play` to the first key frame of each player, in milliseconds. */
  readonly firstPicturesMs: readonly number[];
  stop(): Promise<void>;
}

const VIDEO = 9;
/** Distance of two starts in milliseconds: not a divisor of the duration of a GOP, so that starts fall on all its pictures. */
const START_GAP_MS = 37;

/** Starts players one after another; resolves when all of them have a picture. */
export async function startRtmpViewers(options: ViewerOptions): Promise<RtmpViewers> {
  const child = fork(new URL(import.meta.url), [JSON.stringify(options)], { execArgv: [] });
  const playing = Promise.withResolvers<readonly number[]>();
  child.on('message', (message: readonly number[]) => {
    playing.resolve(message);
  });
  child.on('exit', (code) => {
    playing.reject(new Error(`the players ended with ${code}`));
  });
  return { firstPicturesMs: await playing.promise, stop: () => stopChild(child) };
}

/** Plays until the first key frame, and then reads without looking at the media. Returns the time that it took. */
async function view({ port, app, name }: ViewerOptions): Promise<number> {
  const seen = Promise.withResolvers<number>();
  let startedMs = 0;
  const client = await RtmpClient.open(port, app, (type, payload) => {
    // A key frame of H.264 with media, not with a decoder configuration (FLV 10.1, section E.4.3.1).
    if (type === VIDEO && payload[0] === 0x17 && payload[1] === 1) seen.resolve(performance.now() - startedMs);
  });
  startedMs = performance.now();
  await client.start('play', name);
  const ms = await seen.promise;
  client.ignore();
  return ms;
}

const [, , text] = process.argv;
if (process.send && text !== undefined) {
  const options = JSON.parse(text) as ViewerOptions;
  const viewers: Promise<number>[] = [];
  for (let index = 0; index < options.count; index++) {
    viewers.push(view(options));
    await new Promise((resolve) => setTimeout(resolve, START_GAP_MS));
  }
  process.send(await Promise.all(viewers));
}
