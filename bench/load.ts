import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cpuSeconds } from './process-cost.ts';
import type { Target } from './target.ts';

/** Throughput of a server under load, and its cost. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly gigabitsPerSecond: number;
  readonly cpuMicrosPerRequest: number;
  readonly cpuSecondsPerGigabyte: number;
}

/** Results of one round: the same load on segments and on playlists. */
export interface Loads {
  readonly segments: LoadResult;
  readonly playlists: LoadResult;
}

/** Load on a server. */
export interface LoadOptions {
  /** Requested paths, one after another. */
  readonly paths: readonly [string, ...string[]];
  readonly connections: number;
  readonly seconds: number;
}

/** Whether the load generator is installed (Debian package wrk). */
export function hasLoadGenerator(): boolean {
  return existsSync('/usr/bin/wrk');
}

/** Loads a server with GET requests over keep-alive connections. */
export async function load(server: Target, { paths, connections, seconds }: LoadOptions): Promise<LoadResult> {
  const url = `http://127.0.0.1:${server.httpPort}${paths[0]}`;
  const script = join(tmpdir(), `airdesk-bench-${process.pid}.lua`);
  const isOne = paths.length === 1;
  if (!isOne) writeFileSync(script, scriptOf(paths));
  const before = cpuSeconds(server.pid);
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, ...(isOne ? [] : ['-s', script]), url];
  const { stdout } = await promisify(execFile)('wrk', args);
  const cpu = cpuSeconds(server.pid) - before;
  const [, requests = '0', took = '0', amount = '0', unit = 'B'] =
    /(\d+) requests in ([\d.]+)s, ([\d.]+)([KMGT]?B) read/.exec(stdout) ?? [];
  if (requests === '0' || /Non-2xx/.test(stdout)) throw new Error(`the load on ${url} failed:\n${stdout}`);
  const bytes = Number(amount) * 1024 ** ['B', 'KB', 'MB', 'GB', 'TB'].indexOf(unit);
  return {
    requestsPerSecond: Number(requests) / Number(took),
    gigabitsPerSecond: (bytes * 8) / 1e9 / Number(took),
    cpuMicrosPerRequest: (cpu / Number(requests)) * 1e6,
    cpuSecondsPerGigabyte: cpu / (bytes / 1e9),
  };
}

/** Script for wrk that requests one path after another. */
function scriptOf(paths: readonly string[]): string {
  const names = paths.map((path) => JSON.stringify(path)).join(', ');
  return `local paths = { ${names} }
local at = 0
request = function()
  at = at % #paths + 1
  return wrk.format("GET", paths[at])
end
`;
}
