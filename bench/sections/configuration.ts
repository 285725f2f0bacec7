import type { BenchContext } from '../context.ts';
import { startProbedServer, type ProbedServer, type TurnCost } from '../probed-server.ts';
import { figuresOf, type Row } from '../row.ts';

const ROUNDS = 7;
/** Requests before the measured ones, in which their code is compiled. */
const WARM_UP = 2;
const MERGE_TARGET_MS = 500;
const TURN_TARGET_MS = 10;

interface Case {
  readonly name: string;
  readonly path: string;
  readonly type: 'application/json' | 'text/plain';
  readonly status: number;
  /** A different body in each round, so that there is a change. */
  readonly body: (round: number) => string;
  readonly target?: number;
}

/**
 * Cost of merging fragments of the configuration: many streams as JSON and as text, a refused one, and the longest turn of the
 * server thread.
 */
export async function configuration(context: BenchContext): Promise<Row[]> {
  context.say('configuration: merges of fragments; the server runs in a separate process');
  const server = await startProbedServer(context, 'configuration');
  const rows: Row[] = [];
  try {
    for (const one of CASES) rows.push(...(await measure(server, one)));
    return rows;
  } finally {
    await server.stop();
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

async function measure(server: ProbedServer, { name, path, type, status, body, target }: Case): Promise<Row[]> {
  const times: number[] = [];
  const costs: TurnCost[] = [];
  const method = path.includes('/v3/') ? 'PUT' : 'POST';
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const text = body(round);
    let wallMs = 0;
    const cost = await server.measured(async () => {
      const startMs = performance.now();
      const response = await fetch(server.url + path, { method, headers: { 'content-type': type }, body: text });
      const answer = await response.text();
      wallMs = performance.now() - startMs;
      if (response.status !== status) throw new Error(`${name}: ${response.status} ${answer.slice(0, 200)}`);
    });
    if (round < WARM_UP) continue;
    times.push(wallMs);
    costs.push(cost);
  }
  return [
    rowOf(name, times, target),
    rowOf(
      `${name}, longest turn, CPU`,
      costs.map(({ turnMs }) => turnMs),
      TURN_TARGET_MS,
    ),
    rowOf(
      `${name}, longest turn, CPU without garbage collection`,
      costs.map(({ workMs }) => workMs),
      TURN_TARGET_MS,
    ),
    rowOf(
      `${name}, maximum delay of the event loop`,
      costs.map(({ delayMs }) => delayMs),
    ),
  ];
}

function rowOf(name: string, values: readonly number[], target?: number): Row {
  return { section: 'configuration', name, unit: 'ms', better: 'lower', ...figuresOf(values), target };
}
