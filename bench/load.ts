import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { cpuSeconds } from './process-cost.ts';
import type { Target } from './target.ts';

/** What a server gave under load, and what it cost. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly gigabitsPerSecond: number;
  readonly cpuMicrosPerRequest: number;
  readonly cpuSecondsPerGigabyte: number;
}

/** How a server is loaded. */
export interface LoadOptions {
  readonly path: string;
  readonly connections: number;
  readonly seconds: number;
}

/** Whether the load generator is installed (Debian package wrk). */
export function hasLoadGenerator(): boolean {
  return existsSync('/usr/bin/wrk');
}

/** Loads a server with GET requests for one path over keep-alive connections. */
export async function load(server: Target, { path, connections, seconds }: LoadOptions): Promise<LoadResult> {
  const url = `http://127.0.0.1:${server.httpPort}${path}`;
  const before = cpuSeconds(server.pid);
  const { stdout } = await promisify(execFile)('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, url]);
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
