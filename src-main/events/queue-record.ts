import { crc32 } from 'node:zlib';

/** One event in the queue of a sink. */
export interface QueueRecord {
  /** Number of the record in its queue, from 1. */
  readonly seq: number;
  /** The event as JSON. */
  readonly text: string;
}

/** Maximum length of a line of a queue, in bytes. */
export const MAX_RECORD_BYTES = 128 * 1024;

const HEAD = /^([0-9a-f]{8}) ([0-9]{1,16}) /;

/** Formats a record as a line of a queue file: checksum, number and text, with the line feed. */
export function writeRecord({ seq, text }: QueueRecord): string {
  const body = `${seq} ${text}`;
  return `${crc32(body).toString(16).padStart(8, '0')} ${body}\n`;
}

/** Parses a line without its line feed; undefined for a damaged one. */
export function readRecord(line: Buffer): QueueRecord | undefined {
  const text = line.toString('utf8');
  const head = HEAD.exec(text);
  if (!head?.[1] || !head[2]) return undefined;
  if (Number.parseInt(head[1], 16) !== crc32(text.slice(9))) return undefined;
  return { seq: Number(head[2]), text: text.slice(head[0].length) };
}
