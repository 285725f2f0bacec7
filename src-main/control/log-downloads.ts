import type { LOG_DOWNLOADS } from '../../src-preload/contract/operations/log-downloads.ts';
import type { Tickets } from '../lib/tickets.ts';
import type { Handlers } from '../operators/handlers.ts';
import { rowsInScope } from '../operators/require.ts';
import type { AsRunLog } from './advertising/as-run-log.ts';
import type { AlarmService } from './alarms/alarm-service.ts';
import { loudnessReport } from './alarms/loudness-report.ts';

/** File that is created while it is sent. */
export interface LogFile {
  readonly name: string;
  readonly type: string;
  /** Whether a browser shows the file instead of saving it. */
  readonly isShown: boolean;
  /** Creates the content. Raises why it cannot be read. */
  open(): Promise<AsyncIterable<string>>;
}

/** Files of logs that were offered for download. */
export type LogDownloads = Tickets<LogFile>;

export interface LogDownloadDeps {
  readonly asRun: Pick<AsRunLog, 'exportFiltered' | 'publicKey'>;
  readonly alarms: Pick<AlarmService, 'exportFiltered' | 'loudness'>;
  readonly logDownloads: LogDownloads;
  readonly downloadPath: (ticket: string) => string;
}

/** Downloads of the history of alarms, of reports of loudness, and of the log of advertisements. */
export function logDownloads({
  asRun,
  alarms,
  logDownloads: tickets,
  downloadPath,
}: LogDownloadDeps): Handlers<typeof LOG_DOWNLOADS> {
  /** Offers a file, after a check that it can be read. */
  const offer = async (name: string, type: string, open: LogFile['open']): Promise<{ path: string }> => {
    await open();
    return { path: downloadPath(tickets.issue({ name, type, isShown: type.startsWith('text/html'), open })) };
  };
  const typeOf = (format: 'csv' | 'jsonl'): string =>
    format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson';
  return {
    'alarms.download_history': ({ format, ...filter }, { caller }) =>
      offer(`alarms.${format}`, typeOf(format), async () => alarms.exportFiltered(format, filter, caller)),
    'alarms.download_loudness': ({ name, day }, { caller }) =>
      offer(`loudness-${name.replaceAll('/', '-')}-${day}.html`, 'text/html; charset=utf-8', async () =>
        pieces(loudnessReport(await alarms.loudness.day(name, Date.parse(`${day}T00:00:00Z`), caller))),
      ),
    'ads.download_as_run': ({ format, ...filter }, { caller }) =>
      offer(`as-run.${format}`, typeOf(format), () =>
        asRun.exportFiltered(format, filter, rowsInScope(caller, 'stream')),
      ),
    'ads.download_key': () =>
      offer('as-run-key.pem', 'application/x-pem-file', async () => pieces(await asRun.publicKey())),
  };
}

async function* pieces(text: string): AsyncGenerator<string> {
  yield text;
}
