import type { BenchContext } from '../context.ts';
import { HttpPlayer } from '../http-player.ts';
import { startReplay } from '../replay.ts';
import { median, type Row } from '../row.ts';
import type { Target } from '../target.ts';

const ROUNDS = 7;
const QUICK_ROUNDS = 3;
/** How often the player looks; the figures are at most this much too high. */
const EVERY_MS = 10;
const TIMEOUT_MS = 20_000;
const GOP_SECONDS = 2;

/** How long a viewer waits for a stream that has just begun: from the publisher's connect on. */
export async function start(context: BenchContext): Promise<Row[]> {
  const ours = await context.ours.start();
  const peer = await context.peer?.start();
  const parts: number[] = [];
  const segments: number[] = [];
  const peerSegments: number[] = [];
  try {
    for (let round = 0; round < (context.isQuick ? QUICK_ROUNDS : ROUNDS); round++) {
      context.say(`start: round ${round + 1}`);
      const found = await firstOf(context, ours, round, ['#EXT-X-PART:', '#EXTINF:']);
      parts.push(found[0] ?? Number.NaN);
      segments.push(found[1] ?? Number.NaN);
      if (peer) peerSegments.push((await firstOf(context, peer, round, ['#EXTINF:']))[0] ?? Number.NaN);
    }
  } finally {
    await ours.stop();
    await peer?.stop();
  }
  return [
    {
      section: 'start',
      name: 'connect to first part in a playlist',
      unit: 's',
      ours: median(parts),
      better: 'lower',
      target: 0.7,
    },
    {
      section: 'start',
      name: 'connect to first segment in a playlist',
      unit: 's',
      ours: median(segments),
      ...(peerSegments.length > 0 ? { peer: median(peerSegments) } : {}),
      better: 'lower',
      target: GOP_SECONDS + 0.2,
    },
  ];
}

/** Seconds from the connect to the first playlist that holds each of the texts. */
async function firstOf(
  context: BenchContext,
  server: Target,
  round: number,
  texts: readonly string[],
): Promise<number[]> {
  const player = new HttpPlayer(server.httpPort);
  const prefix = `start${round}-`;
  const path = server.playlist(`${prefix}1`);
  const found = texts.map((text) => player.until(path, text, EVERY_MS, TIMEOUT_MS));
  const replay = await startReplay({
    flv: context.media.flv,
    port: server.rtmpPort,
    app: server.app,
    prefix,
    count: 1,
  });
  try {
    const replies = await Promise.all(found);
    return replies.map(({ atMs }) => (atMs - replay.connectMs) / 1000);
  } finally {
    await replay.stop();
    player.close();
  }
}
