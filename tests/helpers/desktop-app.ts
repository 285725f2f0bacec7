import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type Page, chromium } from 'playwright-core';
import { freePort } from './free-port.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Folder of a real Electron binary, if the machine has one; otherwise the stand-in next to this file. */
const DIST = process.env['AIRDESK_TEST_ELECTRON_DIST'] ?? join(import.meta.dirname, 'electron-stand-in');
const START_MS = 60_000;
const STOP_MS = 60_000;

/** Desktop application of the build, controlled over the debugging port of its Chromium. */
export class DesktopApp {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #port: number;
  #browser: Browser | undefined;
  #printed = '';

  private constructor(child: ChildProcess, folder: string, port: number) {
    this.#child = child;
    this.#folder = folder;
    this.#port = port;
    child.stdout?.on('data', (chunk: Buffer) => (this.#printed += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.#printed += chunk.toString()));
  }

  /**
   * Starts the application with a configuration text and its own data folder.
   *
   * @param opened text of a configuration file that is opened by a double click; `config` is then the configuration of
   * the data folder
   */
  static async start(config: string, extraFlags: readonly string[] = [], opened?: string): Promise<DesktopApp> {
    const folder = mkdtempSync(join(tmpdir(), 'airdesk-desktop-'));
    const data = join(folder, 'data');
    const configFile = join(opened === undefined ? folder : data, 'airdesk.conf');
    const openedFile = join(folder, 'Studio.airdesk');
    mkdirSync(data);
    writeFileSync(configFile, config);
    if (opened !== undefined) writeFileSync(openedFile, opened);
    const port = await freePort();
    const flags = [`--remote-debugging-port=${port}`, `--user-data-dir=${join(folder, 'profile')}`, ...extraFlags];
    const child = spawn(
      process.execPath,
      [
        join(ROOT, 'node_modules/electron/cli.js'),
        ROOT,
        ...flags,
        '--data',
        data,
        ...(opened === undefined ? ['--config', configFile] : [openedFile]),
      ],
      {
        cwd: ROOT,
        env: { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: DIST },
        stdio: ['ignore', 'pipe', 'pipe'],
        // A separate process group, so that all its processes can be ended.
        detached: true,
      },
    );
    return new DesktopApp(child, folder, port);
  }

  /** Everything that the application printed so far. */
  get printed(): string {
    return this.#printed;
  }

  /** Process ids of its codec processes. */
  get codecPids(): number[] {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,pgid=,args='], { encoding: 'utf8' }).split('\n');
    return lines.flatMap((line) => {
      const [, pid, group, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return Number(group) === this.#child.pid && command.includes('codec-process') ? [Number(pid)] : [];
    });
  }

  /** Page of the desk, once the window shows it and the bridge is available. */
  desk(): Promise<Page> {
    return this.#page('the desk', "'bridge' in window && !location.pathname.startsWith('/-/')");
  }

  /** Page of a window with a wall, once the bridge is available. */
  wall(): Promise<Page> {
    return this.#page('a wall', "'bridge' in window && location.hash.startsWith('#/wall')");
  }

  /** Page of the window, once it shows a text. */
  pageWithText(text: string): Promise<Page> {
    return this.#page(`"${text}"`, `document.body.textContent.includes(${JSON.stringify(text)})`);
  }

  /** Waits for the end of the application; returns the exit code. */
  async exitCode(): Promise<number | null> {
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
    return this.#child.exitCode;
  }

  /** Requests the end of the process, like a system that shuts down. */
  terminate(): void {
    this.#child.kill('SIGTERM');
  }

  /** Ends remaining processes and removes the folders. */
  async dispose(): Promise<void> {
    await this.#browser?.close().catch(() => {});
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.terminate();
      const timer = setTimeout(() => {
        if (this.#child.pid !== undefined) process.kill(-this.#child.pid, 'SIGKILL');
      }, STOP_MS);
      await once(this.#child, 'exit');
      clearTimeout(timer);
    }
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Waits for a page in which an expression is true. */
  async #page(what: string, expression: string): Promise<Page> {
    const browser = await this.#connect();
    return this.#until(what, async () => {
      for (const page of browser.contexts().flatMap((context) => context.pages())) {
        if (await page.evaluate<boolean>(expression).catch(() => false)) return page;
      }
      return undefined;
    });
  }

  async #connect(): Promise<Browser> {
    this.#browser ??= await this.#until('Chromium', () =>
      chromium.connectOverCDP(`http://127.0.0.1:${this.#port}`).catch(() => undefined),
    );
    return this.#browser;
  }

  /** Polls until a condition returns a value; fails with the output of the application. */
  async #until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
    const limit = performance.now() + START_MS;
    while (performance.now() < limit && this.#child.exitCode === null) {
      const answer = await ask();
      if (answer !== undefined) return answer;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`${what} did not appear (exit code ${this.#child.exitCode}):\n${this.#printed}`);
  }
}
