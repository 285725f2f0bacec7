import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pause, type BenchContext } from '../context.ts';
import { RECORDING_APP as APP, recordingFolder } from '../nginx-peer.ts';
import { startReplay } from '../replay.ts';
import { alternate, rowsOf } from '../rounds.ts';
import type { Row } from '../row.ts';

/** Number of streams of one export, which is the maximum. */
const STREAMS = 16;
const RECORDED_MS = 60_000;
const QUICK_RECORDED_MS = 30_000;
/** Polling interval for the end of an export, in milliseconds. */
const POLL_MS = 20;

interface Job {
  readonly id: string;
  readonly status: string;
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  readonly started_at: number;
  readonly finished_at: number;
}

/**
 * Exports archives of several streams as MP4 files. The peer is ffmpeg, which copies these files (`-c copy`) one after
 * another, like the export.
 */
export async function exports(context: BenchContext): Promise<Row[]> {
  const clips = join(recordingFolder(), 'clips');
  const peerFolder = join(recordingFolder(), 'copies');
  for (const folder of [clips, peerFolder]) mkdirSync(folder, { recursive: true });
  const ours = await context.ours.start(
    `live ${APP} { dvr ${join(recordingFolder(), 'archive')}; }\nvod clips { storage ${clips}; }`,
  );
  try {
    const from = Date.now() + 4000;
    const replay = await startReplay({
      flv: context.media.flv,
      port: ours.rtmpPort,
      app: APP,
      prefix: 'cam',
      count: STREAMS,
    });
    context.say(`export: ${STREAMS} streams are recorded`);
    const recordedMs = context.isQuick ? QUICK_RECORDED_MS : RECORDED_MS;
    await pause(recordedMs);
    await replay.stop();
    const address = `http://127.0.0.1:${ours.httpPort}/streamer/api/v3/dvr_export_jobs`;
    const names = Array.from({ length: STREAMS }, (_, at) => `${APP}/cam${at + 1}`);
    let files: Job['files'] = [];
    const measured = await alternate(context, {
      title: 'export',
      count: context.isQuick ? 3 : 5,
      ours: async (round) => {
        const job = await exported(address, { names, from, duration: recordedMs - 6000, path: `clips/${round}` });
        ({ files } = job);
        const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
        return bytes / 1000 / Math.max(1, job.finished_at - job.started_at);
      },
      peer: async (round) => {
        const before = performance.now();
        let copied = 0;
        for (const [at, { path }] of files.entries()) {
          const copy = join(peerFolder, `${round}-${at}.mp4`);
          execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-map', '0', '-c', 'copy', copy]);
          copied += statSync(copy).size;
        }
        return copied / 1000 / (performance.now() - before);
      },
    });
    return rowsOf('export', measured, [
      {
        name: `${STREAMS} streams into MP4 files`,
        unit: 'MB/s',
        better: 'higher',
        target: { ofPeer: 0.8 },
        note: 'with SHA-256, synced to disk; peer: ffmpeg -c copy',
        of: (rate) => rate,
      },
    ]);
  } finally {
    await ours.stop();
    rmSync(recordingFolder(), { recursive: true, force: true });
  }
}

/** Requests an export and waits for its end. */
async function exported(address: string, body: object): Promise<Job> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
  let job = (await response.json()) as Job;
  if (!response.ok) throw new Error(`the export was refused: ${JSON.stringify(job)}`);
  while (job.status !== 'done') {
    if (job.status === 'failed') throw new Error(`the export failed: ${JSON.stringify(job)}`);
    await pause(POLL_MS);
    job = (await (await fetch(`${address}/${job.id}`)).json()) as Job;
  }
  return job;
}
