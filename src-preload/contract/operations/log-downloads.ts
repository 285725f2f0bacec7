import { z } from 'zod';
import { text } from '../api/api-parts.ts';
import { streamNameSchema } from '../api/streams.ts';
import { ALARM_OPERATIONS } from './alarms.ts';
import { ARCHIVE_OPERATIONS } from './archive-operations.ts';
import { reads, type OperationTable } from './operation.ts';
import { STREAM_OPERATIONS } from './streams.ts';

const format = z.enum(['csv', 'jsonl']).describe('CSV with a header line, or JSON Lines');
const download = z.object({ path: text('path for the download: valid for one hour, without a login') });
const place = { limit: true, before: true } as const;

/**
 * Files of logs for the desk. Its pages have no login for the addresses of the HTTP API, so each call returns an address that
 * needs none.
 */
export const LOG_DOWNLOADS = {
  'alarms.download_history': {
    ...reads('view', 'visible'),
    sameAs: ['alarm_history_export'],
    input: ALARM_OPERATIONS['alarms.history'].input.omit(place).extend({ format }),
    output: download,
  },
  'alarms.download_loudness': {
    ...reads('view', 'stream'),
    sameAs: ['stream_loudness_report'],
    input: ARCHIVE_OPERATIONS['loudness.report'].input.extend({ name: streamNameSchema }),
    output: download,
  },
  'ads.download_as_run': {
    ...reads('operate', 'visible'),
    sameAs: ['as_run_export'],
    input: STREAM_OPERATIONS['ads.as_run'].input.omit(place).extend({ format }),
    output: download,
  },
  'ads.download_key': {
    ...reads('operate', 'visible'),
    sameAs: ['as_run_public_key'],
    input: z.object({}),
    output: download,
  },
} as const satisfies OperationTable;
