import { recordingSchema } from '../../../src-preload/contract/api/api-parts.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { arg, optionalArg, option, partly, recordSetting } from './record.ts';
import {
  percentSchema,
  PERCENT_PATTERN,
  placeSchema,
  sizeSchema,
  SIZE_PATTERN,
  TIME_PATTERN,
  urlSchema,
} from './storage-values.ts';
import { durationSchema, valueSchema } from './value-schema.ts';

/** Maximum age of an archive: a hundred years, in milliseconds. */
const MAX_ARCHIVE_MS = 3_155_760_000_000;

const placeOrStorage = valueSchema(because('value_path_or_dvr'), (text) => {
  const storage = /^@([\p{L}\p{N}_][\p{L}\p{N}_.-]{0,99})$/u.exec(text)?.[1];
  return storage !== undefined || (!text.startsWith('@') && placeSchema.safeParse(text).success) ? text : undefined;
});

/** Age limit of an archive, in milliseconds; a number without a unit is in seconds. */
export const archiveTime = durationSchema('s', 60_000, MAX_ARCHIVE_MS);

/** Storage and limits of recordings: `dvr` and `dvr_offline`. The words may come in any order. */
const RECORDING_FIELDS = {
  /** Path, or `@` and the name of a storage. */
  place: arg(placeOrStorage, 'root', /^(?![0-9.]+(ms|s|m|h|d|[KMGT]B?|B|%)?$)/i),
  expirationMs: { ...optionalArg(archiveTime, 'expiration', TIME_PATTERN), unit: 's' },
  limitBytes: { ...optionalArg(sizeSchema, 'storage_limit', SIZE_PATTERN), unit: 'B' },
  diskUsagePercent: { ...optionalArg(percentSchema, 'disk_usage_limit', PERCENT_PATTERN), unit: '%' },
  copy: partly(option('copy', urlSchema(['file', 's3', 'http', 'https'], 'file:///mnt/copy')), () => false),
};

/** Recording of streams. */
export const RECORDING_SETTINGS = {
  dvr: recordSetting({
    change: 'update',
    usage: 'dvr path|@storage [time] [size] [percent] [copy=address];',
    doc: 'Records the stream into a folder (absolute, or relative to the data folder) or a named storage. `time` limits the age of recordings, `size` their total size on all disks, and `percent` the fill level of a disk. Once a minute, the oldest blocks that exceed a limit are deleted, except locked ones. The limits may come in any order. `copy` has no effect yet.',
    about: recordingSchema.optional().describe('recording of the stream; copy has no effect in this version'),
    example: 'dvr @main 7d 500G 90%;',
    fields: RECORDING_FIELDS,
  }),
  dvrOffline: recordSetting({
    change: 'update',
    usage: 'dvr_offline path|@storage [time] [size] [percent];',
    doc: 'Like `dvr`, but nothing is recorded until `dvr_enable` of the legacy API switches the stream on. Recordings are kept and deleted as with `dvr`, which takes precedence.',
    about: recordingSchema.optional().describe('archive that can be played but is not recorded'),
    example: 'dvr_offline @main 7d;',
    fields: RECORDING_FIELDS,
  }),
};
