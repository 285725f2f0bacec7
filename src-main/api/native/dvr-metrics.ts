import type { DiskState, StorageState } from '../../control/archive/archive-figures.ts';
import type { ApiContext } from '../endpoints/api-context.ts';
import { single, typeOf, type MetricFamily, type MetricSample } from '../metrics/metrics.ts';
import { configuredStreams, diskStatus } from '../objects/dvr-objects.ts';

/** Maximum number of disks that have their own values: the first disks of the configuration. */
const MAX_DISKS = 1000;

/** Metric; its name without `airdesk_dvr_`. */
type Reading<T> = readonly [name: string, help: string, read: (from: T) => number | undefined];

/**
 * Metrics of storages, labelled with their names. Folders that streams configure without a storage are added up under an empty
 * label.
 */
const STORAGES: readonly Reading<StorageState>[] = [
  ['storage_streams', 'Streams with recordings on the storage', ({ streams }) => streams],
  ['storage_streams_recording', 'Streams being recorded to the storage', ({ recording }) => recording],
  ['finished_blocks_total', 'Finished blocks', ({ finishedBlocks }) => finishedBlocks],
  ['finished_bytes_total', 'Bytes of finished blocks', ({ finishedBytes }) => finishedBytes],
  ['holes_total', 'Interruptions of recordings', ({ gaps }) => gaps],
  ['hole_seconds_total', 'Length of the gaps in interrupted recordings', ({ gapMs }) => gapMs / 1000],
];

/**
 * Metrics of disks, labelled with storage and path. Folders that streams configure without a storage are added up under empty
 * labels.
 */
const DISKS: readonly Reading<readonly DiskState[]>[] = [
  [
    'disk_up',
    'Whether the disk works: 0 while it is full, not mounted, fails or does not answer',
    (disks) => Number(disks.every((disk) => ['ok', 'unknown'].includes(diskStatus(disk)))),
  ],
  ['disk_size_bytes', 'Size of the file system; absent while it cannot be measured', room((of) => of.totalBytes)],
  ['disk_free_bytes', 'Free space of the file system', room((of) => of.freeBytes)],
  ['disk_archive_bytes', 'Size of the finished blocks on the disk', sum(({ bytes }) => bytes)],
  ['disk_blocks', 'Number of finished blocks on the disk', sum(({ blocks }) => blocks)],
  ['disk_queue_bytes', 'Data that waits for the disk or is being written', sum(({ waitingBytes }) => waitingBytes)],
  ['disk_written_bytes_total', 'Bytes written', sum(({ figures }) => figures.writtenBytes)],
  ['disk_writes_total', 'Synchronous writes', sum(({ figures }) => figures.writes)],
  ['disk_write_seconds_total', 'Total time of the writes', sum(({ figures }) => figures.writingMs / 1000)],
  [
    'disk_slowest_write_seconds',
    'Longest write of the last one to two minutes',
    (disks) => Math.max(0, ...disks.map(({ figures }) => figures.slowestWriteMs)) / 1000,
  ],
  ['disk_late_writes_total', 'Writes that waited longer than two seconds', sum(({ figures }) => figures.lateWrites)],
  ['disk_failed_blocks_total', 'Blocks that could not be continued', sum(({ figures }) => figures.failedBlocks)],
];

/** Metrics of archives. Counters start at 0 with the server. */
export async function dvrMetrics({
  config,
  streams,
  archiveFigures,
}: Pick<ApiContext, 'config' | 'streams' | 'archiveFigures'>): Promise<MetricFamily[]> {
  await archiveFigures?.refresh();
  const recording = streams.list().filter(({ isRecording }) => isRecording).length;
  const counts = [
    single('airdesk_dvr_storages', 'Storages for archives in the configuration', config().dvrs.size),
    single('airdesk_dvr_streams_configured', 'Streams with a dvr directive', configuredStreams(streams)),
    single('airdesk_dvr_streams_recording', 'Streams that are being recorded', recording),
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
    single('airdesk_dvr_streams_archived', 'Streams with recordings, configured or not', state.streams),
    single(
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
  return readings.map(([name, help, read]) => ({
    name: `airdesk_dvr_${name}`,
    type: typeOf(name),
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
