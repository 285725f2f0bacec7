import { LEGACY_PREFIXES } from '../src-main/api/http/prefixes.ts';
import { pause, type BenchContext } from './context.ts';
import { freePort } from './free-port.ts';
import { RECORDING_APP as APP, recordingFolder } from './nginx-peer.ts';
import { cpuSeconds } from './process-cost.ts';
import { startProbedServer } from './probed-server.ts';
import { startReplay } from './replay.ts';

/** Time until all code is compiled and the windows are full, in milliseconds. */
const WARM_UP_MS = 20_000;
/** Time after a switch that is not measured, because files are opened and closed, in milliseconds. */
const SETTLE_MS = 3000;
/** Measured time in milliseconds: a minute, in which one block of each stream ends. */
const MEASURE_MS = 60_000;
const QUICK_MEASURE_MS = 15_000;
const MINUTE_MS = 60_000;

/**
 * Measures the cost of recording a stream, in seconds of processor time per minute. One server alternates between recording
 * and not recording, and adjacent intervals are compared. With two separate servers, other differences would be larger than
 * this cost.
 */
export async function switchedCosts(context: BenchContext, count: number, pairs: number): Promise<number[]> {
  context.say(`recording: ${count} publishers, alternately with and without recording`);
  const [rtmpPort, measureMs] = [await freePort(), context.isQuick ? QUICK_MEASURE_MS : MEASURE_MS];
  const config = `rtmp 127.0.0.1:${rtmpPort};\nlive ${APP} { dvr ${recordingFolder()}; }`;
  const server = await startProbedServer(context, 'recording', config);
  const replay = await startReplay({ flv: context.media.flv, port: rtmpPort, app: APP, prefix: 'cam', count });
  const cost = async (isRecorded: boolean): Promise<number> => {
    for (let stream = 1; stream <= count; stream++) {
      const path = `dvr_${isRecorded ? 'enable' : 'disable'}/${APP}/cam${stream}`;
      const { status } = await fetch(`${server.url}${LEGACY_PREFIXES[0].slice(1)}/${path}`, { method: 'POST' });
      if (status !== 200) throw new Error(`${path}: ${status}`);
    }
    await pause(SETTLE_MS);
    const [before, startMs] = [cpuSeconds(server.pid), performance.now()];
    await pause(measureMs);
    return (((cpuSeconds(server.pid) - before) / (performance.now() - startMs)) * MINUTE_MS) / count;
  };
  try {
    await pause(WARM_UP_MS);
    const costs: number[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      const recorded = await cost(true);
      costs.push(recorded - (await cost(false)));
    }
    return costs;
  } finally {
    await replay.stop();
    await server.stop();
  }
}
