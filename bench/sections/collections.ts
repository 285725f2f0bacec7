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
import { alternate, rowsOf, type Figure } from '../rounds.ts';
import { median, percentile, type Row } from '../row.ts';

const STREAMS = 10_000;
const RUNNING = 25;
/** Requests before the measured ones, for one-time work and so that their code is compiled. */
const WARM_UP = 300;
const ROUNDS = 7;
const QUICK_ROUNDS = 3;
/** Requests of each kind in a round. */
const PER_ROUND = 50;

const PAGE_TARGET_MS = 5;
/** Target of the slowest one in a hundred requests. */
const MAX_TARGET_MS = 20;

const PAGE = 'filtered, sorted page of 100';

const REQUESTS: Readonly<Record<string, string>> = {
  [PAGE]: '/streams?stats.alive=false&provider=north&sort=-title,name&limit=100',
  'the same, three fields':
    '/streams?stats.alive=false&provider=north&sort=-title,name&limit=100&select=name,title,stats.alive',
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
    for (const path of Object.values(REQUESTS)) await costsOf(WARM_UP, path, load, child.pid ?? 0);
    const all: Cost[] = [];
    const measured = await alternate(context, {
      title: 'collections',
      count: context.isQuick ? QUICK_ROUNDS : ROUNDS,
      // The kinds of requests alternate too, so that other work of the machine affects all of them.
      ours: async () => {
        const medians: Record<string, Cost> = {};
        for (const [name, path] of Object.entries(REQUESTS)) {
          const costs = await costsOf(PER_ROUND, path, load, child.pid ?? 0);
          all.push(...costs);
          medians[name] = { wallMs: median(costs.map(wallOf)), cpuMs: median(costs.map(cpuOf)) };
        }
        return medians;
      },
    });
    const figures = Object.keys(REQUESTS).map((name): Figure<Readonly<Record<string, Cost>>> => ({
      name: `${name}, median`,
      unit: 'ms',
      target: name === PAGE ? PAGE_TARGET_MS : undefined,
      of: (medians) => medians[name]?.wallMs ?? Number.NaN,
    }));
    const cpu: Figure<Readonly<Record<string, Cost>>> = {
      name: `${PAGE}, CPU of the server thread`,
      unit: 'ms',
      target: PAGE_TARGET_MS,
      of: (medians) => medians[PAGE]?.cpuMs ?? Number.NaN,
    };
    const base = { section: 'collections', unit: 'ms', better: 'lower', target: MAX_TARGET_MS } as const;
    return [
      ...rowsOf('collections', measured, [...figures, cpu]),
      { ...base, name: 'all of these, 99 %', ours: percentile(all.map(wallOf), 0.99) },
      {
        ...base,
        name: 'all of these, 99 %, CPU of the server thread',
        ours: percentile(all.map(cpuOf), 0.99),
        note: 'not affected by other work of the machine',
      },
    ];
  } finally {
    agent.destroy();
    await stopChild(child);
  }
}

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

function wallOf({ wallMs }: Cost): number {
  return wallMs;
}

function cpuOf({ cpuMs }: Cost): number {
  return cpuMs;
}

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
