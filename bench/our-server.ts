import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.ts';
import { stopChild } from './replay.ts';
import type { Target, TargetKind } from './target.ts';

/** Application with a long window, so that one segment stays available while it is measured. */
export const LONG_APP = 'long';

export interface OurServerOptions {
  /** Folder for data of this run. */
  readonly workFolder: string;
  /** Whether to run the sources instead of the build. */
  readonly isSource: boolean;
  /** Checkout of the measured server. */
  readonly root: string;
  /** Arguments for Node, for example to write a profile. */
  readonly nodeArgs: readonly string[];
}

/** Our server in plain Node, as `npm run serve` starts it. */
export function ourServer(options: OurServerOptions): TargetKind {
  return { name: 'airdesk', start: (streams) => startOurs(options, streams) };
}

/** Builds a checkout if there is no build. */
export function ensureBuild(root: string): void {
  if (existsSync(join(root, 'out/main/headless.js'))) return;
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' });
}

async function startOurs({ workFolder, isSource, root, nodeArgs }: OurServerOptions, streams = ''): Promise<Target> {
  const data = join(workFolder, 'airdesk');
  mkdirSync(data, { recursive: true });
  const httpPort = await freePort();
  const rtmpPort = await freePort();
  const config = `http 127.0.0.1:${httpPort};\nrtmp 127.0.0.1:${rtmpPort};\nlive live { }\nlive ${LONG_APP} { segment_count 90; }\n${streams}\n`;
  writeFileSync(join(data, 'airdesk.conf'), config);
  const entry = isSource ? 'src-main/headless.ts' : 'out/main/headless.js';
  const args = [...nodeArgs, entry, '--data', data, '--log-level', 'error'];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  await lineWith(child, 'airdesk ready');
  return {
    name: 'airdesk',
    pid: child.pid ?? 0,
    rtmpPort,
    httpPort,
    app: 'live',
    playlist: (stream) => `/live/${stream}/v1/index.m3u8`,
    stop: () => stopChild(child),
  };
}

async function lineWith(child: ChildProcess, text: string): Promise<void> {
  if (!child.stdout) throw new Error('the server has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes(text)) {
      child.stdout.resume();
      return;
    }
  }
  throw new Error('our server ended before it was ready');
}
