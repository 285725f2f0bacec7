import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { dataFolder } from '../src-main/lib/data-folder.ts';
import { endWithNpm } from './npm-parent.ts';
import { ROOT, toolEnv } from './project.ts';
import { ensureBuild } from './step.ts';

/** Maximum time for the first download of Electron (about 120 MB), in milliseconds. */
const DOWNLOAD_MS = 180_000;
/** Maximum time until the first byte of the download, in milliseconds. After it, the download counts as impossible. */
const FIRST_BYTE_MS = 8_000;

/** Starts the desk: in Electron if available, otherwise as a server for a browser. */
export async function run(args: readonly string[]): Promise<void> {
  endWithNpm();
  await ensureBuild();
  const reason = args.includes('--headless') ? 'started without a window' : (whyNoDisplay() ?? (await whyNoElectron()));
  const otherArguments = args.filter((argument) => argument !== '--headless');
  if (reason === undefined) startElectron(otherArguments);
  else startHeadless(reason, otherArguments);
}

function whyNoDisplay(): string | undefined {
  if (process.platform !== 'linux' || process.env['ELECTRON_OVERRIDE_DIST_PATH']) return undefined;
  return process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'] ? undefined : 'there is no display here';
}

function electronPath(): string | undefined {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const pathFile = join(ROOT, 'node_modules/electron/path.txt');
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : undefined;
  const file = override ? join(override, name ?? 'electron') : name && join(ROOT, 'node_modules/electron/dist', name);
  return file && existsSync(file) ? file : undefined;
}

/** Downloads Electron if it is missing, in limited time. Returns the reason if there is no Electron. */
async function whyNoElectron(): Promise<string | undefined> {
  if (electronPath()) return undefined;
  const installer = join(ROOT, 'node_modules/electron/install.js');
  if (!existsSync(installer)) return 'Electron is not installed';
  if (!(await answers('https://github.com/electron/electron/releases'))) return 'Electron could not be downloaded';
  process.stderr.write('downloading Electron (only once) …\n');
  await new Promise<void>((resolve) => {
    const child = spawn(process.execPath, [installer], { stdio: 'ignore', env: toolEnv() });
    const timer = setTimeout(() => child.kill(), DOWNLOAD_MS);
    child.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  return electronPath() ? undefined : 'Electron could not be downloaded';
}

async function answers(address: string): Promise<boolean> {
  // If the operator chose a mirror, the installer uses it.
  if (process.env['ELECTRON_MIRROR'] || process.env['npm_config_electron_mirror']) return true;
  try {
    const response = await fetch(address, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(FIRST_BYTE_MS),
    });
    return response.status < 500;
  } catch {
    return false;
  }
}

function startElectron(args: readonly string[]): void {
  const binary = electronPath();
  if (!binary) throw new Error('the Electron binary was not found');
  // Chromium refuses to start with its sandbox as root. Other users get the sandbox.
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  if (isRoot)
    process.stderr.write(
      'Airdesk runs as root, so its window has no sandbox (--no-sandbox); any other user keeps it.\n',
    );
  const rootArgs = isRoot ? ['--no-sandbox'] : [];
  supervise(binary, [...rootArgs, ROOT, ...args], 'inherit', (code) => {
    // Exit code 127 means that a library of the program is missing.
    if (code !== 127) return false;
    startHeadless('Electron could not be started', args);
    return true;
  });
}

function startHeadless(reason: string, args: readonly string[]): void {
  process.stderr.write(`No window: ${reason}; the same desk is served for a browser.\n`);
  const folder = args.includes('--data') ? [] : ['--data', dataFolder(process.platform, process.env, homedir())];
  const child = supervise(
    process.execPath,
    ['--enable-source-maps', join(ROOT, 'out/main/headless.js'), ...folder, ...args],
    'pipe',
  );
  let printed = '';
  let isAnnounced = false;
  child.stdout?.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk);
    if (isAnnounced) return;
    printed += chunk.toString();
    const address = /airdesk ready (https?:\/\/\S+)/.exec(printed)?.[1];
    if (!address) return;
    isAnnounced = true;
    process.stdout.write(`Airdesk is at ${address.endsWith('/') ? address : `${address}/`}\n`);
  });
}

/**
 * Waits for a child process: forwards signals to it and exits with its exit code, unless `isHandled` returns true.
 */
function supervise(
  command: string,
  args: readonly string[],
  stdout: 'inherit' | 'pipe',
  isHandled: (code: number) => boolean = () => false,
): ReturnType<typeof spawn> {
  const child = spawn(command, args, { stdio: ['inherit', stdout, 'inherit'], env: toolEnv() });
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGHUP'));
  // In a terminal, Ctrl-C reaches the child directly.
  process.on('SIGINT', () => (process.stdin.isTTY ? true : child.kill('SIGINT')));
  const end = (code: number): void => {
    if (!isHandled(code)) process.exit(code);
  };
  child.on('error', (error) => {
    process.stderr.write(`${command}: ${error.message}\n`);
    end(127);
  });
  child.on('exit', (code, signal) => {
    end(code ?? (signal === 'SIGINT' ? 130 : 143));
  });
  return child;
}
