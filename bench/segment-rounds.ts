import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchContext } from './context.ts';
import { HttpPlayer } from './http-player.ts';
import { load, type LoadResult } from './load.ts';
import { NGINX_BUFFERED, nginxRoot } from './nginx-peer.ts';
import { alternate, rowsOf } from './rounds.ts';
import type { Row } from './row.ts';
import type { Target } from './target.ts';

const CONNECTIONS = 16;
/** Folder of the segments that nginx serves as files. */
const FOLDER = 'segments';

/** Segments to measure, and the servers that send them. */
interface SegmentRounds {
  readonly section: string;
  readonly name: string;
  readonly ours: Target;
  readonly peer: Target | undefined;
  /** Addresses of the segments on our server. */
  readonly paths: readonly string[];
}

/**
 * Measures segments under load, in rounds that alternate between our server and nginx. nginx sends files with the same bytes,
 * once with `sendfile` and once with large buffers. The better figure of each round counts.
 */
export async function segmentRounds(
  context: BenchContext,
  { section, name, ours, peer, paths: [first = '', ...others] }: SegmentRounds,
): Promise<Row[]> {
  const folder = join(nginxRoot(context.workFolder), FOLDER);
  mkdirSync(folder, { recursive: true });
  const player = new HttpPlayer(ours.httpPort);
  let bytes = 0;
  for (const [index, path] of [first, ...others].entries()) {
    const { body, status } = await player.get(path);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    bytes += body.length;
    if (peer) writeFileSync(join(folder, String(index)), body);
  }
  player.close();
  const count = others.length + 1;
  const files = (prefix: string): [string, ...string[]] => {
    const [firstFile = '', ...rest] = Array.from({ length: count }, (_, index) => `${prefix}${FOLDER}/${index}`);
    return [firstFile, ...rest];
  };
  const options = { connections: CONNECTIONS, seconds: context.isQuick ? 2 : 3 };
  const note = `${(bytes / count / 1e6).toFixed(2)} MB each, which nginx has as files`;
  const measured = await alternate<Pick<LoadResult, 'gigabitsPerSecond' | 'cpuSecondsPerGigabyte'>>(context, {
    title: `${section}: ${name}`,
    count: context.isQuick ? 3 : 5,
    ours: () => load(ours, { ...options, paths: [first, ...others] }),
    peer:
      peer &&
      (async () => {
        const results = [];
        for (const prefix of ['/', NGINX_BUFFERED])
          results.push(await load(peer, { ...options, paths: files(prefix) }));
        return {
          gigabitsPerSecond: Math.max(...results.map(({ gigabitsPerSecond }) => gigabitsPerSecond)),
          cpuSecondsPerGigabyte: Math.min(...results.map(({ cpuSecondsPerGigabyte }) => cpuSecondsPerGigabyte)),
        };
      }),
  });
  return rowsOf(section, measured, [
    {
      name,
      unit: 'Gbit/s',
      better: 'higher',
      target: { ofPeer: 0.8 },
      note,
      of: ({ gigabitsPerSecond }) => gigabitsPerSecond,
    },
    { name: `${name}, CPU`, unit: 's/GB', note, of: ({ cpuSecondsPerGigabyte }) => cpuSecondsPerGigabyte },
  ]);
}
