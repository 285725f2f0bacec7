import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../helpers/free-port.ts';
import { sharePictures } from '../../helpers/shared-pictures.ts';

const ROOT = join(import.meta.dirname, '../../..');
const START_MS = 60_000;

/** Built headless server with its own configuration; it can be ended and restarted at the same address. */
export class DeskServer {
  readonly url: string;
  readonly #folder: string;
  readonly #disk: readonly [path: string, size: string] | undefined;
  #printed = '';
  #child: ChildProcess | undefined;

  private constructor(folder: string, port: number, disk: readonly [string, string] | undefined) {
    this.#disk = disk;
    this.#folder = folder;
    this.url = `http://127.0.0.1:${port}/`;
  }

  /**
   * Starts a server with these directives; the port is added.
   *
   * @param config the directives, or a function that returns them for the address of the server and its folder
   * @param disk a disk in memory, by its path in the data folder, and its size as in `mount`
   */
  static async start(
    config: string | ((url: string, folder: string) => string),
    disk?: readonly [path: string, size: string],
  ): Promise<DeskServer> {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'airdesk-desk-'));
    const server = new DeskServer(folder, port, disk);
    const directives = typeof config === 'string' ? config : config(server.url, folder);
    writeFileSync(join(folder, 'airdesk.conf'), `http 127.0.0.1:${port};\n${directives}`);
    await server.run();
    return server;
  }

  /** Folder of the configuration file `airdesk.conf`; its subfolder `data` contains the data. */
  get folder(): string {
    return this.#folder;
  }

  /** Everything that the server printed so far. */
  get printed(): string {
    return this.#printed;
  }

  /** Process id. Throws if the server does not run. */
  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error('the server does not run');
    return pid;
  }

  /** Starts the process and waits until it serves. */
  async run(): Promise<void> {
    const data = join(this.#folder, 'data');
    sharePictures(data);
    const program = [process.execPath, join(ROOT, 'out/main/headless.js')];
    const command = [...program, '--config', join(this.#folder, 'airdesk.conf'), '--data', data];
    const [first = '', ...args] = [...this.#mounted(data), ...command];
    const child = spawn(first, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`the server did not start: ${this.#printed}`)), START_MS);
      const read = (chunk: Buffer): void => {
        this.#printed += chunk.toString();
        if (!this.#printed.includes('airdesk ready')) return;
        clearTimeout(timer);
        resolve();
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${this.#printed}`)));
    });
  }

  /** Path of a file of the server as seen by the test, because the disk may be in another mount namespace. */
  hostPath(path: string): string {
    return `/proc/${this.pid}/root${this.#folder}/${path}`;
  }

  /** Command that starts a program with the disk in memory, in its own namespace, so that nothing remains when it ends. */
  #mounted(data: string): string[] {
    if (!this.#disk) return [];
    const [path, size] = this.#disk;
    const mountPoint = join(data, path);
    mkdirSync(mountPoint, { recursive: true });
    const shell = `mount -t tmpfs -o size=${size} tmpfs ${mountPoint} && exec "$@"`;
    return ['unshare', process.getuid?.() === 0 ? '-m' : '-Urm', 'sh', '-c', shell, 'sh'];
  }

  /** Creates a stream, or changes one. @param settings as in the API */
  async put(stream: string, settings: object): Promise<void> {
    const reply = await fetch(`${this.url}mediaserver/api/v3/streams/${stream}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(settings),
    });
    if (!reply.ok) throw new Error(`${stream}: ${reply.status} ${await reply.text()}`);
  }

  /** Kills the process at once, like a power cut. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async dispose(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
