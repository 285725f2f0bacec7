import { resolve } from 'node:path';
import type { Config, StreamSettings } from '../config/config.ts';
import type { RecordingSettings } from '../dvr/recordings.ts';

/** Where a stream is recorded; undefined where it is not. @param dataFolder what relative paths lie below */
export function recordingSettings(
  { dvrs }: Pick<Config, 'dvrs'>,
  { dvr, isDisabled }: Pick<StreamSettings, 'dvr' | 'isDisabled'>,
  dataFolder: string,
): RecordingSettings | undefined {
  if (!dvr || isDisabled) return undefined;
  const { place } = dvr;
  const own = dvr.diskUsagePercent;
  if (!place.startsWith('@'))
    return { storage: null, disks: isFolder(place) ? [resolve(dataFolder, place)] : [], ...percent(own) };
  const name = place.slice(1);
  const storage = dvrs.get(name);
  if (storage?.isOffline === true) return undefined;
  const root = storage?.root ?? undefined;
  // A storage without disks is one itself. One that is not there, or lies elsewhere, cannot be written; recordings say so.
  const folders = storage?.disks.length === 0 ? ['.'] : writable(storage?.disks ?? []);
  const disks = root !== undefined && isFolder(root) ? folders.map((path) => resolve(dataFolder, root, path)) : [];
  return { storage: name, disks, ...percent(own ?? storage?.diskUsagePercent ?? null) };
}

function writable(disks: readonly { readonly path: string; readonly mode: string | null }[]): string[] {
  return disks.filter(({ mode }) => mode === null || mode === 'normal').map(({ path }) => path);
}

/** Whether a place is a folder of this machine and not an address. */
function isFolder(place: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:\/\//i.test(place);
}

function percent(mostUsedPercent: number | null): Pick<RecordingSettings, 'mostUsedPercent'> {
  return mostUsedPercent === null ? {} : { mostUsedPercent };
}
