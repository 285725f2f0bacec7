import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pause, type BenchContext } from '../context.ts';
import { HttpPlayer } from '../http-player.ts';
import { IDLE_CONNECTIONS, measureIdle } from '../idle-connections.ts';
import { hasLoadGenerator, load, type LoadResult, type Loads } from '../load.ts';
import { NGINX_BUFFERED, nginxRoot } from '../nginx-peer.ts';
import { LONG_APP } from '../our-server.ts';
import { startReplay } from '../replay.ts';
import { alternate, rowsOf } from '../rounds.ts';
import type { Row } from '../row.ts';
import type { Target } from '../target.ts';

const SEGMENT_CONNECTIONS = 16;
const PLAYLIST_CONNECTIONS = 64;

/** Cost of viewers: segments and playlists over keep-alive connections, and idle connections. */
export async function delivery(context: BenchContext): Promise<Row[]> {
  const ours = await context.ours.start();
  const peer = await context.peer?.start();
  try {
    const replays = [
      await startReplay({ flv: context.media.flv, port: ours.rtmpPort, app: LONG_APP, prefix: 'seg', count: 1 }),
      await startReplay({ flv: context.media.flv, port: ours.rtmpPort, app: ours.app, prefix: 'list', count: 1 }),
    ];
    // A live playlist has its usual length once its window is full.
    await pause(context.isQuick ? 6000 : 14_000);
    const rows = hasLoadGenerator() ? await loadRows(context, ours, peer) : missing();
    rows.push(...(await idleRows(context, ours, peer)));
    for (const replay of replays) await replay.stop();
    return rows;
  } finally {
    await ours.stop();
    await peer?.stop();
  }
}

function missing(): Row[] {
  return [
    {
      section: 'delivery',
      name: 'not measured',
      unit: '',
      ours: Number.NaN,
      better: 'higher',
      note: 'wrk is not installed',
    },
  ];
}

async function loadRows(context: BenchContext, ours: Target, peer: Target | undefined): Promise<Row[]> {
  const player = new HttpPlayer(ours.httpPort);
  const list = (await player.get(`/${LONG_APP}/seg1/v1/index.m3u8`)).body.toString();
  const segment = `/${LONG_APP}/seg1/v1/${/^\d+\.m4s$/m.exec(list)?.[0] ?? ''}`;
  const segmentBytes = (await player.get(segment)).body;
  const playlist = ours.playlist('list1');
  // The peer serves a file with the same bytes; ours stays live meanwhile.
  writeFileSync(join(nginxRoot(context.workFolder), 'segment.m4s'), segmentBytes);
  writeFileSync(join(nginxRoot(context.workFolder), 'index.m3u8'), (await player.get(playlist)).body);
  player.close();

  const seconds = context.isQuick ? 2 : 4;
  const measured = await alternate(context, {
    title: 'delivery',
    count: context.isQuick ? 3 : 7,
    ours: () => loads(ours, seconds, [segment], [playlist]),
    peer:
      peer &&
      (() =>
        loads(
          peer,
          seconds,
          ['/segment.m4s', `${NGINX_BUFFERED}segment.m4s`],
          ['/index.m3u8', `${NGINX_BUFFERED}index.m3u8`],
        )),
  });
  return rowsOf('delivery', measured, [
    {
      name: 'segments',
      unit: 'Gbit/s',
      better: 'higher',
      target: 'peer',
      note: `${(segmentBytes.length / 1e6).toFixed(2)} MB each`,
      of: ({ segments }) => segments.gigabitsPerSecond,
    },
    {
      name: 'segments, CPU',
      unit: 's/GB',
      target: 'peer',
      of: ({ segments }) => segments.cpuSecondsPerGigabyte,
    },
    {
      name: 'live playlists',
      unit: 'requests/s',
      better: 'higher',
      of: ({ playlists }) => playlists.requestsPerSecond,
    },
    {
      name: 'live playlists, CPU',
      unit: 'us/request',
      target: 'peer',
      of: ({ playlists }) => playlists.cpuMicrosPerRequest,
    },
  ]);
}

/** Loads a server with a segment and a playlist. Of several paths of one of them, the fastest counts. */
async function loads(
  server: Target,
  seconds: number,
  segments: readonly string[],
  playlists: readonly string[],
): Promise<Loads> {
  const fastest = async (paths: readonly string[], connections: number): Promise<LoadResult> => {
    const results: LoadResult[] = [];
    for (const path of paths) results.push(await load(server, { paths: [path], connections, seconds }));
    const [best] = results.toSorted((a, b) => b.requestsPerSecond - a.requestsPerSecond);
    if (!best) throw new Error('there is nothing to load');
    return best;
  };
  return {
    segments: await fastest(segments, SEGMENT_CONNECTIONS),
    playlists: await fastest(playlists, PLAYLIST_CONNECTIONS),
  };
}

async function idleRows(context: BenchContext, ours: Target, peer: Target | undefined): Promise<Row[]> {
  context.say(`delivery: ${IDLE_CONNECTIONS} idle connections`);
  const seconds = context.isQuick ? 4 : 10;
  const byOurs = await measureIdle(ours, ours.playlist('list1'), seconds);
  const byPeer = peer ? await measureIdle(peer, '/index.m3u8', seconds) : undefined;
  return [
    {
      section: 'delivery',
      name: `${IDLE_CONNECTIONS} idle connections, memory of each`,
      unit: 'kB',
      ours: byOurs.kilobytesEach,
      ...(byPeer ? { peer: byPeer.kilobytesEach } : {}),
      better: 'lower',
    },
    {
      section: 'delivery',
      name: `${IDLE_CONNECTIONS} idle connections, CPU`,
      unit: '% of a core',
      ours: byOurs.cpuPercent,
      ...(byPeer ? { peer: byPeer.cpuPercent } : {}),
      better: 'lower',
      target: 5,
      note: 'ours with two publishers',
    },
  ];
}
