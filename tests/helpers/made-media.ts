import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';

const CACHE = join(tmpdir(), 'airdesk-test-media', 'made');
const OUTPUT = 'output';

/** Arguments of every run: no questions, and only errors are printed. */
const QUIET = ['-v', 'error', '-nostdin', '-y'];

/**
 * Creates files in a folder with ffmpeg, from its built-in sources. The files are created once per machine and then
 * copied. The arguments contain paths in the folder, and read no other files.
 */
export function makeFiles(folder: string, args: readonly string[]): void {
  const cached = cachedFolder(args, (target) => {
    execFileSync('ffmpeg', [...QUIET, ...args], { cwd: target, stdio: ['ignore', 'ignore', 'inherit'] });
  });
  for (const name of readdirSync(cached)) copyFileSync(join(cached, name), join(folder, name));
}

/**
 * Creates a file with ffmpeg from another created file. `from` are the arguments that created the other file; the last
 * is its name. Returns the path of the result, whose name is the last of `args`. The result must not be changed.
 */
export function remadeFile(from: readonly string[], args: readonly string[]): string {
  const name = args.at(-1) ?? '';
  const cached = cachedFolder([...from, ' to ', ...args], (target) => {
    makeFiles(target, from);
    const source = from.at(-1) ?? '';
    execFileSync('ffmpeg', [...QUIET, '-i', source, ...args], { cwd: target, stdio: ['ignore', 'ignore', 'inherit'] });
    if (source !== name) rmSync(join(target, source));
  });
  return join(cached, name);
}

/** Standard output of ffmpeg with its built-in sources, cached per machine. */
export function madeBytes(args: readonly string[]): Buffer {
  const cached = cachedFolder([...args, '-'], (target) => {
    const bytes = execFileSync('ffmpeg', [...QUIET, ...args, '-'], { maxBuffer: 64 << 20 });
    writeFileSync(join(target, OUTPUT), bytes);
  });
  return readFileSync(join(cached, OUTPUT));
}

/**
 * File converted by a program, cached per machine; it must not be changed.
 *
 * @param program path of the program
 * @param options options that determine the result
 */
export async function convertedFile(
  program: string,
  from: string,
  options: readonly string[],
  make: (to: string) => Promise<unknown>,
): Promise<string> {
  const cached = folderOf([program, versionOf(program), ...options, digestOf(readFileSync(from))]);
  if (!existsSync(cached)) {
    const target = mkdtempSync(join(CACHE, '.making-'));
    try {
      await make(join(target, OUTPUT));
      if (!existsSync(cached)) renameSync(target, cached);
    } finally {
      rmSync(target, { recursive: true, force: true });
    }
  }
  return join(cached, OUTPUT);
}

/** Input of ffprobe. */
interface Probed {
  readonly folder: string;
  /** All files that ffprobe reads. */
  readonly files: readonly string[];
}

/**
 * Output of ffprobe for media made by another program, cached per machine; fails if ffprobe prints messages. Media made
 * by Airdesk is never cached.
 *
 * @param args name files by paths in the folder
 */
export function probeMade({ folder, files }: Probed, args: readonly string[]): string {
  const digests = files.map((file) => digestOf(readFileSync(join(folder, file))));
  const cached = cachedFolder([versionOf('ffprobe'), ...args, ...digests], (target) => {
    const all = ['-v', 'error', ...args];
    const { status, stdout, stderr } = spawnSync('ffprobe', all, { cwd: folder, maxBuffer: 1 << 28 });
    if (status !== 0 || stderr.length > 0) throw new Error(`ffprobe ends with ${status}: ${stderr.toString()}`);
    writeFileSync(join(target, OUTPUT), stdout);
  });
  return readFileSync(join(cached, OUTPUT), 'utf8');
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Cache folder. If two processes create it at the same time, the first one wins. */
function cachedFolder(args: readonly string[], make: (folder: string) => void): string {
  const cached = folderOf([versionOf('ffmpeg'), ...args]);
  if (existsSync(cached)) return cached;
  const target = mkdtempSync(join(CACHE, '.making-'));
  try {
    make(target);
    if (!existsSync(cached)) renameSync(target, cached);
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
  return cached;
}

/** Folder for the results of these inputs. */
function folderOf(parts: readonly string[]): string {
  mkdirSync(CACHE, { recursive: true });
  return join(CACHE, digestOf(Buffer.from(JSON.stringify(parts))));
}

/** Version of a program, because other versions write other bytes. */
function versionOf(program: string): string {
  const folders = isAbsolute(program) ? [''] : (process.env['PATH'] ?? '').split(delimiter);
  const path = folders.map((folder) => join(folder, program)).find((file) => existsSync(file));
  if (path === undefined) throw new Error(`there is no ${program}`);
  const { size, mtimeMs } = statSync(path);
  return `${size} ${mtimeMs}`;
}
