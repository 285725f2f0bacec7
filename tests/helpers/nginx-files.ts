import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requirePeer } from '../../scripts/setup-peers.ts';
import { until } from './until.ts';

/** nginx that stores files below `/live/` by PUT, removes them by DELETE, and wants no login. */
export class NginxFiles {
  readonly url: string;
  /** Folder of the stored files. */
  readonly files: string;
  readonly #child: ChildProcess;

  private constructor(folder: string, port: number, child: ChildProcess) {
    this.url = `http://127.0.0.1:${port}`;
    this.files = join(folder, 'www', 'live');
    this.#child = child;
  }

  static async start(folder: string, port: number): Promise<NginxFiles> {
    const path = join(folder, 'nginx.conf');
    mkdirSync(join(folder, 'www', 'live'), { recursive: true });
    writeFileSync(
      path,
      `${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/nginx-error.log error;
events {}
http {
  access_log ${folder}/nginx-access.log;
  client_body_temp_path ${folder}/nginx-body;
  server { listen 127.0.0.1:${port}; client_max_body_size 64m;
    location /live/ { root ${folder}/www; dav_methods PUT DELETE; create_full_put_path on; } }
}
`,
    );
    const child = spawn(requirePeer('nginx'), ['-c', path, '-p', folder, '-g', 'daemon off;'], { stdio: 'ignore' });
    const server = new NginxFiles(folder, port, child);
    await until('nginx', async () => (await fetch(server.url).catch(() => undefined)) !== undefined, 20_000);
    return server;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGINT');
    await ended;
  }
}
