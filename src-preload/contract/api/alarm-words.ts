/**
 * What is wrong, by its name: the words of it, with its facts in braces. `{limits}` are the facts `min` and `max` in words. Programs and other languages go by
 * name and facts; the words may change.
 */
export const FAULT_WORDS = {
  no_frames: 'No frame comes from any input',
  bitrate_out_of_range: '{value} kbit/s, wanted {limits}',
  frame_rate_out_of_range: '{value} frames a second, wanted {limits}',
  latency_out_of_range: 'The newest media is {value} ms old, wanted {limits}',
  format_changed: '{before} became {now}',
  packets_damaged: 'Packets are lost or damaged on the way to the server',
  packets_missing: 'Packets of the transport stream are missing',
  clock_errors: 'Clock references (PCR) come too seldom, or jump',
  not_recorded: 'It is to be recorded, and is not',
  no_scte35: 'No SCTE-35 message came',
  black: 'The picture is black',
  frozen: 'The picture does not move',
  silent: 'Peak {value} dBFS',
  silent_and_frozen: 'The picture does not move; peak {value} dBFS',
  level_out_of_range: 'Peak {value} dBFS, wanted {limits}',
  loudness_out_of_range: '{value} {unit}, wanted {limits}',
  certificate_ends: 'The certificate for https ends on {day}',
  certificate_ended: 'The certificate for https has ended',
  certificate_unusable: 'The certificate for https cannot be used: {explanation}',
  streams_not_recorded: 'Not recorded at the moment: {streams}',
  nothing_deleted: 'Nothing is deleted from archives, because the database that says what is locked cannot be read',
  deletion_held_clock:
    'Nothing is deleted from archives: the clock of this machine jumped by {hours} hours. Check the time, then allow deletion; otherwise it goes on when the clock was steady for a day',
  deletion_held_locks:
    'Nothing is deleted from archives: the database with the locks was lost or is an older one. {count} locks and episodes were restored from the copies on the disks. Check them, then allow deletion',
  catalog_being_made:
    'Nothing is deleted from archives: the catalog of recordings was lost and is being made again from the disks. Deletion goes on by itself when everything was read',
  deletion_held_catalog:
    'Nothing is deleted from archives: the catalog of recordings was lost, and {count} disks or blocks could not be read when it was made again. The log names them. Check the disks and rebuild the index, or allow deletion',
  catalog_closed:
    'The catalog of recordings cannot be opened: recordings are not listed, and nothing is deleted from archives. The log says why',
  deletion_held_state:
    'Nothing is deleted from archives: the file archive-guard.json of the data folder was lost or damaged. Check locks and clock, then allow deletion',
  disks_in_use:
    'Nothing is recorded to these disks or deleted from them: {disks}. Stop the other server, or give one of them other disks',
  blocks_not_copied: 'Blocks cannot be copied to another disk at the moment: {storages}',
  disk_full: 'The disk of the data folder is full: {free_mib} MiB are free',
  disk_unwritable: 'The data folder cannot be written: {explanation}',
  disk_nearly_full: 'The disk of {folder} is nearly full: {free_mib} MiB are free',
  backend_silent: '{place} does not answer: {explanation}',
  sink_failing: 'Sink {name}: {explanation}; {waiting} events wait',
  config_unreadable: 'The configuration file did not load: {explanation}',
  config_open_to_all:
    'Every user of this machine may read {path}, and there may be passwords in it: chmod o-rwx {path}',
  seal_key_lost:
    'The key file airdesk.key is missing, damaged or another one: kept versions of the configuration and secrets of webhooks cannot be read, and no new ones are kept. Restore the file from a backup, or confirm a new key',
  log_key_lost:
    'The key file {file} is missing or damaged: what it signed cannot be verified, and nothing is signed. Restore the file from a backup, or confirm a new key',
  history_not_kept: 'The history of the configuration is not kept: {explanation}',
  database_closed: 'The database did not open: {explanation}',
  subscribers_closed: 'The database of subscribers cannot be opened: {explanation}',
  port_closed: '{place} is not open: {explanation}',
  connections_full: 'New connections by {place} are refused: {count} are open, as many as there may be',
  few_open_files: '{explanation}',
  no_sandbox: 'The window runs without the sandbox of Chromium, as it must for root: start Airdesk as another user.',
  measured_seldom: 'This machine is full: picture and sound are measured every {seconds} s only',
} as const;
/** What is wrong, for programs. */
export type AlarmFault = keyof typeof FAULT_WORDS;
/** The values that belong to it. */
export type AlarmFacts = Readonly<Record<string, string | number | null>>;

/** What is wrong. */
export interface Fault {
  readonly fault: AlarmFault;
  readonly facts: AlarmFacts;
}

/** How limits are said. */
export const LIMIT_WORDS = {
  both: '{min} to {max}',
  min: 'at least {min}',
  max: 'at most {max}',
  none: 'any',
} as const;

/** How a fault is said. */
interface FaultWords {
  readonly words: Readonly<Record<AlarmFault, string>>;
  readonly limits: Readonly<Record<keyof typeof LIMIT_WORDS, string>>;
  readonly figure: (value: number) => string;
}

const ENGLISH: FaultWords = { words: FAULT_WORDS, limits: LIMIT_WORDS, figure: String };

/** Prints a fault in words, in English where no others are given. */
export function printFault({ fault, facts }: Fault, { words, limits, figure }: FaultWords = ENGLISH): string {
  const { min = null, max = null } = facts;
  const kind = min === null ? (max === null ? 'none' : 'max') : max === null ? 'min' : 'both';
  return words[fault].replace('{limits}', limits[kind]).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const fact = facts[name];
    return typeof fact === 'number' ? figure(fact) : (fact ?? '?');
  });
}
