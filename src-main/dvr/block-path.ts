import { join } from 'node:path';

/** Where a block lies below the folder of its disk: a folder an hour of UTC, a file a minute. @param copy how many of the minute there are already */
export function blockPath(stream: string, startMs: number, copy = 0): string {
  const [date = '', time = ''] = new Date(startMs).toISOString().split('T');
  const [hour = '', minute = ''] = time.split(':');
  return join(...stream.split('/'), ...date.split('-'), hour, `${minute}${copy === 0 ? '' : `-${copy}`}.mp4`);
}

/** The path of another block of the same minute. @param copy how many of the minute there are before it */
export function copyPath(path: string, copy: number): string {
  return path.replace(/(-[0-9]+)?\.mp4$/, `${copy === 0 ? '' : `-${copy}`}.mp4`);
}

/** Folders from the year down to the hour: how each is named. */
export const FOLDER_NAMES: readonly RegExp[] = [/^[0-9]{4}$/, /^[0-9]{2}$/, /^[0-9]{2}$/, /^[0-9]{2}$/];
/** How a block is named in the folder of its hour. */
export const BLOCK_NAME = /^[0-5][0-9](-[1-9][0-9]?)?\.mp4$/;
/** Most blocks that begin in the same minute: a stream that is cut more often loses what is more. */
export const MAX_COPIES = 99;

/** Epoch milliseconds of the minute in which a block begins, by its path; undefined for another file. */
export function minuteOfPath(path: string): number | undefined {
  const found = /([0-9]{4})\/([0-9]{2})\/([0-9]{2})\/([0-9]{2})\/([0-5][0-9])[^/]*$/.exec(path.replaceAll('\\', '/'));
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0] = (found ?? []).slice(1).map(Number);
  return found ? Date.UTC(year, month - 1, day, hour, minute) : undefined;
}

/** When the blocks below a folder begin, in epoch milliseconds; the end is not in it. @param names of the folders from the year on, as far as they are known */
export function timeOfFolder(names: readonly string[]): [startMs: number, endMs: number] {
  const at = (past: number): number => {
    const [year = 0, month = 1, day = 1, hour = 0] = names.map(Number).with(-1, Number(names.at(-1)) + past);
    return Date.UTC(year, month - 1, day, hour);
  };
  return [at(0), at(1)];
}
