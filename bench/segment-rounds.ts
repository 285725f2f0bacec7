import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchContext } from './context.ts';
import { HttpPlayer } from './http-player.ts';
import { load, type LoadResult } from './load.ts';
import { NGINX_BUFFERED, nginxRoot } from './nginx-peer.ts';
import { median, spreadOf, type Row } from './row.ts';
import type { Target } from './target.ts';

const CONNECTIONS = 16;
/** Name of the file that nginx has. */
const FILE = 'segment.m4s';

/** What is measured, and where. */
interface SegmentRounds {
  readonly section: string;
  readonly name: string;
  readonly ours: Target;
  readonly peer: Target | undefined;
  /** Address of the segment on our server. */
  readonly path: string;
}

/** One segment under load in rounds, and in turn with it nginx with a file of the same bytes, by `sendfile` and through large buffers: of both ways the better one counts. */
export async function segmentRounds(
  context: BenchContext,
  { section, name, ours, peer, path }: SegmentRounds,
): Promise<Row[]> {
  const player = new HttpPlayer(ours.httpPort);
  const { body, status } = await player.get(path);
  player.close();
  if (status !== 200) throw new Error(`${path}: ${status}`);
  if (peer) writeFileSync(join(nginxRoot(context.workFolder), FILE), body);
  const options = { connections: CONNECTIONS, seconds: context.isQuick ? 2 : 3 };
  const byOurs: LoadResult[] = [];
  const byPeer: LoadResult[][] = [];
  for (let round = 0; round < (context.isQuick ? 3 : 5); round++) {
    context.say(`${section}: ${name}, round ${round + 1}`);
    byOurs.push(await load(ours, { ...options, path }));
    if (!peer) continue;
    const ways = [];
    for (const file of [`/${FILE}`, `${NGINX_BUFFERED}${FILE}`])
      ways.push(await load(peer, { ...options, path: file }));
    byPeer.push(ways);
  }
  const note = `${(body.length / 1e6).toFixed(2)} MB each, which nginx has as a file`;
  const rates = byPeer.map((ways) => Math.max(...ways.map(({ gigabitsPerSecond }) => gigabitsPerSecond)));
  const costs = byPeer.map((ways) => Math.min(...ways.map(({ cpuSecondsPerGigabyte }) => cpuSecondsPerGigabyte)));
  return [
    {
      ...{ section, name, unit: 'Gbit/s', better: 'higher', target: { ofPeer: 0.8 }, note },
      ...beside(
        byOurs.map(({ gigabitsPerSecond }) => gigabitsPerSecond),
        rates,
      ),
    },
    {
      ...{ section, name: `${name}, CPU`, unit: 's/GB', better: 'lower', note },
      ...beside(
        byOurs.map(({ cpuSecondsPerGigabyte }) => cpuSecondsPerGigabyte),
        costs,
      ),
    },
  ];
}

function beside(
  ours: readonly number[],
  peer: readonly number[],
): Pick<Row, 'ours' | 'spread' | 'peer' | 'peerSpread'> {
  const [spread, peerSpread] = [spreadOf(ours), spreadOf(peer)];
  return {
    ours: median(ours),
    ...(spread ? { spread } : {}),
    ...(peer.length > 0 ? { peer: median(peer) } : {}),
    ...(peerSpread ? { peerSpread } : {}),
  };
}
