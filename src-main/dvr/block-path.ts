import { join } from 'node:path';

/**
 * Path of a block below the folder of its disk: a folder per hour (UTC), a file per minute.
 *
 * @param suffix number of existing blocks of the minute; 0 is not written
 */
export function blockPath(stream: string, startMs: number, suffix = 0): string {
  const [date = '', time = ''] = new Date(startMs).toISOString().split('T');
  const [hour = '', minute = ''] = time.split(':');
  return join(...stream.split('/'), ...date.split('-'), hour, `${minute}${suffix === 0 ? '' : `-${suffix}`}.mp4`);
}

/** Path of another block of the same minute. @param suffix as for `blockPath` */
export function pathWithSuffix(path: string, suffix: number): string {
  return path.replace(/(-[0-9]+)?\.mp4$/, `${suffix === 0 ? '' : `-${suffix}`}.mp4`);
}

/** Patterns of the folder names from year to hour. */
export const FOLDER_NAMES: readonly RegExp[] = [/^[0-9]{4}$/, /^[0-9]{2}$/, /^[0-9]{2}$/, /^[0-9]{2}$/];
/** Pattern of the name of a block in the folder of its hour. */
export const BLOCK_NAME = /^[0-5][0-9](-[1-9][0-9]?)?\.mp4$/;
/** Highest suffix of a block name, so 100 blocks may start in the same minute; further blocks cannot be recorded. */
export const MAX_NAME_SUFFIX = 99;

/** Minute in which a block starts, in epoch milliseconds, parsed from its path; undefined for other files. */
export function minuteOfPath(path: string): number | undefined {
  const found = /([0-9]{4})\/([0-9]{2})\/([0-9]{2})\/([0-9]{2})\/([0-5][0-9])[^/]*$/.exec(path.replaceAll('\\', '/'));
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0] = (found ?? []).slice(1).map(Number);
  return found ? Date.UTC(year, month - 1, day, hour, minute) : undefined;
}

/**
 * Range of block starts below a folder, in epoch milliseconds; the end is exclusive.
 *
 * @param names known folder names, from the year on
 */
export function timeOfFolder(names: readonly string[]): [startMs: number, endMs: number] {
  const at = (past: number): number => {
    const [year = 0, month = 1, day = 1, hour = 0] = names.map(Number).with(-1, Number(names.at(-1)) + past);
    return Date.UTC(year, month - 1, day, hour);
  };
  return [at(0), at(1)];
}
