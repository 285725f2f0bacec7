import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchContext } from './context.ts';
import { HttpPlayer } from './http-player.ts';
import { load, type LoadResult } from './load.ts';
import { NGINX_BUFFERED, nginxRoot } from './nginx-peer.ts';
import { figuresOf, type Row } from './row.ts';
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
  const ourResults: LoadResult[] = [];
  const peerResults: LoadResult[][] = [];
  for (let round = 0; round < (context.isQuick ? 3 : 5); round++) {
    context.say(`${section}: ${name}, round ${round + 1}`);
    ourResults.push(await load(ours, { ...options, paths: [first, ...others] }));
    if (!peer) continue;
    const results = [];
    for (const prefix of ['/', NGINX_BUFFERED]) results.push(await load(peer, { ...options, paths: files(prefix) }));
    peerResults.push(results);
  }
  const note = `${(bytes / count / 1e6).toFixed(2)} MB each, which nginx has as files`;
  const rates = peerResults.map((results) => Math.max(...results.map(({ gigabitsPerSecond }) => gigabitsPerSecond)));
  const costs = peerResults.map((results) =>
    Math.min(...results.map(({ cpuSecondsPerGigabyte }) => cpuSecondsPerGigabyte)),
  );
  return [
    {
      section,
      name,
      unit: 'Gbit/s',
      better: 'higher',
      target: { ofPeer: 0.8 },
      note,
      ...figuresOf(
        ourResults.map(({ gigabitsPerSecond }) => gigabitsPerSecond),
        rates,
      ),
    },
    {
      section,
      name: `${name}, CPU`,
      unit: 's/GB',
      better: 'lower',
      note,
      ...figuresOf(
        ourResults.map(({ cpuSecondsPerGigabyte }) => cpuSecondsPerGigabyte),
        costs,
      ),
    },
  ];
}
