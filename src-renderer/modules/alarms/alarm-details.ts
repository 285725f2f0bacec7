import { DETAILS } from './texts.ts';

/** What the server says of an alarm, sentence by sentence: what varies in each is a group. */
const FORMS = {
  noFrame: /^No frame comes from any input$/,
  bitrate: /^(\S+) kbit\/s, wanted (.+)$/,
  fps: /^(\S+) frames a second, wanted (.+)$/,
  latency: /^The newest media is (\S+) ms old, wanted (.+)$/,
  format: /^(.+) became (.+)$/,
  notRecorded: /^It is to be recorded, and is not$/,
  noScte35: /^No SCTE-35 message came$/,
  packets: /^Packets are lost or damaged on the way to the server$/,
  continuity: /^Packets of the transport stream are missing$/,
  pcr: /^Clock references \(PCR\) come too seldom, or jump$/,
  black: /^The picture is black$/,
  frozen: /^The picture does not move$/,
  silentFrozen: /^The picture does not move; peak (\S+) dBFS$/,
  level: /^Peak (\S+) dBFS, wanted (.+)$/,
  peak: /^Peak (\S+) dBFS$/,
  loudness: /^(\S+) (LUFS|LU|dBTP), wanted (.+)$/,
  backend: /^(.+) does not answer: (.+)$/,
  nearlyFull: /^The disk of (.+) is nearly full: (\d+) MiB are free$/,
  readable: /^Every user of this machine may read (.+), and there may be passwords in it: chmod o-rwx .+$/,
  fullDisk: /^The disk of the data folder is full: (\d+) MiB are free$/,
  portTaken: /^listen EADDRINUSE: address already in use (.+)$/,
  notNow: /^Not recorded at the moment: (.+)$/,
  busy: /^This machine is full: picture and sound are measured every (\d+) s only$/,
  sink: /^Sink (.+): (.+); (\d+) events wait$/,
} as const;

/** What the server says of an alarm, in the language of the desk; sentences that it took from elsewhere stay as they are. */
export function alarmDetail(detail: string): string {
  for (const [form, pattern] of Object.entries(FORMS)) {
    const groups = pattern.exec(detail)?.slice(1);
    // The forms are named as their words are.
    if (groups) return DETAILS[form as keyof typeof FORMS](...groups.map(limits));
  }
  return detail;
}

/** What was wanted. */
function limits(words: string): string {
  const [, low] = /^at least (\S+)$/.exec(words) ?? [];
  if (low !== undefined) return DETAILS.atLeast(low);
  const [, high] = /^at most (\S+)$/.exec(words) ?? [];
  if (high !== undefined) return DETAILS.atMost(high);
  const [, from, to] = /^(-?[\d.]+) to (-?[\d.]+)$/.exec(words) ?? [];
  return from === undefined ? words : DETAILS.between(from, to);
}
