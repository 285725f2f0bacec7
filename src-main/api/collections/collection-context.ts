import type { AdExplanation } from '../../../src-preload/contract/api/ad-objects.ts';
import type { EventSinkState } from '../../../src-preload/contract/events/sink-state.ts';
import type { ApiContext } from '../api-context.ts';
import type { ShownClips, VodFiles } from '../../control/clips/clip-port.ts';
import type { ShownExports } from '../../control/archive/export-port.ts';
import type { CaseService } from '../../control/archive/case-service.ts';
import type { WallService } from '../../control/walls/wall-service.ts';
import type { ShownAlarms } from './alarms/alarm-collection.ts';
import type { ShownAsRun } from './as-run/as-run-list.ts';
import type { AnswerStore } from './idempotent-answers.ts';
import type { Configuration } from '../../configuration/configuration.ts';

/** What it shows of VOD locations. */
type VodFolders = Pick<ApiContext, 'config' | 'fileRoot' | 'files' | 'openFiles'>;

/** What the collection API shows, and what it acts on. */
export interface CollectionContext
  extends
    VodFolders,
    Pick<
      ApiContext,
      'archive' | 'archiveFigures' | 'episodes' | 'streams' | 'stats' | 'sessions' | 'clock' | 'describe'
    > {
  readonly configuration: Configuration;
  /** Why a viewer is shown which advertisements; undefined where the stream has no such session. */
  readonly explainAds?: (name: string, sessionId: string) => AdExplanation | undefined;
  /** The log of advertisements; undefined where it is not kept. */
  readonly asRun?: ShownAsRun | undefined;
  /** The alarms; undefined where nothing is watched. */
  readonly alarms?: ShownAlarms | undefined;
  /** How an event sink does; undefined for one that does not run. */
  readonly eventSinkState?: (name: string) => EventSinkState | undefined;
  /** Where answers to requests with an Idempotency-Key outlast a restart. */
  readonly answerRepository?: AnswerStore | undefined;
  /** What of archives is exported into files; undefined where it cannot be found. */
  readonly exports?: ShownExports | undefined;
  /** Preparations of clips; undefined where there are none. */
  readonly clips?: ShownClips | undefined;
  /** What takes files into VOD locations, and removes them; undefined where nothing does. */
  readonly uploads?: Pick<VodFiles, 'put' | 'remove'> | undefined;
  /** What is gathered of archives under names. */
  readonly cases?: CaseService | undefined;
  /** The walls of the desks, and what stands on their tiles. */
  readonly walls?: WallService | undefined;
  /** When an API token was used last, epoch milliseconds; null where it was not. */
  readonly tokenUsedMs?: (name: string) => number | null;
  /** What keeps the server from serving at the moment; null while it serves. */
  readonly notReady: () => string | null;
}
