import type { LegacyDvrDelete, LegacyDvrStatus } from '../../../src-preload/contract/api/legacy.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { StreamEntry } from '../../streams/stream-entry.ts';
import { requireStream, type ApiContext, type ShownContext } from '../api-context.ts';

/** What is recorded of one day: nothing, as this version keeps no list of it. Raises `bad_query` for no day. */
export function legacyDvrStatus(
  context: ShownContext,
  name: string,
  [year, month, day]: readonly [year: string, month: string, day: string],
): LegacyDvrStatus {
  requireStream(context, name);
  if (!isDay(year, month, day))
    throw new AirdeskError('bad_query', `${year}/${month}/${day} is no day`, { parameter: 'day' });
  return [];
}

/** Removes a stretch of an archive. Raises `archive_not_kept` as long as none can be deleted. */
export function legacyDvrDelete(context: ShownContext, { stream }: LegacyDvrDelete): never {
  throw noArchive(context, stream);
}

/** Switches the recording of a stream on or off until it is restarted. Raises `archive_not_kept` for one that has no archive to be switched on. */
export function legacyDvrSwitch(context: ApiContext, name: string, isOn: boolean): true {
  const entry = requireStream(context, name);
  if (isOn && !isKept(entry)) throw noArchive(context, name);
  context.switchRecording(entry, isOn);
  return true;
}

function isKept({ settings }: StreamEntry): boolean {
  return settings.dvr !== null || settings.dvrOffline !== null;
}

function noArchive(context: ShownContext, name: string): AirdeskError {
  return new AirdeskError(
    'archive_not_kept',
    isKept(requireStream(context, name))
      ? `${name} is recorded by its dvr directive; this version cannot delete its archive`
      : `${name} has neither dvr nor dvr_offline`,
  );
}

function isDay(year: string, month: string, day: string): boolean {
  if (!/^[0-9]{4}$/.test(year) || !/^[0-9]{1,2}$/.test(month) || !/^[0-9]{1,2}$/.test(day)) return false;
  const time = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return (
    time.getUTCFullYear() === Number(year) &&
    time.getUTCMonth() === Number(month) - 1 &&
    time.getUTCDate() === Number(day)
  );
}
