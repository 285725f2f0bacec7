import type { NativeDvrCatalog } from '../../../src-preload/contract/api/native.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { ApiContext } from '../api-context.ts';
import type { MetricFamily } from '../metrics/metrics.ts';

/** What is recorded: nothing, as this version keeps no list of it. */
export function nativeDvrCatalog(): NativeDvrCatalog {
  return { streams: [], estimated_count: 0, next: null, prev: null };
}

/** The metrics of archives. */
export function dvrMetrics({ config, streams }: Pick<ApiContext, 'config' | 'streams'>): MetricFamily[] {
  const configured = streams
    .list()
    .filter(({ settings }) => settings.dvr !== null || settings.dvrOffline !== null).length;
  const recording = streams.list().filter(({ isRecording }) => isRecording).length;
  return [
    {
      name: 'airdesk_dvr_storages',
      type: 'gauge',
      help: 'Storages for archives in the configuration',
      samples: [{ labels: {}, value: config().dvrs.size }],
    },
    {
      name: 'airdesk_dvr_streams_configured',
      type: 'gauge',
      help: 'Streams with a dvr directive',
      samples: [{ labels: {}, value: configured }],
    },
    {
      name: 'airdesk_dvr_streams_recording',
      type: 'gauge',
      help: 'Streams that are being recorded',
      samples: [{ labels: {}, value: recording }],
    },
  ];
}

/** Starts a job on the archives. Raises `archive_not_kept` as long as none is kept. */
export function startDvrJob(): never {
  throw new AirdeskError(
    'archive_not_kept',
    'This version keeps no catalog of archives, so there is nothing to work on',
  );
}

/** The state or the end of a job on the archives. Raises `job_not_found`, because none can have been started. */
export function findDvrJob(): never {
  throw new AirdeskError('job_not_found');
}
