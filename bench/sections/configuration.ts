import type { BenchContext } from '../context.ts';
import { startProbedServer, type ProbedServer, type TurnCost } from '../probed-server.ts';
import { alternate, rowsOf } from '../rounds.ts';
import type { Row } from '../row.ts';

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
    for (const one of CASES) rows.push(...(await measure(context, server, one)));
    return rows;
  } finally {
    await server.stop();
  }
}

const CASES: readonly Case[] = [
  {
    name: 'merge of 1000 streams as JSON',
    path: 'mediaserver/api/modify_config',
    type: 'application/json',
    status: 200,
    body: (round) =>
      JSON.stringify({
        streams: Object.fromEntries(
          Array.from({ length: 1000 }, (_, index) => [
            `json/${index}`,
            { title: `Round ${round}`, inputs: [{ url: 'publish://' }], segment_count: 4 },
          ]),
        ),
      }),
    target: MERGE_TARGET_MS,
  },
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

async function measure(
  context: BenchContext,
  server: ProbedServer,
  { name, path, type, status, body, target }: Case,
): Promise<Row[]> {
  const method = path.includes('/v3/') ? 'PUT' : 'POST';
  const merge = async (round: number): Promise<TurnCost & { readonly wallMs: number }> => {
    const text = body(round);
    let wallMs = 0;
    const cost = await server.measured(async () => {
      const startMs = performance.now();
      const response = await fetch(server.url + path, { method, headers: { 'content-type': type }, body: text });
      const answer = await response.text();
      wallMs = performance.now() - startMs;
      if (response.status !== status) throw new Error(`${name}: ${response.status} ${answer.slice(0, 200)}`);
    });
    return { ...cost, wallMs };
  };
  for (let round = 0; round < WARM_UP; round++) await merge(-1 - round);
  const measured = await alternate(context, { title: `configuration: ${name}`, count: ROUNDS, ours: merge });
  return rowsOf('configuration', measured, [
    { name, unit: 'ms', target, of: ({ wallMs }) => wallMs },
    { name: `${name}, longest turn, CPU`, unit: 'ms', target: TURN_TARGET_MS, of: ({ turnMs }) => turnMs },
    {
      name: `${name}, longest turn, CPU without garbage collection`,
      unit: 'ms',
      target: TURN_TARGET_MS,
      of: ({ workMs }) => workMs,
    },
  ]);
}
