import { resolve } from 'node:path';
import type { Config, StreamSettings } from '../config/schema/config.ts';
import type { ShownStorage } from '../control/archive/archive-figures.ts';
import type { CopiedStorage } from '../dvr/copies/copy-plan.ts';
import type { RetainedStorage } from '../dvr/keep/retained-archives.ts';
import type { OwnedFolders } from './guard/open-disk-owners.ts';
import type { RecordingSettings } from '../dvr/recordings.ts';

/**
 * Recording settings of a stream; undefined if it has no archive.
 * @param dataFolder base of relative paths
 * @param isSwitched true or false if an operator has switched the recording on or off, which overrides the settings; undefined
 * otherwise
 */
export function recordingSettings(
  { dvrs }: Pick<Config, 'dvrs'>,
  { dvr, dvrOffline, isDisabled }: Pick<StreamSettings, 'dvr' | 'dvrOffline' | 'isDisabled'>,
  dataFolder: string,
  isSwitched?: boolean,
): RecordingSettings | undefined {
  const found = dvr ?? dvrOffline;
  if (!found) return undefined;
  const { place, diskUsagePercent: usagePercent, expirationMs, limitBytes } = found;
  const name = place.startsWith('@') ? place.slice(1) : null;
  const storage = name === null ? undefined : dvrs.get(name);
  const isOn = isSwitched ?? (dvr !== null && storage?.isOffline !== true);
  const off = isOn && !isDisabled ? {} : { isOff: true };
  if (name === null) {
    const disks = isFolder(place) ? [resolve(dataFolder, place)] : [];
    return { storage: null, disks, ...limits(usagePercent, expirationMs, limitBytes), ...off };
  }
  // A storage that does not exist or is no folder has no disks. The recording reports that.
  const disks = storage ? disksOf(storage, dataFolder) : [];
  const percent = usagePercent ?? storage?.diskUsagePercent ?? null;
  const ownLimits = limits(percent, expirationMs ?? storage?.expirationMs ?? null, limitBytes);
  return { storage: name, disks, ...ownLimits, ...(storage ? rules(storage) : {}), ...off };
}

/** Storages with the limits of their disks. @param dataFolder base of relative paths */
export function retainedStorages({ dvrs }: Pick<Config, 'dvrs'>, dataFolder: string): RetainedStorage[] {
  return [...dvrs].map(([name, storage]) => ({
    name,
    disks: disksOf(storage, dataFolder),
    ...limits(storage.diskUsagePercent, storage.expirationMs, storage.limitBytes),
  }));
}

/**
 * Storages with all of their disks, for every use. The root of a storage without disks is its only disk.
 * @param dataFolder base of relative paths
 */
export function shownStorages({ dvrs }: Pick<Config, 'dvrs'>, dataFolder: string): ShownStorage[] {
  return [...dvrs].map(([name, storage]) => {
    const { root, disks, diskUsagePercent: maxUsedPercent } = storage;
    const isHere = root !== null && isFolder(root);
    const all = disks.length === 0 ? [{ path: '.', mode: null }] : disks;
    const shown = all.map(({ path, mode }) => ({
      path,
      isWritten: mode === null || mode === 'normal',
      folder: isHere ? resolve(dataFolder, root, path) : null,
    }));
    return { name, maxUsedPercent: maxUsedPercent ?? 100, disks: shown };
  });
}

/**
 * Storages with the use of each of their disks and the number of copies that each block should have.
 * @param dataFolder base of relative paths
 */
export function copiedStorages({ dvrs }: Pick<Config, 'dvrs'>, dataFolder: string): CopiedStorage[] {
  return [...dvrs].map(([name, { root, disks, raid, diskUsagePercent, mustBeMounted }]) => {
    const used = disks.length === 0 ? [{ path: '.', mode: null }] : disks;
    const folders = root === null || !isFolder(root) ? [] : used;
    return {
      name,
      copies: raid ?? 0,
      disks: folders.map(({ path, mode }) => ({
        folder: resolve(dataFolder, root ?? '', path),
        mode: mode ?? 'normal',
      })),
      ...(diskUsagePercent === null ? {} : { maxUsedPercent: diskUsagePercent }),
      ...(mustBeMounted === true ? { mustBeMounted } : {}),
    };
  });
}

/** Folders of disks that are only read, and the roots of storages by disk. @param dataFolder base of relative paths */
export function ownedFolders(config: Pick<Config, 'dvrs'>, dataFolder: string): OwnedFolders {
  const disks = copiedStorages(config, dataFolder).flatMap((storage) => storage.disks);
  const isOwned = ({ mode }: (typeof disks)[number]): boolean => mode === 'normal' || mode === 'migrate';
  const owned = new Set(disks.filter(isOwned).map(({ folder }) => folder));
  const roots = new Map<string, string>();
  for (const { root, disks: below } of config.dvrs.values())
    for (const { path } of root !== null && isFolder(root) ? below : [])
      if (resolve(dataFolder, root ?? '', path) !== resolve(dataFolder, root ?? ''))
        roots.set(resolve(dataFolder, root ?? '', path), resolve(dataFolder, root ?? ''));
  return { readOnly: new Set(disks.map(({ folder }) => folder).filter((folder) => !owned.has(folder))), roots };
}

/** Folders of all disks of the storages except abandoned ones (`abandon`). @param dataFolder base of relative paths */
export function storageDisks(config: Pick<Config, 'dvrs'>, dataFolder: string): string[] {
  const disks = copiedStorages(config, dataFolder).flatMap((storage) => storage.disks);
  return disks.filter(({ mode }) => mode !== 'abandon').map(({ folder }) => folder);
}

/** Folders of the writable disks. The root of a storage without disks is its only disk. */
function disksOf({ root, disks }: Pick<Storage, 'root' | 'disks'>, dataFolder: string): string[] {
  if (root === null || !isFolder(root)) return [];
  const folders = disks.length === 0 ? ['.'] : writable(disks);
  return folders.map((path) => resolve(dataFolder, root, path));
}

type Storage = NonNullable<ReturnType<Config['dvrs']['get']>>;

function rules({
  active,
  mustBeMounted,
  schedule,
}: Pick<Storage, 'active' | 'mustBeMounted' | 'schedule'>): Pick<
  RecordingSettings,
  'maxActive' | 'mustBeMounted' | 'schedule'
> {
  return {
    ...(active === null ? {} : { maxActive: active }),
    ...(mustBeMounted === true ? { mustBeMounted } : {}),
    ...(schedule.length === 0 ? {} : { schedule: schedule.map(([from, to]) => [minutes(from), minutes(to)] as const) }),
  };
}

/** Converts a time such as 1830 to minutes of the day. */
function minutes(time: number): number {
  return Math.floor(time / 100) * 60 + (time % 100);
}

function writable(disks: readonly { readonly path: string; readonly mode: string | null }[]): string[] {
  return disks.filter(({ mode }) => mode === null || mode === 'normal').map(({ path }) => path);
}

/** Reports whether a path is a folder on this machine and not an address. */
function isFolder(place: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:\/\//i.test(place);
}

function limits(
  maxUsedPercent: number | null,
  expirationMs: number | null,
  limitBytes: number | null,
): Pick<RecordingSettings, 'maxUsedPercent' | 'expirationMs' | 'limitBytes'> {
  return {
    ...(maxUsedPercent === null ? {} : { maxUsedPercent }),
    ...(expirationMs === null ? {} : { expirationMs }),
    ...(limitBytes === null ? {} : { limitBytes }),
  };
}
