import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { requirePeer } from '../../scripts/setup-peers.ts';
import { until } from './until.ts';

const MODULES = ['/usr/lib/nginx/modules/ngx_rtmp_module.so', '/usr/share/nginx/modules/ngx_rtmp_module.so'];

/** nginx with its RTMP module, which accepts streams under `live` and records them to files. */
export class NginxRtmp {
  readonly port: number;
  readonly records: string;
  readonly #folder: string;
  #child: ChildProcess | undefined;

  constructor(folder: string, port: number) {
    this.#folder = folder;
    this.port = port;
    this.records = join(folder, 'records');
    mkdirSync(this.records, { recursive: true, mode: 0o777 });
  }

  async start(): Promise<void> {
    const module = MODULES.find((path) => existsSync(path));
    if (module === undefined) throw new Error('the package libnginx-mod-rtmp is not installed');
    const path = join(this.#folder, 'nginx.conf');
    writeFileSync(
      path,
      `load_module ${module};
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${this.#folder}/nginx.pid;
error_log ${this.#folder}/nginx-error.log error;
events {}
rtmp { server { listen 127.0.0.1:${this.port}; application live { live on;
  record all; record_path ${this.records}; record_unique on; } } }
`,
    );
    const child = spawn(requirePeer('nginx'), ['-c', path, '-p', this.#folder, '-g', 'daemon off;'], {
      stdio: 'ignore',
    });
    this.#child = child;
    await until('nginx', () => canConnect(this.port), 20_000);
  }

  /** Ends nginx and all of its connections at once. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    // SIGINT ends the worker too.
    child.kill('SIGINT');
    await ended;
  }
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}
