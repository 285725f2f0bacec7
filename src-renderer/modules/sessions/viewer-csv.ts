import type { SessionRow } from '../../../src-preload/contract/session-calls.ts';
import { csvLine } from '../../lib/csv.ts';
import { saveFile } from '../../ui/save-file.ts';

/** Saves viewers as a CSV file. */
export function saveViewers(sessions: readonly SessionRow[]): void {
  const head = ['name', 'protocol', 'user', 'ip', 'country', 'opened', 'bytes', 'user_agent'];
  const lines = sessions.map((one) =>
    csvLine([
      one.name,
      one.proto,
      one.user_id,
      one.ip,
      one.country,
      one.opened_at === null ? '' : new Date(one.opened_at).toISOString(),
      one.bytes,
      one.user_agent,
    ]),
  );
  saveFile([csvLine(head), ...lines], 'viewers.csv', 'text/csv');
}
