import type { SessionRow } from '../../../src-preload/contract/operations/session-calls.ts';
import { csvLine } from '../../lib/csv.ts';
import { saveFile } from '../../ui/save-file.ts';

/** Saves viewers as a CSV file. */
export function saveViewers(sessions: readonly SessionRow[]): void {
  const head = ['name', 'protocol', 'user', 'ip', 'country', 'opened', 'bytes', 'user_agent'];
  const lines = sessions.map((session) =>
    csvLine([
      session.name,
      session.proto,
      session.user_id,
      session.ip,
      session.country,
      session.opened_at === null ? '' : new Date(session.opened_at).toISOString(),
      session.bytes,
      session.user_agent,
    ]),
  );
  saveFile([csvLine(head), ...lines], 'viewers.csv', 'text/csv');
}
