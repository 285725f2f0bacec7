import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pause, type BenchContext } from '../context.ts';
import { CROWD, startCrowd } from '../crowd.ts';
import { HttpPlayer } from '../http-player.ts';
import { hasLoadGenerator, load, type Loads } from '../load.ts';
import { LONG_APP, ourServer } from '../our-server.ts';
import { residentMegabytes } from '../process-cost.ts';
import { startReplay } from '../replay.ts';
import { alternate, rowsOf } from '../rounds.ts';
import type { Row } from '../row.ts';
import type { Target } from '../target.ts';

/**
 * Measures the cost of viewer sessions for delivery: the same load, alternately on a server without other viewers and on a
 * server with ten thousand.
 */
export async function sessions(context: BenchContext): Promise<Row[]> {
  if (!hasLoadGenerator()) return [];
  const crowdFolder = join(context.workFolder, 'crowd');
  mkdirSync(crowdFolder, { recursive: true });
  const alone = await context.ours.start();
  const crowded = await ourServer({
    workFolder: crowdFolder,
    isSource: context.isSource,
    root: context.root,
    nodeArgs: [],
  }).start();
  try {
    const replays = [];
    for (const server of [alone, crowded]) {
      for (const [app, prefix] of [
        [LONG_APP, 'seg'],
        [server.app, 'list'],
      ] as const)
        replays.push(await startReplay({ flv: context.media.flv, port: server.rtmpPort, app, prefix, count: 1 }));
    }
    await pause(context.isQuick ? 6000 : 14_000);
    const before = residentMegabytes(crowded.pid);
    context.say(`sessions: ${CROWD} viewers connect`);
    const leave = await startCrowd(crowded, crowded.playlist('list1'));
    const kilobytesEach = ((residentMegabytes(crowded.pid) - before) * 1024) / CROWD;
    const rows = await compared(context, alone, crowded);
    await leave();
    for (const replay of replays) await replay.stop();
    return [
      ...rows,
      {
        section: 'sessions',
        name: `${CROWD} sessions with their connections, memory of each`,
        unit: 'kB',
        ours: kilobytesEach,
        better: 'lower',
      },
    ];
  } finally {
    await alone.stop();
    await crowded.stop();
  }
}

async function compared(context: BenchContext, alone: Target, crowded: Target): Promise<Row[]> {
  const seconds = context.isQuick ? 2 : 4;
  const measure = async (server: Target): Promise<() => Promise<Loads>> => {
    const segment = await segmentPath(server);
    return async () => ({
      segments: await load(server, { paths: [segment], connections: 16, seconds }),
      playlists: await load(server, { paths: [server.playlist('list1')], connections: 64, seconds }),
    });
  };
  const measured = await alternate(context, {
    title: 'sessions',
    count: context.isQuick ? 2 : 7,
    ours: await measure(crowded),
    peer: await measure(alone),
  });
  const note = 'peer: ours without sessions';
  return rowsOf('sessions', measured, [
    {
      name: `segments with ${CROWD} sessions`,
      unit: 'Gbit/s',
      better: 'higher',
      note,
      of: ({ segments }) => segments.gigabitsPerSecond,
    },
    { name: 'segments, CPU', unit: 's/GB', note, of: ({ segments }) => segments.cpuSecondsPerGigabyte },
    {
      name: `live playlists with ${CROWD} sessions`,
      unit: 'requests/s',
      better: 'higher',
      note,
      of: ({ playlists }) => playlists.requestsPerSecond,
    },
    {
      name: 'live playlists, CPU',
      unit: 'us/request',
      note,
      of: ({ playlists }) => playlists.cpuMicrosPerRequest,
    },
  ]);
}

async function segmentPath(server: Target): Promise<string> {
  const player = new HttpPlayer(server.httpPort);
  const list = (await player.get(`/${LONG_APP}/seg1/v1/index.m3u8`)).body.toString();
  player.close();
  return `/${LONG_APP}/seg1/v1/${/^\d+\.m4s$/m.exec(list)?.[0] ?? ''}`;
}
