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

const KEPT = join(tmpdir(), 'airdesk-test-media', 'made');
const OUTPUT = 'output';

/** Arguments of every run: no questions, and only errors. */
const QUIET = ['-v', 'error', '-nostdin', '-y'];

/**
 * Creates files in a folder with ffmpeg, from its built-in sources. They are created once per machine and then copied. The
 * arguments contain paths in the folder, and read no other files.
 */
export function makeFiles(folder: string, args: readonly string[]): void {
  const kept = keep(args, (target) => {
    execFileSync('ffmpeg', [...QUIET, ...args], { cwd: target, stdio: ['ignore', 'ignore', 'inherit'] });
  });
  for (const name of readdirSync(kept)) copyFileSync(join(kept, name), join(folder, name));
}

/**
 * Creates a file with ffmpeg from another created file. `from` are the arguments that created the other file; the last is its
 * name. Returns the path of the result, whose name is the last of `args`. The result must not be changed.
 */
export function remadeFile(from: readonly string[], args: readonly string[]): string {
  const name = args.at(-1) ?? '';
  const kept = keep([...from, ' to ', ...args], (target) => {
    makeFiles(target, from);
    const source = from.at(-1) ?? '';
    execFileSync('ffmpeg', [...QUIET, '-i', source, ...args], { cwd: target, stdio: ['ignore', 'ignore', 'inherit'] });
    if (source !== name) rmSync(join(target, source));
  });
  return join(kept, name);
}

/** Standard output of ffmpeg from its own sources, cached per machine. */
export function madeBytes(args: readonly string[]): Buffer {
  const kept = keep([...args, '-'], (target) => {
    const bytes = execFileSync('ffmpeg', [...QUIET, ...args, '-'], { maxBuffer: 64 << 20 });
    writeFileSync(join(target, OUTPUT), bytes);
  });
  return readFileSync(join(kept, OUTPUT));
}

/**
 * Conversion of a file by a program, cached per machine; it must not be changed.
 *
 * @param program its path
 * @param options that determine the result
 */
export async function convertedFile(
  program: string,
  from: string,
  options: readonly string[],
  make: (to: string) => Promise<unknown>,
): Promise<string> {
  const kept = folderOf([program, versionOf(program), ...options, digestOf(readFileSync(from))]);
  if (!existsSync(kept)) {
    const target = mkdtempSync(join(KEPT, '.making-'));
    try {
      await make(join(target, OUTPUT));
      if (!existsSync(kept)) renameSync(target, kept);
    } finally {
      rmSync(target, { recursive: true, force: true });
    }
  }
  return join(kept, OUTPUT);
}

/** Input of ffprobe. */
interface Probed {
  readonly folder: string;
  /** All files that it reads. */
  readonly files: readonly string[];
}

/**
 * Output of ffprobe for media made by another program, cached per machine; fails on complaints. Media made by Airdesk is never
 * cached.
 *
 * @param args name files by paths in the folder
 */
export function probeMade({ folder, files }: Probed, args: readonly string[]): string {
  const digests = files.map((file) => digestOf(readFileSync(join(folder, file))));
  const kept = keep([versionOf('ffprobe'), ...args, ...digests], (target) => {
    const all = ['-v', 'error', ...args];
    const { status, stdout, stderr } = spawnSync('ffprobe', all, { cwd: folder, maxBuffer: 1 << 28 });
    if (status !== 0 || stderr.length > 0) throw new Error(`ffprobe ends with ${status}: ${stderr.toString()}`);
    writeFileSync(join(target, OUTPUT), stdout);
  });
  return readFileSync(join(kept, OUTPUT), 'utf8');
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Cache folder; if two processes make one at once, the first wins. */
function keep(args: readonly string[], make: (folder: string) => void): string {
  const kept = folderOf([versionOf('ffmpeg'), ...args]);
  if (existsSync(kept)) return kept;
  const target = mkdtempSync(join(KEPT, '.making-'));
  try {
    make(target);
    if (!existsSync(kept)) renameSync(target, kept);
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
  return kept;
}

/** Folder for results of these inputs. */
function folderOf(parts: readonly string[]): string {
  mkdirSync(KEPT, { recursive: true });
  return join(KEPT, digestOf(Buffer.from(JSON.stringify(parts))));
}

/** Version of a program, because another version writes other bytes. */
function versionOf(program: string): string {
  const folders = isAbsolute(program) ? [''] : (process.env['PATH'] ?? '').split(delimiter);
  const path = folders.map((folder) => join(folder, program)).find((file) => existsSync(file));
  if (path === undefined) throw new Error(`there is no ${program}`);
  const { size, mtimeMs } = statSync(path);
  return `${size} ${mtimeMs}`;
}
