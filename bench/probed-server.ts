import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { BenchContext } from './context.ts';
import { freePort } from './free-port.ts';
import { stopChild } from './replay.ts';

/** Messages to the probe in the server. */
export type ToProbe = 'start' | 'stop';

/** Messages from the probe in the server. */
export type FromProbe = { readonly kind: 'started' } | ({ readonly kind: 'measured' } & TurnCost);

/** The longest turns of a server thread. */
export interface TurnCost {
  /** Processor time of the longest turn. */
  readonly turnMs: number;
  /** Processor time of the longest turn without garbage collections. */
  readonly workMs: number;
  /** Maximum delay of the event loop by the clock. Other work of the machine increases it. */
  readonly delayMs: number;
}

/** Server in a separate process, whose turns of the event loop are measured. */
export interface ProbedServer {
  readonly url: string;
  readonly pid: number;
  /** Runs a task in this process and measures the turns of the server during it. */
  measured(task: () => Promise<void>): Promise<TurnCost>;
  stop(): Promise<void>;
}

/**
 * Starts a server.
 *
 * @param name name of its folder below the folder of the run, or an absolute path
 * @param config configuration text without the HTTP port; default empty
 */
export async function startProbedServer(context: BenchContext, name: string, config = ''): Promise<ProbedServer> {
  const folder = resolve(context.workFolder, name);
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  writeFileSync(join(folder, 'airdesk.conf'), `http 127.0.0.1:${port};\n${config}\n`);
  const entry = context.isSource ? 'src-main/headless.ts' : 'out/main/headless.js';
  const child = fork(entry, ['--data', folder, '--log-level', 'error'], {
    cwd: context.root,
    execArgv: ['--import', new URL('turn-probe.ts', import.meta.url).href],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (!child.stdout) throw new Error('the server has no output');
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('airdesk ready')) break;
  child.stdout.resume();
  const call = async (request: ToProbe): Promise<FromProbe> => {
    child.send(request);
    // The probe sends only replies.
    const [message] = (await once(child, 'message')) as [FromProbe];
    return message;
  };
  return {
    url: `http://127.0.0.1:${port}/`,
    pid: child.pid ?? 0,
    measured: async (task) => {
      await call('start');
      await task();
      const message = await call('stop');
      if (message.kind !== 'measured') throw new Error('the probe did not measure');
      return message;
    },
    stop: () => stopChild(child),
  };
}
