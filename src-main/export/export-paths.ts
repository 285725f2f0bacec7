import { mkdir, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { timeInFileName } from '../lib/clock.ts';
import { fileNameFault } from '../lib/file-name.ts';
import { AllowedPaths, PathNotAllowedError } from '../lib/allowed-paths.ts';
import type { ExportPacking, ExportRequest } from './thread/export-request.ts';
import type { StreamTask } from './thread/export-task.ts';
import { because, type Explained } from '../../src-preload/contract/explanations/explanations.ts';

/** Folder that files may be written to, and a path below it. */
export interface ExportRoot {
  /** Absolute path. */
  readonly folder: string;
  /** Folder names and the file name; empty if the export chooses names. */
  readonly steps: readonly string[];
}

/** Explanation why files cannot be written to a folder. */
export interface PathRefusal extends Explained {
  readonly code: 'path_not_allowed' | 'export_file_exists' | 'export_not_written' | 'bad_value';
}

/** Maximum length of a file name in bytes, with room for the additions to the temporary name. */
const MAX_NAME_BYTES = 180;
/** Maximum number of characters of a name made from text. A character has up to 4 bytes. */
const MAX_NAME_LETTERS = 36;

/**
 * Paths for the files of an export, below a folder that symbolic links cannot leave. Creates the folder if missing.
 * @param taken stems of waiting exports
 * @returns the stem of each stream, or the reason why files cannot be written there
 */
export async function filePaths(
  root: ExportRoot,
  { streams, fromMs, toMs, packing, path, fileName }: ExportRequest,
  taken: ReadonlySet<string> = new Set(),
): Promise<readonly Pick<StreamTask, 'stream' | 'stem'>[] | PathRefusal> {
  const isNamed = path !== undefined && streams.length === 1;
  const named = isNamed ? namedSteps(root.steps, packing) : root.steps;
  if ('detail' in named) return { code: 'bad_value', ...named };
  const time = `${timeInFileName(fromMs)}-${Math.round((toMs - fromMs) / 1000)}s`;
  const placed: Pick<StreamTask, 'stream' | 'stem'>[] = [];
  for (const stream of streams) {
    const steps = isNamed ? named : [...named, ...stream.split('/'), fileName ?? `${fileNameOf(stream)}-${time}`];
    const fault = steps.map((step) => fileNameFault(step, MAX_NAME_BYTES)).find((found) => found !== undefined);
    if (fault !== undefined) return { code: 'bad_value', ...fault };
    try {
      await mkdir(root.folder, { recursive: true });
      const folder = await new AllowedPaths(root.folder).locate(join(root.folder, ...steps));
      // A chosen name that exists is refused below. A generated name gets a number.
      const stem = isNamed ? folder : await freeStem(folder, packing, taken);
      const file = `${stem}.${packing}`;
      if (await exists(file)) return { code: 'export_file_exists', ...because('file_exists', { path: file }) };
      if (await exists(dirname(stem), 'file'))
        return { code: 'path_not_allowed', ...because('path_is_file', { path: dirname(stem) }) };
      placed.push({ stream, stem });
    } catch (error) {
      if (error instanceof PathNotAllowedError)
        return { code: 'path_not_allowed', ...because('path_outside_location') };
      return { code: 'export_not_written', detail: String(error) };
    }
  }
  return placed;
}

/** Maximum number of exports of the same time range that get names. */
const MAX_SAME = 1000;

/** First stem without a file or unfinished export: `STEM`, `STEM-2` and so on. */
async function freeStem(stem: string, packing: ExportPacking, taken: ReadonlySet<string>): Promise<string> {
  const names = new Set(await readdir(dirname(stem)).catch(() => []));
  const isTaken = (one: string): boolean =>
    taken.has(one) || [...names].some((name) => name.startsWith(`${basename(one)}.${packing}`));
  for (let number = 2, free = stem; number <= MAX_SAME; free = `${stem}-${number++}`) if (!isTaken(free)) return free;
  return stem;
}

/** Steps of a file without its extension, or the reason for refusal. */
function namedSteps(steps: readonly string[], packing: ExportPacking): readonly string[] | Explained {
  const name = steps.at(-1) ?? '';
  const [, ending] = /\.([a-z0-9]{1,5})$/i.exec(name) ?? [];
  if (ending !== undefined && ending.toLowerCase() !== packing)
    return because('name_extension', { packing, extension: ending });
  const stem = ending === undefined ? name : name.slice(0, -ending.length - 1);
  return stem === '' ? because('name_missing') : [...steps.slice(0, -1), stem];
}

async function exists(path: string, kind?: 'file'): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && (kind === undefined || found.isFile());
}

/**
 * Path of a new folder for the files of a case. Creates its parent folder if missing.
 *
 * @param name name for the folder, if the root does not state one
 */
export async function folderPath(root: ExportRoot, name: string): Promise<string | PathRefusal> {
  const steps = root.steps.length > 0 ? root.steps : [fileNameOf(name)];
  const fault = steps.map((step) => fileNameFault(step, MAX_NAME_BYTES)).find((found) => found !== undefined);
  if (fault !== undefined) return { code: 'bad_value', ...fault };
  try {
    await mkdir(root.folder, { recursive: true });
    const path = await new AllowedPaths(root.folder).locate(join(root.folder, ...steps));
    return (await exists(path)) ? { code: 'export_file_exists', ...because('file_exists', { path }) } : path;
  } catch (error) {
    if (error instanceof PathNotAllowedError) return { code: 'path_not_allowed', ...because('path_outside_location') };
    return { code: 'export_not_written', detail: String(error) };
  }
}

/** Converts text to a part of a file name that is valid on all systems: at most 36 letters, digits, `.`, `_` and `-`. */
export function fileNameOf(text: string): string {
  const plain = text.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+|-+$/g, '');
  const name = [...plain].slice(0, MAX_NAME_LETTERS).join('').replace(/[.]+$/, '');
  return fileNameFault(name, MAX_NAME_BYTES) === undefined ? name : 'case';
}
