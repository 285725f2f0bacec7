import { execFileSync } from 'node:child_process';
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
import { delimiter, join } from 'node:path';

const KEPT = join(tmpdir(), 'airdesk-test-media', 'made');
const OUTPUT = 'output';

/** Arguments that every run has: no questions, and no words but errors. */
const QUIET = ['-v', 'error', '-nostdin', '-y'];

/**
 * Has ffmpeg make files of sources of its own in a folder. They are made once a machine and copied after that: the arguments name them by paths in the
 * folder, and read nothing else.
 */
export function makeFiles(folder: string, args: readonly string[]): void {
  const kept = keep(args, (made) => {
    execFileSync('ffmpeg', [...QUIET, ...args], { cwd: made, stdio: ['ignore', 'ignore', 'inherit'] });
  });
  for (const name of readdirSync(kept)) copyFileSync(join(kept, name), join(folder, name));
}

/**
 * The same from a file that was made so: `from` are the arguments that made it, its name the last of them. Answers the path of what `args` make of it, the name of
 * which is the last of them; it is not to be changed.
 */
export function remadeFile(from: readonly string[], args: readonly string[]): string {
  const name = args.at(-1) ?? '';
  const kept = keep([...from, ' to ', ...args], (made) => {
    makeFiles(made, from);
    const source = from.at(-1) ?? '';
    execFileSync('ffmpeg', [...QUIET, '-i', source, ...args], { cwd: made, stdio: ['ignore', 'ignore', 'inherit'] });
    if (source !== name) rmSync(join(made, source));
  });
  return join(kept, name);
}

/** What ffmpeg writes to its standard output, made of sources of its own once a machine. */
export function madeBytes(args: readonly string[]): Buffer {
  const kept = keep([...args, '-'], (made) => {
    const bytes = execFileSync('ffmpeg', [...QUIET, ...args, '-'], { maxBuffer: 64 << 20 });
    writeFileSync(join(made, OUTPUT), bytes);
  });
  return readFileSync(join(kept, OUTPUT));
}

/** The folder with what was made; one that two processes make at once is that of the first. */
function keep(args: readonly string[], make: (folder: string) => void): string {
  const key = createHash('sha256')
    .update(JSON.stringify([encoder(), ...args]))
    .digest('hex');
  const kept = join(KEPT, key);
  if (existsSync(kept)) return kept;
  mkdirSync(KEPT, { recursive: true });
  const made = mkdtempSync(join(KEPT, '.making-'));
  try {
    make(made);
    if (!existsSync(kept)) renameSync(made, kept);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return kept;
}

/** Which ffmpeg it is: another one makes other bytes. */
function encoder(): string {
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'ffmpeg'))
    .find((file) => existsSync(file));
  if (path === undefined) throw new Error('there is no ffmpeg');
  const { size, mtimeMs } = statSync(path);
  return `${size} ${mtimeMs}`;
}
