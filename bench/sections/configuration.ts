import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assembleServer } from '../../src-main/assemble.ts';
import type { BenchContext } from '../context.ts';
import { median, spreadOf, type Row } from '../row.ts';
import { measured, Turns } from '../thread-cost.ts';

const ROUNDS = 3;
const MERGE_TARGET_MS = 500;
const TURN_TARGET_MS = 10;

interface Case {
  readonly name: string;
  readonly path: string;
  readonly type: 'application/json' | 'text/plain';
  readonly status: number;
  /** Another body in each round, so that there is something to change. */
  readonly body: (round: number) => string;
  readonly target?: number;
}

/** What it costs to merge fragments of the configuration: many streams as JSON and as text, one that is refused, and the longest turn of the server thread. */
export async function configuration(context: BenchContext): Promise<Row[]> {
  context.say('configuration: fragments that are merged, the server in this process');
  const folder = join(context.workFolder, 'configuration');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'airdesk.conf'), 'http 127.0.0.1:0;\n');
  const server = await assembleServer({ dataFolder: folder, logLevel: 'error' });
  const rows: Row[] = [];
  try {
    const { url } = await server.start();
    for (const one of CASES) rows.push(...(await measure(url, one)));
    return rows;
  } finally {
    await server.close();
  }
}

const CASES: readonly Case[] = [
  ...[100, 400, 1000].map((count): Case => ({
    name: `merge of ${count} streams as JSON`,
    path: 'mediaserver/api/modify_config',
    type: 'application/json',
    status: 200,
    body: (round) =>
      JSON.stringify({
        streams: Object.fromEntries(
          Array.from({ length: count }, (_, index) => [
            `json${count}/${index}`,
            { title: `Round ${round}`, inputs: [{ url: 'publish://' }], segment_count: 4 },
          ]),
        ),
      }),
    ...(count === 1000 ? { target: MERGE_TARGET_MS } : {}),
  })),
  {
    name: 'merge of 4000 blocks of text',
    path: 'mediaserver/api/modify_config',
    type: 'text/plain',
    status: 200,
    body: (round) =>
      Array.from({ length: 4000 }, (_, index) => `stream text/${index} { title "${round}"; input publish://; }\n`).join(
        '',
      ),
  },
  {
    name: 'refusal of a stream with 20000 inputs',
    path: 'mediaserver/api/v3/streams/many',
    type: 'application/json',
    status: 400,
    body: () =>
      JSON.stringify({
        inputs: Array.from({ length: 20_000 }, (_, index) => ({ url: `udp://239.0.0.1:${index + 1}` })),
      }),
  },
];

async function measure(url: string, { name, path, type, status, body, target }: Case): Promise<Row[]> {
  const times: number[] = [];
  const turns = new Turns();
  turns.start();
  for (let round = 0; round < ROUNDS; round++) {
    const text = body(round);
    const { wallMs } = await measured(async () => {
      const method = path.includes('/v3/') ? 'PUT' : 'POST';
      const response = await fetch(`${url}${path}`, { method, headers: { 'content-type': type }, body: text });
      const answer = await response.text();
      if (response.status !== status) throw new Error(`${name}: ${response.status} ${answer.slice(0, 200)}`);
    });
    times.push(wallMs);
  }
  turns.stop();
  const base = { section: 'configuration', unit: 'ms', better: 'lower' } as const;
  const spread = spreadOf(times);
  return [
    { ...base, name, ours: median(times), ...(spread ? { spread } : {}), ...(target === undefined ? {} : { target }) },
    {
      ...base,
      name: `${name}, longest turn, CPU`,
      ours: turns.longestMs,
      target: TURN_TARGET_MS,
      note: 'with making and sending the body, which this process does too',
    },
  ];
}
