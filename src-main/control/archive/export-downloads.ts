import { randomBytes } from 'node:crypto';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ShownExport } from './export-port.ts';

/** An address is good for so long, in milliseconds: a download that breaks off may go on. */
const PATIENCE_MS = 3_600_000;
/** Addresses that are good at once; of more the oldest ends. */
const MOST_TICKETS = 1000;

/** Files of exports that are downloaded. Each is announced first, which gives a ticket; so a browser that follows the address needs no other right. */
export class ExportDownloads {
  readonly #clock: Clock;
  readonly #tickets = new Map<string, { readonly path: string; readonly endMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Announces a file of an export, counted from 0. Raises `export_not_done`, and `not_found` where it has no such file. @returns the ticket */
  announce({ id, status, files }: Pick<ShownExport, 'id' | 'status' | 'files'>, number: number): string {
    if (status !== 'done') throw new AirdeskError('export_not_done', `The export ${id} is not done`);
    const file = files[number];
    if (!file) throw new AirdeskError('not_found', `The export ${id} has ${files.length} files`);
    const ticket = randomBytes(18).toString('base64url');
    const nowMs = this.#clock.now();
    this.#tickets.set(ticket, { path: file.path, endMs: nowMs + PATIENCE_MS });
    const [oldest] = this.#tickets.keys();
    if (this.#tickets.size > MOST_TICKETS && oldest !== undefined) this.#tickets.delete(oldest);
    return ticket;
  }

  /** Where the file of a ticket lies. Raises `not_found`. */
  pathOf(ticket: string): string {
    const found = this.#tickets.get(ticket);
    if (!found || found.endMs <= this.#clock.now())
      throw new AirdeskError('not_found', 'This download was not announced, or more than an hour ago');
    return found.path;
  }
}
