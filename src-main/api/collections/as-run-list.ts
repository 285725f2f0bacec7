import {
  AS_RUN_FIELDS,
  asRunObjectSchema,
  type AsRunObject,
} from '../../../src-preload/contract/api/as-run/as-run-object.ts';
import type { AsRunLog } from '../../control/advertising/as-run-log.ts';
import { LogList } from './generic/log-list.ts';

export type ShownAsRun = Pick<AsRunLog, 'rows' | 'count' | 'export' | 'publicKey'>;

/** Log of advertisements as a list. */
export const AS_RUN_LIST = new LogList<AsRunObject>('as_run', 'sent_at', AS_RUN_FIELDS, asRunObjectSchema);
