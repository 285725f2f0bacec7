import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { BenchContext } from '../context.ts';
import { freePort } from '../free-port.ts';
import { serverThreadCpuMs } from '../process-cost.ts';
import { stopChild } from '../replay.ts';
import { figuresOf, median, percentile, type Row } from '../row.ts';

const STREAMS = 10_000;
const RUNNING = 25;
/** Requests before the measured ones, for one-time work and so that their code is compiled. */
const WARM_UP = 300;
const ROUNDS = 7;
const QUICK_ROUNDS = 3;
/** Requests of each kind in a round. */
const PER_ROUND = 50;

const PAGE = 'filtered, sorted page of 100';

const REQUESTS: Readonly<Record<string, string>> = {
  [PAGE]: '/streams?stats.alive=false&provider=north&sort=-title,name&limit=100',
  'the same, three fields':
    '/streams?stats.alive=false&provider=north&sort=-title,name&limit=100&select=name,title,stats.alive',
  'page of 100 running streams, by bitrate': '/streams?stats.alive=true&sort=-stats.bitrate',
  'text search': '/streams?q=camera%20777',
  'one stream': '/streams/site%2Fcam777',
};

/** Measures the collection API with 10 000 configured streams, of which 25 run, and one client on one connection. */
export async function collections(context: BenchContext): Promise<Row[]> {
  context.say(`collections: ${STREAMS} streams, ${RUNNING} of them running`);
  const folder = join(context.workFolder, 'collections');
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const blocks = Array.from(
    { length: STREAMS },
    (_, index) =>
      `stream site/cam${index} { title "Camera ${index}"; provider ${index % 2 === 0 ? 'north' : 'south'}; input ${index < RUNNING ? 'fake://' : 'publish://'}; }\n`,
  );
  writeFileSync(join(folder, 'airdesk.conf'), `http 127.0.0.1:${port};\n${blocks.join('')}`);
  const entry = context.isSource ? 'src-main/headless.ts' : 'out/main/headless.js';
  const child = spawn(process.execPath, [entry, '--data', folder, '--log-level', 'error'], {
    cwd: context.root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for await (const line of createInterface({ input: child.stdout })) if (line.includes('airdesk ready')) break;
    const load = (path: string): Promise<string> => body(agent, `http://127.0.0.1:${port}/mediaserver/api/v3${path}`);
    while (countOf(await load('/streams?stats.alive=true&limit=1')) < RUNNING)
      await new Promise((resolve) => setTimeout(resolve, 200));
    const all: Cost[] = [];
    const rounds = new Map(Object.keys(REQUESTS).map((name) => [name, [] as Round[]]));
    for (const path of Object.values(REQUESTS)) await costsOf(WARM_UP, path, load, child.pid ?? 0);
    // The kinds of requests alternate, so that other work of the machine affects all of them.
    for (let round = 0; round < (context.isQuick ? QUICK_ROUNDS : ROUNDS); round++)
      for (const [name, path] of Object.entries(REQUESTS)) {
        const costs = await costsOf(PER_ROUND, path, load, child.pid ?? 0);
        all.push(...costs);
        rounds.get(name)?.push({
          wallMs: median(costs.map(({ wallMs }) => wallMs)),
          cpuMs: median(costs.map(({ cpuMs }) => cpuMs)),
        });
      }
    const base = { section: 'collections', unit: 'ms', better: 'lower' } as const;
    const rows: Row[] = [...rounds].flatMap(([name, found]) => [
      roundsRow(
        `${name}, median`,
        found.map(({ wallMs }) => wallMs),
        name === PAGE,
      ),
      roundsRow(
        `${name}, CPU of the server thread`,
        found.map(({ cpuMs }) => cpuMs),
        name === PAGE,
      ),
    ]);
    rows.push({
      ...base,
      name: 'all of these, 99 %',
      ours: percentile(
        all.map(({ wallMs }) => wallMs),
        0.99,
      ),
      target: 20,
    });
    rows.push({
      ...base,
      name: 'all of these, 99 %, CPU of the server thread',
      ours: percentile(
        all.map(({ cpuMs }) => cpuMs),
        0.99,
      ),
      target: 20,
      note: 'not affected by other work of the machine',
    });
    rows.push({
      section: 'collections',
      name: `all ${STREAMS} in pages of 1000`,
      unit: 'ms',
      ours: await walk(load),
      better: 'lower',
      note: 'each is listed once',
    });
    return rows;
  } finally {
    agent.destroy();
    await stopChild(child);
  }
}

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** Medians of some consecutive requests. */
type Round = Cost;

async function costsOf(
  count: number,
  path: string,
  load: (path: string) => Promise<string>,
  pid: number,
): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (let index = 0; index < count; index++) {
    const before = { wallMs: performance.now(), cpuMs: serverThreadCpuMs(pid) };
    await load(path);
    costs.push({ wallMs: performance.now() - before.wallMs, cpuMs: serverThreadCpuMs(pid) - before.cpuMs });
  }
  return costs;
}

/** Row with the median of the rounds, their minimum and their maximum. */
function roundsRow(name: string, values: readonly number[], isPage: boolean): Row {
  return {
    section: 'collections',
    unit: 'ms',
    better: 'lower',
    name,
    ...figuresOf(values),
    target: isPage ? 5 : undefined,
  };
}

/** Lists all streams and checks that each is listed once. Returns the duration in milliseconds. */
async function walk(load: (path: string) => Promise<string>): Promise<number> {
  const startMs = performance.now();
  const seen = new Set<string>();
  let cursor: string | null = '';
  let count = 0;
  while (cursor !== null) {
    const page = JSON.parse(await load(`/streams?sort=provider&limit=1000&select=name&cursor=${cursor}`)) as {
      readonly streams: readonly { readonly name: string }[];
      readonly next: string | null;
    };
    for (const { name } of page.streams) seen.add(name);
    count += page.streams.length;
    cursor = page.next;
  }
  if (seen.size !== STREAMS || count !== STREAMS)
    throw new Error(`${count} streams were listed, ${seen.size} of them different`);
  return performance.now() - startMs;
}

function countOf(text: string): number {
  return (JSON.parse(text) as { readonly estimated_count: number }).estimated_count;
}

async function body(agent: Agent, url: string): Promise<string> {
  const [response] = (await once(get(url, { agent }), 'response')) as [
    NodeJS.ReadableStream & { readonly statusCode?: number },
  ];
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode ?? 0} ${text.slice(0, 500)}`);
  return text;
}
