import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SourceTextModule, SyntheticModule } from 'node:vm';
import { calledFunctions, isEntryOf, placesIn, withCode, type CoverageReport } from './compile-cache.ts';
import { ROOT } from './project.ts';

// A program of its own, for `node --experimental-vm-modules`: puts into Node's compile cache what a start of the built server calls, and its first
// stream. Node by itself keeps a module as it was before it ran, without nearly all of its functions: each start would compile them anew.
// Its argument is the folder of the cache. What is not as expected is left as Node wrote it, and Node leaves aside what it cannot use.

const BUILD = join(ROOT, 'out/main');
/** How long the server runs after it is ready. */
const RUN_MS = 700;
/** Against hanging only. */
const LIMIT_MS = 60_000;
const CONFIG = `
http 127.0.0.1:0; rtmp 127.0.0.1:0;
dvr main { root archive; disk one; }
stream a { input fake:// width=160 height=90; segment_duration 1; segment_count 3; dvr @main 1d; }
`;

/** What the types of Node leave out. */
interface CodedModule extends SourceTextModule {
  createCachedData(): Buffer;
}

const debug = new Session();
debug.connect();
const scriptIds = new Map<string, string>();
debug.on('Debugger.scriptParsed', ({ params }) => scriptIds.set(params.url, params.scriptId));
debug.post('Debugger.enable');

const [cache = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'airdesk-compile-ahead-'));
try {
  await runServer();
  const called = calledFunctions(
    filesIn('coverage').map((path) => JSON.parse(readFileSync(path, 'utf8')) as CoverageReport),
    pathToFileURL(BUILD).href,
  );
  const entries = filesIn('cache').map((path) => ({ path, entry: readFileSync(path) }));
  for (const [url, offsets] of called) {
    const source = readFileSync(fileURLToPath(url));
    const compiled = await compile(url, source.toString(), offsets);
    for (const { path, entry } of entries.filter((one) => isEntryOf(one.entry, source)))
      keep(path.slice(join(folder, 'cache').length), withCode(entry, compiled));
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Runs the built server for a moment; it leaves behind what it called and what Node compiled. */
async function runServer(): Promise<void> {
  const config = join(folder, 'airdesk.conf');
  writeFileSync(config, CONFIG);
  const server = spawn(
    process.execPath,
    [join(BUILD, 'headless.js'), '--config', config, '--data', join(folder, 'data')],
    {
      cwd: folder,
      env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache'), NODE_V8_COVERAGE: join(folder, 'coverage') },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const hanging = setTimeout(() => server.kill('SIGKILL'), LIMIT_MS);
  const ended = once(server, 'exit').finally(() => {
    clearTimeout(hanging);
  });
  const url = await Promise.race([addressOf(server), ended.then(() => undefined)]);
  if (url === undefined) return;
  await Promise.all([pause(RUN_MS), ask(url)]);
  server.kill('SIGTERM');
  await ended;
}

function addressOf(server: ChildProcessByStdio<null, Readable, null>): Promise<string> {
  return new Promise((resolve) => {
    let printed = '';
    server.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const url = /airdesk ready (\S+)\//.exec(printed)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}

/** What nearly every test asks a server: a call of the bridge. */
function ask(url: string): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/-/bridge`);
  socket.addEventListener('open', () => {
    socket.send(JSON.stringify({ kind: 'call', id: 1, name: 'streams.list', input: {} }));
  });
  return new Promise((resolve) => {
    const end = (): void => {
      socket.close();
      resolve();
    };
    socket.addEventListener('error', end);
    socket.addEventListener('close', end);
    socket.addEventListener('message', end);
  });
}

/** Code of a module with these functions compiled. It is not evaluated. */
async function compile(url: string, source: string, offsets: readonly number[]): Promise<Buffer> {
  const module = new SourceTextModule(source, { identifier: url }) as CodedModule;
  // The debugger sees a module once it is linked; where that fails because nothing is there to import, too.
  await module.link(() => new SyntheticModule([], () => undefined)).catch(() => undefined);
  const scriptId = scriptIds.get(url);
  if (scriptId === undefined) throw new Error(`the debugger does not see ${url}`);
  const place = placesIn(source);
  for (const offset of offsets) {
    debug.post('Debugger.getPossibleBreakpoints', {
      start: { scriptId, ...place(offset + 1) },
      end: { scriptId, ...place(offset + 2) },
      // Compiles the function, and none of those in it.
      restrictToFunction: true,
    });
  }
  return module.createCachedData();
}

function filesIn(name: string): string[] {
  const all = readdirSync(join(folder, name), { recursive: true, withFileTypes: true });
  return all.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
}

/** Puts an entry into the cache at once: other processes read it. */
function keep(path: string, entry: Buffer): void {
  const target = join(cache, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(`${target}.${process.pid}`, entry);
  renameSync(`${target}.${process.pid}`, target);
}
