import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  CallInput,
  CallName,
  CallOutput,
  Reply,
  ServerMessage,
  StreamState,
} from '../../src-preload/contract/index.ts';
import { sharePictures } from './shared-pictures.ts';
import { until } from './until.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Entry of the server: of the build by default; developers may set another file. */
export const ENTRY = process.env['AIRDESK_TEST_ENTRY'] ?? join(ROOT, 'out/main/headless.js');
const START_MS = 90_000;
const STOP_MS = 60_000;

/** Name of the live prefix of `AirdeskProcess`: encoders publish `live/<name>`. */
export const LIVE_PREFIX = 'live';

/** Folder in which removed disks in memory are mounted. */
const PULLED = 'pulled';

/** Options of a server process. */
interface ProcessOptions {
  /**
   * Program that accepts the arguments of the server, with its first arguments; by default the build, run by the Node
   * of the tests.
   */
  readonly program?: readonly string[];
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Maximum number of open files and connections; by default as for the tests. */
  readonly openFiles?: number;
  /** Disks in memory that only the server sees: folders below that of the server, and their sizes as in `mount`. */
  readonly disks?: Readonly<Record<string, string>>;
  /** Path of the configuration file below the folder of the server; default: `airdesk.conf`. */
  readonly configuration?: string;
}

/** Server of the build as a separate process, with its own folder and free ports. */
export class AirdeskProcess {
  readonly folder = mkdtempSync(join(tmpdir(), 'airdesk-e2e-'));
  readonly #streams: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #program: readonly string[];
  readonly #openFiles: number | undefined;
  readonly #disks: readonly (readonly [string, string])[];
  readonly #configuration: string;
  #child: ChildProcess | undefined;
  #printed = '';
  #url = '';
  #rtmpUrl = '';

  private constructor(streams: string, { program, env, openFiles, disks, configuration }: ProcessOptions) {
    this.#streams = streams;
    this.#program = program ?? [process.execPath, ENTRY];
    this.#env = env ?? {};
    this.#openFiles = openFiles;
    this.#disks = Object.entries(disks ?? {});
    this.#configuration = join(this.folder, configuration ?? 'airdesk.conf');
  }

  /**
   * Starts a server and waits until it serves.
   *
   * @param streams configuration text besides listeners and the live prefix
   * @param options differences of its process
   */
  static async start(streams = '', options: ProcessOptions = {}): Promise<AirdeskProcess> {
    const server = new AirdeskProcess(streams, options);
    try {
      await server.#start(0, 0);
    } catch (error) {
      await server.dispose();
      throw error;
    }
    return server;
  }

  /** Base address without a slash at the end. */
  get url(): string {
    return this.#url;
  }

  /** `rtmp://host:port` */
  get rtmpUrl(): string {
    return this.#rtmpUrl;
  }

  /** Everything that the server printed so far. */
  get printed(): string {
    return this.#printed;
  }

  /** Process id of the running server. */
  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error('the server does not run');
    return pid;
  }

  /** Path below the folder of the server as the server sees it, with its disks in memory. */
  hostPath(path: string): string {
    return `/proc/${this.pid}/root${join(this.folder, path)}`;
  }

  /** Removes a disk in memory while its files are open. Returns the folder where it is mounted until `remount`. */
  pull(path: string): string {
    const parking = join(PULLED, path.replaceAll('/', '-'));
    mkdirSync(join(this.folder, parking), { recursive: true });
    this.#inside('mount', '--move', join(this.folder, path), join(this.folder, parking));
    return this.hostPath(parking);
  }

  /** Mounts a removed disk again, with its content. */
  remount(path: string): void {
    const parking = join(this.folder, PULLED, path.replaceAll('/', '-'));
    this.#inside('mount', '--move', parking, join(this.folder, path));
  }

  /** Mounts an empty disk in memory. @param size as in `mount` */
  mountEmpty(path: string, size: string): void {
    this.#inside('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', join(this.folder, path));
  }

  /** Runs a program in the server's mount namespace. */
  #inside(...command: readonly string[]): void {
    const user = process.getuid?.() === 0 ? [] : ['-U', '--preserve-credentials'];
    execFileSync('nsenter', ['-t', String(this.pid), ...user, '-m', ...command]);
  }

  /** Restarts the server with the same folder, ports and configuration. */
  async restart(): Promise<void> {
    const ports = [new URL(this.#url).port, new URL(this.#rtmpUrl.replace('rtmp', 'http')).port].map(Number);
    const code = await this.stop();
    if (code !== 0) throw new Error(`the server ended with ${code}\n${this.#printed}`);
    await this.#start(ports[0] ?? 0, ports[1] ?? 0);
  }

  /** Kills the server like a crash (`kill -9`), and restarts it with the same folder and configuration, on free ports. */
  async crash(): Promise<void> {
    await this.kill();
    await this.#start(0, 0);
  }

  /** Kills the server and leaves everything unchanged. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child?.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
  }

  /** Stops the server, and waits for its end. Returns its exit code; null if it had to be killed. */
  async stop(): Promise<number | null> {
    const child = this.#child;
    if (!child) return 0;
    if (child.exitCode === null && child.signalCode === null) {
      const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      clearTimeout(kill);
    }
    this.#child = undefined;
    if (child.exitCode !== 0)
      process.stderr.write(`the server ended with ${child.exitCode}; it printed last\n${this.#printed.slice(-2000)}\n`);
    return child.exitCode;
  }

  /** Closes the reading end of the server's standard output. */
  dropOutput(): void {
    this.#child?.stdout?.destroy();
    this.#child?.stderr?.destroy();
  }

  /** Ends remaining processes and removes the folder. */
  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Calls an operation over the bridge, like the desk in a browser. */
  async call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>> {
    const socket = new WebSocket(`${this.#url.replace('http', 'ws')}/-/bridge`);
    try {
      const reply = await new Promise<Reply<unknown>>((resolve, reject) => {
        socket.addEventListener('open', () => {
          socket.send(JSON.stringify({ kind: 'call', id: 1, name, input }));
        });
        socket.addEventListener('error', () => {
          reject(new Error(`the bridge of ${this.#url} cannot be opened\n${this.#printed}`));
        });
        socket.addEventListener('message', ({ data }) => {
          // The server follows the contract; otherwise the test fails.
          const message = JSON.parse(String(data)) as ServerMessage;
          if (message.kind === 'reply') resolve(message.reply);
        });
      });
      if (!reply.ok) throw new Error(`${name}: ${reply.error.code}: ${reply.error.message}`);
      // As above, the contract defines the type.
      return reply.value as CallOutput<N>;
    } finally {
      socket.close();
    }
  }

  /** State of one stream; undefined if there is none. */
  async stream(name: string): Promise<StreamState | undefined> {
    const { streams } = await this.call('streams.list', {});
    return streams.find((stream) => stream.name === name);
  }

  /** Waits until the state of a stream meets a condition. */
  streamWhere(
    name: string,
    what: string,
    test: (state: StreamState) => boolean,
    limitMs = 20_000,
  ): Promise<StreamState> {
    let last: StreamState | undefined;
    const read = async (): Promise<StreamState | undefined> => {
      last = await this.stream(name);
      return last && test(last) ? last : undefined;
    };
    return until(`${what} of ${name}`, read, limitMs, () => `${JSON.stringify(last, undefined, 1)}\n${this.#printed}`);
  }

  /** Waits until a problem with this code is in the state of a stream. */
  streamWithProblem(name: string, code: string, limitMs = 20_000): Promise<StreamState> {
    return this.streamWhere(name, code, ({ problems }) => problems.some((problem) => problem.code === code), limitMs);
  }

  /** Waits until a path of the server returns 200; returns the text. */
  text(path: string, limitMs = 20_000): Promise<string> {
    let last = '';
    const read = async (): Promise<string | undefined> => {
      const response = await fetch(`${this.#url}${path}`);
      last = await response.text();
      return response.ok ? last : undefined;
    };
    return until(path, read, limitMs, () => `${last}\n${this.#printed}`);
  }

  async #start(httpPort: number, rtmpPort: number): Promise<void> {
    const missing = this.#program.find((path) => !existsSync(path));
    if (missing !== undefined) throw new Error(`there is no build: ${missing}`);
    const config = join(this.folder, 'airdesk.conf');
    writeFileSync(
      config,
      `http 127.0.0.1:${httpPort};\nrtmp 127.0.0.1:${rtmpPort};\nlive ${LIVE_PREFIX} {\n}\n${this.#streams}\n`,
    );
    const data = join(this.folder, 'data');
    sharePictures(data);
    const command = [...this.#program, '--config', this.#configuration, '--data', data];
    const limit = this.#openFiles === undefined ? '' : `ulimit -n ${this.#openFiles}; `;
    const mounts = this.#disks.map(([path, size]) => {
      const folder = join(this.folder, path);
      mkdirSync(folder, { recursive: true });
      return `mount -t tmpfs -o size=${size} tmpfs ${folder} && `;
    });
    const copyConfig = config === this.#configuration ? '' : `cp ${config} ${this.#configuration} && `;
    // A separate mount namespace leaves nothing on the machine; without superuser rights it needs a user namespace.
    const unshare = mounts.length === 0 ? [] : ['unshare', process.getuid?.() === 0 ? '-m' : '-Urm'];
    const [shell = '', ...args] = [
      ...unshare,
      'sh',
      '-c',
      `${limit}${mounts.join('')}${copyConfig}exec "$@"`,
      'sh',
      ...command,
    ];
    const child = spawn(shell, args, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...this.#env },
    });
    this.#child = child;
    const from = this.#printed.length;
    const print = (chunk: Buffer): void => {
      this.#printed += chunk.toString();
    };
    child.stdout.on('data', print);
    child.stderr.on('data', print);
    const ready = (): string | undefined => {
      if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}\n${this.#printed}`);
      return /airdesk ready (\S+)\//.exec(this.#printed.slice(from))?.[1];
    };
    this.#url = await until('server', ready, START_MS, () => this.#printed);
    this.#rtmpUrl = (await this.call('server.info', {})).rtmp_url ?? '';
  }
}
