import type { EventSinkState } from '../../../src-preload/contract/api/sink-state.ts';
import type { ApiContext } from '../endpoints/api-context.ts';
import type { ShownClips, VodFiles } from '../../control/clips/clip-port.ts';
import type { ShownExports } from '../../control/archive/export-port.ts';
import type { CaseService } from '../../control/archive/case-service.ts';
import type { PeopleServices } from '../../control/system/people-operations.ts';
import type { WallService } from '../../control/walls/wall-service.ts';
import type { AlarmService } from '../../control/alarms/alarm-service.ts';
import type { AsRunLog } from '../../control/advertising/as-run-log.ts';
import type { StreamServices } from '../../control/stream-operations.ts';
import type { AnswerStore } from '../endpoints/idempotent-answers.ts';
import type { Configuration } from '../../configuration/configuration.ts';

type VodFolders = Pick<ApiContext, 'config' | 'fileRoot' | 'files' | 'openFiles'>;

export interface CollectionContext
  extends
    VodFolders,
    Pick<StreamServices, 'explainAds' | 'probes'>,
    Pick<
      ApiContext,
      'archive' | 'archiveFigures' | 'episodes' | 'streams' | 'stats' | 'sessions' | 'clock' | 'describe'
    > {
  readonly configuration: Configuration;
  readonly asRun: Pick<AsRunLog, 'page' | 'rows' | 'count' | 'export' | 'publicKey'>;
  readonly alarms: AlarmService;
  /** State of an event sink; undefined if the sink does not run. */
  readonly eventSinkState?: (name: string) => EventSinkState | undefined;
  /** Persistent store of answers to requests with an Idempotency-Key. */
  readonly answerRepository?: AnswerStore | undefined;
  /** Exports of archives into files; undefined if exports are unavailable. */
  readonly exports?: ShownExports | undefined;
  /** Conversions of clips. */
  readonly clips: ShownClips;
  /** Upload and removal of files in VOD locations. */
  readonly uploads: Pick<VodFiles, 'put' | 'remove'>;
  /** Named collections of archive ranges. */
  readonly cases: CaseService;
  /** Walls of the desks, and the labels of their tiles. */
  readonly walls: WallService;
  /** Named logins and sessions of desks. */
  readonly logins: PeopleServices;
  /** Last use of an API token, epoch milliseconds; null if it was never used. */
  readonly tokenUsedMs?: (name: string) => number | null;
  /** Reason why the server is not ready; null while it is. */
  readonly notReady: () => string | null;
}
