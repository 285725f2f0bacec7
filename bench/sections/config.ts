import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assembleServer } from '../../src-main/assemble.ts';
import type { BenchContext } from '../context.ts';
import { median, type Row } from '../row.ts';
import { measured, Turns, type Cost } from '../thread-cost.ts';

const STREAMS = 10_000;
const ROUNDS = 7;
/** Changes before the measured ones, as in a server that has run for a while. */
const WARM_UP = 3;

/**
 * Cost of ten thousand streams in the configuration: the start, a change of one of them, and the longest turn of the server
 * thread.
 */
export async function config(context: BenchContext): Promise<Row[]> {
  context.say(`config: ${STREAMS} streams, the server in this process`);
  const folder = join(context.workFolder, 'config');
  mkdirSync(folder, { recursive: true });
  const blocks = Array.from(
    { length: STREAMS },
    (_, index) =>
      `# camera ${index}\nstream site/cam${index} {\n  title "Camera ${index}";\n  input publish://;\n  password "not ${index}";\n  segment_count 4;\n}\n`,
  );
  writeFileSync(join(folder, 'airdesk.conf'), `http 127.0.0.1:0;\n${blocks.join('')}`);
  const server = await assembleServer({ dataFolder: folder, logLevel: 'error' });
  const turns = new Turns();
  try {
    let url = '';
    const load = await measured(async () => {
      ({ url } = await server.start());
    });
    const changes: Cost[] = [];
    for (let round = 0; round < WARM_UP + ROUNDS; round++) {
      if (round === WARM_UP) turns.start();
      changes.push(
        await measured(() => change(url, `stream site/cam${500 + round} { title "New ${round}"; input publish://; }`)),
      );
    }
    turns.stop();
    const cost = changes.slice(WARM_UP);
    const base = { section: 'config', unit: 'ms', better: 'lower' } as const;
    return [
      { ...base, name: `start with ${STREAMS} streams`, ours: load.wallMs, target: 3000 },
      { ...base, name: `start with ${STREAMS} streams, CPU of the server thread`, ours: load.cpuMs, target: 3000 },
      { ...base, name: 'change of one stream among them', ours: median(cost.map(({ wallMs }) => wallMs)), target: 200 },
      {
        ...base,
        name: 'change of one stream, CPU of the server thread',
        ours: median(cost.map(({ cpuMs }) => cpuMs)),
        target: 200,
      },
      {
        ...base,
        name: 'longest turn during the changes, CPU',
        ours: turns.longestMs,
        note: 'an operator changes one stream after the other, without a pause',
      },
    ];
  } finally {
    turns.stop();
    await server.close();
  }
}

/** Changes one stream, by the call with the shortest reply. */
async function change(base: string, text: string): Promise<void> {
  const response = await fetch(`${base}mediaserver/api/config/stream_create`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: text,
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${answer}`);
}
