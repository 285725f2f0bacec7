import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pause, type BenchContext } from '../context.ts';
import { CROWD, startCrowd } from '../crowd.ts';
import { HttpPlayer } from '../http-player.ts';
import { hasLoadGenerator, load, type LoadResult } from '../load.ts';
import { LONG_APP, ourServer } from '../our-server.ts';
import { residentMegabytes } from '../process-cost.ts';
import { startReplay } from '../replay.ts';
import { median, type Row } from '../row.ts';
import type { Target } from '../target.ts';

interface Figures {
  readonly segments: LoadResult[];
  readonly playlists: LoadResult[];
}

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
  const withoutSessions: Figures = { segments: [], playlists: [] };
  const withSessions: Figures = { segments: [], playlists: [] };
  const paths = await Promise.all([alone, crowded].map(segmentPath));
  for (let round = 0; round < (context.isQuick ? 2 : 7); round++) {
    context.say(`sessions: round ${round + 1}`);
    // The order alternates, so that other work of the machine affects both.
    const pairs = [
      [alone, withoutSessions, paths[0]],
      [crowded, withSessions, paths[1]],
    ] as const;
    for (const [server, figures, segment = ''] of round % 2 === 0 ? pairs : pairs.toReversed()) {
      figures.segments.push(await load(server, { paths: [segment], connections: 16, seconds }));
      figures.playlists.push(await load(server, { paths: [server.playlist('list1')], connections: 64, seconds }));
    }
  }
  const row = (kind: keyof Figures, figure: keyof LoadResult, rest: Pick<Row, 'name' | 'unit' | 'better'>): Row => ({
    section: 'sessions',
    ours: median(withSessions[kind].map((result) => result[figure])),
    peer: median(withoutSessions[kind].map((result) => result[figure])),
    note: 'peer: ours without sessions',
    ...rest,
  });
  return [
    row('segments', 'gigabitsPerSecond', {
      name: `segments with ${CROWD} sessions`,
      unit: 'Gbit/s',
      better: 'higher',
    }),
    row('segments', 'cpuSecondsPerGigabyte', { name: 'segments, CPU', unit: 's/GB', better: 'lower' }),
    row('playlists', 'requestsPerSecond', {
      name: `live playlists with ${CROWD} sessions`,
      unit: 'requests/s',
      better: 'higher',
    }),
    row('playlists', 'cpuMicrosPerRequest', { name: 'live playlists, CPU', unit: 'us/request', better: 'lower' }),
  ];
}

async function segmentPath(server: Target): Promise<string> {
  const player = new HttpPlayer(server.httpPort);
  const list = (await player.get(`/${LONG_APP}/seg1/v1/index.m3u8`)).body.toString();
  player.close();
  return `/${LONG_APP}/seg1/v1/${/^\d+\.m4s$/m.exec(list)?.[0] ?? ''}`;
}
