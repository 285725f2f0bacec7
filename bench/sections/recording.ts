import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { scanBlock, type ScannedBlock } from '../../src-main/dvr/block/block-scan.ts';
import { endOf } from '../../src-main/dvr/recovery.ts';
import { pause, type BenchContext } from '../context.ts';
import { freePort } from '../free-port.ts';
import { RECORDING_APP as APP, recordingFolder } from '../nginx-peer.ts';
import { startProbedServer } from '../probed-server.ts';
import { switchedCosts } from '../recording-switch.ts';
import { startReplay } from '../replay.ts';
import { figuresOf, median, type Row } from '../row.ts';
import { measure } from './ingest.ts';
import { partAges } from './latency.ts';

const ROUNDS = 3;
/** Time in which turns are measured, in milliseconds: over a minute, so that a block of each stream ends in it. */
const TURNS_MS = 70_000;
const QUICK_TURNS_MS = 10_000;
const SECTION = { section: 'recording', better: 'lower' } as const;
/** Maximum processor seconds for recording one stream per minute. */
const MAX_CPU = 0.05;

/**
 * Measures recording: its processor time compared with a server without recording and with the peer, the bytes on disk, the
 * delay of live parts, and the turns of the server thread.
 */
export async function recording(context: BenchContext): Promise<Row[]> {
  const count = context.counts.at(-1) ?? 1;
  const streams = `live ${APP} { dvr ${recordingFolder()}; }`;
  const rounds = context.isQuick ? 1 : ROUNDS;
  const costs = { ours: [] as number[], peer: [] as number[] };
  const ages = { plain: [] as number[], recorded: [] as number[] };
  const written: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const cpu = async (kind = context.ours, isRecorded = false): Promise<number> =>
      (await measure(context, kind, count, 'one', isRecorded ? { app: APP, streams } : {})).cpuPerStreamMinute;
    costs.ours.push(-(await cpu()) + (await cpu(context.ours, true)));
    written.push(await overhead());
    if (context.peer) costs.peer.push(-(await cpu(context.peer)) + (await cpu(context.peer, true)));
    clear();
    ages.plain.push(median(await partAges(context, { app: 'live', streams })));
    ages.recorded.push(median(await partAges(context, { app: APP, streams })));
    clear();
  }
  const switched = await switchedCosts(context, count, rounds);
  clear();
  return [
    {
      ...SECTION,
      name: `CPU of recording, ${count} RTMP publishers of 4 Mbit/s`,
      unit: 's/stream-min',
      ...figuresOf(costs.ours, context.peer ? costs.peer : []),
      note: 'difference between two servers, with and without recording',
    },
    {
      ...SECTION,
      name: 'the same, one server with recording switched on and off',
      unit: 's/stream-min',
      ...figuresOf(switched),
      target: MAX_CPU,
    },
    {
      ...SECTION,
      name: 'bytes on disk per byte of media',
      unit: '',
      ...figuresOf(written),
      target: 1.02,
    },
    {
      ...SECTION,
      name: 'first picture sent to part received, median, recorded',
      unit: 'ms',
      ...figuresOf(ages.recorded, ages.plain),
      note: 'peer: ours without recording',
    },
    ...(await turns(context, count)),
  ];
}

/** Measures the turns of the server thread while streams are recorded, and the media that is not yet on disk. */
async function turns(context: BenchContext, count: number): Promise<Row[]> {
  context.say(`recording: turns of the server thread, ${count} publishers`);
  const rtmpPort = await freePort();
  const server = await startProbedServer(
    context,
    'recording',
    `rtmp 127.0.0.1:${rtmpPort};\nlive ${APP} { dvr ${recordingFolder()}; }`,
  );
  try {
    const replay = await startReplay({ flv: context.media.flv, port: rtmpPort, app: APP, prefix: 'cam', count });
    await pause(5000);
    const before = await mediaAgeMs(count);
    const { workMs, turnMs } = await server.measured(() => pause(context.isQuick ? QUICK_TURNS_MS : TURNS_MS));
    const after = await mediaAgeMs(count);
    await replay.stop();
    return [
      {
        ...SECTION,
        name: `longest turn of the server thread, ${count} streams recorded, CPU without garbage collection`,
        unit: 'ms',
        ours: workMs,
        target: 10,
        note: `${turnMs.toFixed(1)} with it`,
      },
      {
        ...SECTION,
        name: `media not yet on disk, ${count} streams`,
        unit: 'ms',
        ours: after,
        note: `${Math.round(before)} after 5 s`,
      },
    ];
  } finally {
    await server.stop();
    clear();
  }
}

function clear(): void {
  rmSync(recordingFolder(), { recursive: true, force: true });
}

/** Files of blocks, of one stream or of all, oldest first. */
function files(stream = ''): string[] {
  const folder = join(recordingFolder(), APP, stream);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mp4'));
  return names.sort().map((name) => join(folder, name));
}

async function scan(path: string): Promise<ScannedBlock | undefined> {
  const bytes = readFileSync(path);
  const read = async (offset: number, sizeBytes: number): Promise<Uint8Array> => {
    if (offset + sizeBytes > bytes.length) throw new RangeError('the file is shorter');
    return Promise.resolve(bytes.subarray(offset, offset + sizeBytes));
  };
  return scanBlock({ read }, bytes.length);
}

/** Bytes on disk per byte of media. */
async function overhead(): Promise<number> {
  let [onDisk, media] = [0, 0];
  for (const path of files()) {
    const block = await scan(path);
    onDisk += statSync(path).size;
    for (const { pieces } of block?.index.segments ?? []) for (const { sizeBytes } of pieces) media += sizeBytes;
  }
  return onDisk / media;
}

/** Median age of the newest recorded media of up to five streams, in milliseconds. */
async function mediaAgeMs(count: number): Promise<number> {
  const found: number[] = [];
  for (let stream = 1; stream <= count; stream += Math.ceil(count / 5)) {
    const path = files(`cam${stream}`).at(-1);
    const atMs = Date.now();
    const block = path === undefined ? undefined : await scan(path);
    if (block) found.push(atMs - endOf(block.head, block.index));
  }
  return median(found);
}
