import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pause, type BenchContext } from '../context.ts';
import { HttpPlayer } from '../http-player.ts';
import { startReplay } from '../replay.ts';
import { median, percentile, spreadOf, type Row } from '../row.ts';
import type { Target } from '../target.ts';

const STREAMS = 4;
/** Interval of requests for each stream, in milliseconds: its playlist, and the newest segment. */
const REQUEST_MS = 40;
const ROUND_MS = 10_000;
const QUICK_ROUND_MS = 4000;
/** Duration of the film that becomes a clip, in seconds: longer than a round. */
const FILM_S = 120;

const API = '/streamer/api/v3';

/**
 * Delay of live delivery while a clip is converted, compared with the delay without a conversion in the same rounds.
 */
export async function clips(context: BenchContext): Promise<Row[]> {
  const folder = join(context.workFolder, 'clips');
  mkdirSync(folder, { recursive: true });
  const film = ['-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=25:duration=${FILM_S}`];
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${FILM_S}`];
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', join(folder, 'film.mp4')];
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-nostdin', ...film, ...sound, ...coding]);
  const ours = await context.ours.start(`vod ads { storage ${folder}; }\nfile_processor { path ads; }`);
  try {
    const { app, rtmpPort: port } = ours;
    const replay = await startReplay({ flv: context.media.flv, port, app, prefix: 'cam', count: STREAMS });
    await pause(6000);
    const latencyRounds: Record<'alone' | 'duringJob', number[][]> = { alone: [], duringJob: [] };
    for (let round = 0; round < (context.isQuick ? 3 : 5); round++) {
      context.say(`clips: round ${round + 1}`);
      const roundMs = context.isQuick ? QUICK_ROUND_MS : ROUND_MS;
      latencyRounds.alone.push(await latencies(ours, roundMs));
      const id = await startJob(ours);
      latencyRounds.duringJob.push(await latencies(ours, roundMs));
      await fetch(`${addressOf(ours)}/file_processor/jobs/${id}`, { method: 'DELETE' });
    }
    await replay.stop();
    return [0.5, 0.99].map((share) => rowOf(latencyRounds, share));
  } finally {
    await ours.stop();
  }
}

function rowOf(latencyRounds: Readonly<Record<'alone' | 'duringJob', number[][]>>, share: number): Row {
  const [alone, duringJob] = [latencyRounds.alone, latencyRounds.duringJob].map((rounds) =>
    rounds.map((times) => percentile(times, share)),
  );
  const [spread, peerSpread] = [spreadOf(duringJob ?? []), spreadOf(alone ?? [])];
  return {
    section: 'clips',
    name: `live replies during a job, ${share * 100} %`,
    unit: 'ms',
    better: 'lower',
    ours: median(duringJob ?? []),
    peer: median(alone ?? []),
    target: { ofPeer: 2 },
    ...(spread ? { spread } : {}),
    ...(peerSpread ? { peerSpread } : {}),
    note: `playlist and newest segment of ${STREAMS} streams; peer: ours without a job`,
  };
}

/** Requests the playlist and the newest segment of each stream. Returns the durations of the requests in milliseconds. */
async function latencies(ours: Target, forMs: number): Promise<number[]> {
  const player = new HttpPlayer(ours.httpPort);
  const times: number[] = [];
  const timed = async (path: string): Promise<string> => {
    const before = performance.now();
    const { status, body } = await player.get(path);
    if (status !== 200) throw new Error(`${path} was answered with ${status}`);
    times.push(performance.now() - before);
    return body.toString('latin1');
  };
  const endMs = performance.now() + forMs;
  while (performance.now() < endMs) {
    await Promise.all(
      Array.from({ length: STREAMS }, async (_, at) => {
        const list = ours.playlist(`cam${at + 1}`);
        const segment = (await timed(list)).match(/^\d+\.m4s$/gm)?.at(-1);
        if (segment !== undefined) await timed(list.replace(/[^/]*$/, segment));
      }),
    );
    await pause(REQUEST_MS);
  }
  player.close();
  return times;
}

/** Starts a job that converts a clip, and waits until it is running. */
async function startJob(ours: Target): Promise<string> {
  const stream = `http://127.0.0.1:${ours.httpPort}/${ours.app}/cam1/info.json`;
  const { stats } = (await (await fetch(stream)).json()) as { readonly stats: { readonly media_info: object } };
  const filters = [{ group: 'transcoder', transcoder: stats.media_info }];
  const address = `${addressOf(ours)}/file_processor/jobs`;
  const body = JSON.stringify({ input_files: ['film.mp4'], output_file: 'clip', filters });
  const created = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  let job = (await created.json()) as { readonly id: string; readonly status: string; readonly progress: number };
  if (!created.ok) throw new Error(`the job was refused: ${JSON.stringify(job)}`);
  while (job.status === 'new' || (job.status === 'running' && job.progress === 0)) {
    await pause(50);
    job = (await (await fetch(`${address}/${job.id}`)).json()) as typeof job;
  }
  if (job.status !== 'running') throw new Error(`the job was over too early: ${JSON.stringify(job)}`);
  return job.id;
}

function addressOf({ httpPort }: Target): string {
  return `http://127.0.0.1:${httpPort}${API}`;
}
