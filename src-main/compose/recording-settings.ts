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
  const { diskUsagePercent: own, expirationMs } = dvr;
  if (!place.startsWith('@'))
    return { storage: null, disks: isFolder(place) ? [resolve(dataFolder, place)] : [], ...limits(own, expirationMs) };
  const name = place.slice(1);
  const storage = dvrs.get(name);
  if (storage?.isOffline === true) return undefined;
  const root = storage?.root ?? undefined;
  // A storage without disks is one itself. One that is not there, or lies elsewhere, cannot be written; recordings say so.
  const folders = storage?.disks.length === 0 ? ['.'] : writable(storage?.disks ?? []);
  const disks = root !== undefined && isFolder(root) ? folders.map((path) => resolve(dataFolder, root, path)) : [];
  const percent = own ?? storage?.diskUsagePercent ?? null;
  return { storage: name, disks, ...limits(percent, expirationMs ?? storage?.expirationMs ?? null) };
}

function writable(disks: readonly { readonly path: string; readonly mode: string | null }[]): string[] {
  return disks.filter(({ mode }) => mode === null || mode === 'normal').map(({ path }) => path);
}

/** Whether a place is a folder of this machine and not an address. */
function isFolder(place: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:\/\//i.test(place);
}

function limits(
  mostUsedPercent: number | null,
  expirationMs: number | null,
): Pick<RecordingSettings, 'mostUsedPercent' | 'expirationMs'> {
  return {
    ...(mostUsedPercent === null ? {} : { mostUsedPercent }),
    ...(expirationMs === null ? {} : { expirationMs }),
  };
}
