import { z } from 'zod';

/**
 * English sentences of faults, by code; facts are in braces, and `{limits}` is built from the facts `min` and `max`. Programs
 * and translations use the code and the facts, so the sentences may change.
 */
export const FAULT_TEXTS = {
  no_frames: 'No frames from any input',
  codec_not_carried:
    'The input sends {codecs}, which cannot be carried. Send H.264 or H.265 video and AAC, MP2, MP3, AC-3 or Opus audio',
  encrypted_not_carried:
    'The input sends encrypted {codecs}, which cannot be carried. Send it without encryption (DRM)',
  reserve_on_air: 'Input {input} of {count} is on air in place of input {main}. Check input {main}',
  push_failing: '{failed} of {count} pushes fail. {url}: {code}. Check the address, the key and the network',
  bitrate_out_of_range: '{value} kbit/s, expected {limits}',
  frame_rate_out_of_range: '{value} frames per second, expected {limits}',
  latency_out_of_range: 'The newest media is {value} ms old, expected {limits}',
  format_changed: 'The format was {before} and is now {now}',
  packets_damaged: 'Packets are lost or damaged on the way to the server',
  packets_missing: 'Packets of the transport stream are missing',
  clock_errors: 'Clock references (PCR) come too rarely or jump',
  not_recorded: 'Recording is configured, but the stream is not recorded',
  no_scte35: 'The expected SCTE-35 message did not arrive',
  black: 'The picture is black',
  frozen: 'The picture does not move',
  silent: 'Peak {value} dBFS',
  silent_and_frozen: 'The picture does not move; peak {value} dBFS',
  level_out_of_range: 'Peak {value} dBFS, expected {limits}',
  loudness_out_of_range: '{value} {unit}, expected {limits}',
  certificate_ends: 'The HTTPS certificate expires on {day}',
  certificate_ended: 'The HTTPS certificate has expired',
  certificate_unusable: 'The HTTPS certificate cannot be used: {explanation}',
  streams_not_recorded: 'Currently not recorded: {streams}',
  nothing_deleted: 'Nothing is deleted from archives because the database with the locks cannot be read',
  deletion_held_clock:
    'Nothing is deleted from archives: the clock of this machine jumped by {hours} hours. Check the time, then allow deletion. Otherwise deletion resumes after the clock was steady for a day',
  deletion_held_locks:
    'Nothing is deleted from archives: the lock database was lost or is an older one. {count} locks and episodes were restored from copies on the disks. Check them, then allow deletion',
  catalog_being_made:
    'Nothing is deleted from archives: the recording catalog was lost and is being rebuilt from the disks. Deletion resumes when the rebuild is finished',
  deletion_held_catalog:
    'Nothing is deleted from archives: the recording catalog was lost, and {count} disks or blocks could not be read during the rebuild. The log names them. Check the disks and rebuild the index, or allow deletion',
  catalog_closed:
    'The recording catalog cannot be opened: recordings are not listed, and nothing is deleted from archives. See the log for the reason',
  deletion_held_state:
    'Nothing is deleted from archives: the file archive-guard.json in the data folder was missing or damaged. Check locks and clock, then allow deletion',
  disks_in_use:
    'Another server uses these disks, so nothing is recorded to or deleted from them: {disks}. Stop the other server, or give one of the two other disks',
  blocks_not_copied: 'Blocks cannot be copied to another disk at the moment: {storages}',
  disk_full: 'The disk of the data folder is full: {free_mib} MiB free',
  disk_unwritable: 'Cannot write to the data folder: {explanation}',
  disk_nearly_full: 'The disk of {folder} is nearly full: {free_mib} MiB free',
  backend_silent: '{place} does not answer: {explanation}',
  sink_failing: 'Events cannot be delivered to {name}: {explanation}. {waiting} events are waiting',
  config_unreadable: 'The configuration file could not be loaded: {explanation}',
  config_open_to_all:
    'Every user of this machine can read {path}, which can contain passwords. Run: chmod o-rwx {path}',
  seal_key_lost:
    'The key file airdesk.key is missing, damaged or a different one: saved configuration versions and webhook secrets cannot be read, and no new ones are saved. Restore the file from a backup, or confirm a new key',
  log_key_lost:
    'The key file {file} is missing or damaged: existing signatures cannot be verified, and nothing is signed. Restore the file from a backup, or confirm a new key',
  history_not_kept: 'The configuration history is not saved: {explanation}',
  database_closed: 'The database could not be opened: {explanation}',
  subscribers_closed: 'The subscriber database could not be opened: {explanation}',
  port_closed: '{place} is not open: {explanation}',
  connections_full: 'New connections by {place} are refused: the limit of {count} is reached',
  few_open_files: '{explanation}',
  no_sandbox:
    'The window runs without the Chromium sandbox, because Airdesk was started as root. Start it as another user.',
  measured_seldom: 'This machine is overloaded: picture and sound are measured only every {seconds} s',
} as const;
/** Code of a fault, for programs. */
export type AlarmFault = keyof typeof FAULT_TEXTS;
/** Values that fill the sentence of a fault. */
export type AlarmFacts = Readonly<z.infer<typeof alarmFactsSchema>>;

/** Code of a fault, in alarms and their events. */
export const alarmFaultSchema = z.enum(Object.keys(FAULT_TEXTS) as [AlarmFault, ...AlarmFault[]]);
/** Values of a fault. */
export const alarmFactsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

/** Fault of an alarm: a code and its facts. */
export interface Fault {
  readonly fault: AlarmFault;
  readonly facts: AlarmFacts;
}

/** English texts of limits. */
export const LIMIT_TEXTS = {
  both: '{min} to {max}',
  min: 'at least {min}',
  max: 'at most {max}',
  none: 'any',
} as const;

/** Texts with which a fault is printed, in one language. */
interface FaultTexts {
  readonly templates: Readonly<Record<AlarmFault, string>>;
  readonly limits: Readonly<Record<keyof typeof LIMIT_TEXTS, string>>;
  readonly figure: (value: number) => string;
}

const ENGLISH: FaultTexts = { templates: FAULT_TEXTS, limits: LIMIT_TEXTS, figure: String };

/** Prints a fault as a sentence; in English unless other texts are given. */
export function printFault({ fault, facts }: Fault, { templates, limits, figure }: FaultTexts = ENGLISH): string {
  const { min = null, max = null } = facts;
  const kind = min === null ? (max === null ? 'none' : 'max') : max === null ? 'min' : 'both';
  return templates[fault].replace('{limits}', limits[kind]).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const fact = facts[name];
    return typeof fact === 'number' ? figure(fact) : (fact ?? '?');
  });
}
