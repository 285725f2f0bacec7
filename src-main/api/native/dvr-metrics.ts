import type { DiskState, StorageState } from '../../control/archive/archive-figures.ts';
import type { ApiContext } from '../endpoints/api-context.ts';
import { single, type MetricFamily, type MetricSample } from '../metrics/metrics.ts';
import { configuredStreams, diskStatus } from '../objects/dvr-objects.ts';

/** Maximum number of disks that have their own values: the first disks of the configuration. */
const MAX_DISKS = 1000;

type Reading<T> = readonly [
  name: string,
  type: MetricFamily['type'],
  help: string,
  read: (from: T) => number | undefined,
];

/**
 * Metrics of storages, labelled with their names. Folders that streams configure without a storage are added up under an empty
 * label.
 */
const STORAGES: readonly Reading<StorageState>[] = [
  ['airdesk_dvr_storage_streams', 'gauge', 'Streams with recordings on the storage', ({ streams }) => streams],
  [
    'airdesk_dvr_storage_streams_recording',
    'gauge',
    'Streams being recorded to the storage',
    ({ recording }) => recording,
  ],
  ['airdesk_dvr_finished_blocks_total', 'counter', 'Finished blocks', ({ finishedBlocks }) => finishedBlocks],
  ['airdesk_dvr_finished_bytes_total', 'counter', 'Bytes of finished blocks', ({ finishedBytes }) => finishedBytes],
  ['airdesk_dvr_holes_total', 'counter', 'Interruptions of recordings', ({ gaps }) => gaps],
  [
    'airdesk_dvr_hole_seconds_total',
    'counter',
    'Length of the gaps in interrupted recordings',
    ({ gapMs }) => gapMs / 1000,
  ],
];

/**
 * Metrics of disks, labelled with storage and path. Folders that streams configure without a storage are added up under empty
 * labels.
 */
const DISKS: readonly Reading<readonly DiskState[]>[] = [
  [
    'airdesk_dvr_disk_up',
    'gauge',
    'Whether the disk works: 0 while it is full, not mounted, fails or does not answer',
    (disks) => Number(disks.every((disk) => ['ok', 'unknown'].includes(diskStatus(disk)))),
  ],
  [
    'airdesk_dvr_disk_size_bytes',
    'gauge',
    'Size of the file system; absent while it cannot be measured',
    room((of) => of.totalBytes),
  ],
  ['airdesk_dvr_disk_free_bytes', 'gauge', 'Free space of the file system', room((of) => of.freeBytes)],
  ['airdesk_dvr_disk_archive_bytes', 'gauge', 'Size of the finished blocks on the disk', sum(({ bytes }) => bytes)],
  ['airdesk_dvr_disk_blocks', 'gauge', 'Number of finished blocks on the disk', sum(({ blocks }) => blocks)],
  [
    'airdesk_dvr_disk_queue_bytes',
    'gauge',
    'Data that waits for the disk or is being written',
    sum(({ waitingBytes }) => waitingBytes),
  ],
  ['airdesk_dvr_disk_written_bytes_total', 'counter', 'Bytes written', sum(({ figures }) => figures.writtenBytes)],
  ['airdesk_dvr_disk_writes_total', 'counter', 'Synchronous writes', sum(({ figures }) => figures.writes)],
  [
    'airdesk_dvr_disk_write_seconds_total',
    'counter',
    'Total time of the writes',
    sum(({ figures }) => figures.writingMs / 1000),
  ],
  [
    'airdesk_dvr_disk_slowest_write_seconds',
    'gauge',
    'Longest write of the last one to two minutes',
    (disks) => Math.max(0, ...disks.map(({ figures }) => figures.slowestWriteMs)) / 1000,
  ],
  [
    'airdesk_dvr_disk_late_writes_total',
    'counter',
    'Writes that waited longer than two seconds',
    sum(({ figures }) => figures.lateWrites),
  ],
  [
    'airdesk_dvr_disk_failed_blocks_total',
    'counter',
    'Blocks that could not be continued',
    sum(({ figures }) => figures.failedBlocks),
  ],
];

/** Metrics of archives. Counters start at 0 with the server. */
export async function dvrMetrics({
  config,
  streams,
  archiveFigures,
}: Pick<ApiContext, 'config' | 'streams' | 'archiveFigures'>): Promise<MetricFamily[]> {
  await archiveFigures?.refresh();
  const recording = streams.list().filter(({ isRecording }) => isRecording).length;
  const one = (name: string, help: string, value: number): MetricFamily => single('gauge', name, help, value);
  const counts = [
    one('airdesk_dvr_storages', 'Storages for archives in the configuration', config().dvrs.size),
    one('airdesk_dvr_streams_configured', 'Streams with a dvr directive', configuredStreams(streams)),
    one('airdesk_dvr_streams_recording', 'Streams that are being recorded', recording),
  ];
  const state = archiveFigures?.state;
  if (!state) return counts;
  const { storages, own } = state;
  const disks = storages
    .flatMap(({ name, disks: list }) =>
      list.map((disk) => ({ labels: { storage: name ?? '', disk: disk.path }, of: [disk] })),
    )
    .slice(0, MAX_DISKS);
  const others = own.disks.length > 0 ? [{ labels: { storage: '', disk: '' }, of: own.disks }] : [];
  return [
    ...counts,
    one('airdesk_dvr_streams_archived', 'Streams with recordings, configured or not', state.streams),
    one(
      'airdesk_dvr_disks',
      'Disks of storages',
      storages.reduce((count, { disks: list }) => count + list.length, 0),
    ),
    ...families(
      STORAGES,
      [...storages, own].map((of) => ({ labels: { storage: of.name ?? '' }, of })),
    ),
    ...families(DISKS, [...disks, ...others]),
  ];
}

function families<T>(
  readings: readonly Reading<T>[],
  sources: readonly { readonly labels: MetricSample['labels']; readonly of: T }[],
): MetricFamily[] {
  return readings.map(([name, type, help, read]) => ({
    name,
    type,
    help,
    samples: sources.flatMap(({ labels, of }) => {
      const value = read(of);
      return value === undefined ? [] : [{ labels, value }];
    }),
  }));
}

/**
 * Reads the space of a single disk; undefined for several folders, because folders that streams configure without a storage may
 * share a file system.
 */
function room(
  read: (of: NonNullable<DiskState['space']>) => number,
): (disks: readonly DiskState[]) => number | undefined {
  return ([disk, ...others]) => (disk?.space && others.length === 0 ? read(disk.space) : undefined);
}

function sum(read: (disk: DiskState) => number): (disks: readonly DiskState[]) => number {
  return (disks) => disks.reduce((total, disk) => total + read(disk), 0);
}
