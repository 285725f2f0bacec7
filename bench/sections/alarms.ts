import { pause, type BenchContext } from '../context.ts';
import { HttpPlayer } from '../http-player.ts';
import { coresDuring } from '../process-cost.ts';
import { alternate, rowsOf, withServer, type Figure } from '../rounds.ts';
import type { Row } from '../row.ts';

const STREAMS = 16;
/** Time for the start of the codec process and the first probe of each stream. */
const WARM_MS = 12_000;
/** Maximum time until the test picture is encoded. */
const CREATION_MS = 120_000;
const POLL_MS = 500;
/** Less than a minute, so that all measurements end within a quarter of an hour. */
const MEASURE_MS = 36_000;
/** Processor time of a stream per minute for all alarms of its video and audio, in seconds. */
const TARGET_SECONDS = 0.15;

const PICTURE = ['black', 'frozen'];
const SOUND = ['silence', 'level min=-60 max=-1'];
const LOUDNESS = ['loudness_short_term min=-60 max=-5', 'true_peak max=0'];
const CASES: readonly (readonly [name: string, alarms: readonly string[], target?: number])[] = [
  ['black and frozen pictures', PICTURE],
  ['silence and level', SOUND],
  ['loudness', LOUDNESS],
  [
    'all of these and silence with a frozen picture',
    [...PICTURE, ...SOUND, ...LOUDNESS, 'silence_frozen'],
    TARGET_SECONDS,
  ],
];

/**
 * Measures the cost of the video and audio alarms of a stream: the processor time of the server and its codec process,
 * minus that of the same streams without alarms.
 */
export async function alarms(context: BenchContext): Promise<Row[]> {
  const cases = CASES.filter(([, , target]) => !context.isQuick || target !== undefined);
  const measured = await alternate(context, {
    title: `alarms: ${STREAMS} streams without and with alarms`,
    count: context.isQuick ? 1 : 3,
    ours: async () => {
      // Measured in each round, because other work of the machine changes the result.
      const without = await secondsWith(context, []);
      const costs: number[] = [];
      for (const [, kinds] of cases) costs.push((await secondsWith(context, kinds)) - without);
      return costs;
    },
  });
  const figures = cases.map(([name, , target], at): Figure<readonly number[]> => ({
    name: `a stream of 720p: ${name}`,
    unit: 'CPU s/min',
    target,
    of: (costs) => costs[at] ?? Number.NaN,
  }));
  return rowsOf('alarms', measured, figures);
}

/** Processor time of a stream per minute, in seconds. */
async function secondsWith({ ours }: BenchContext, kinds: readonly string[]): Promise<number> {
  const rules = kinds.map((kind) => `alarm ${kind};\n`).join('');
  const streams = Array.from(
    { length: STREAMS },
    (_, at) => `stream cam${at} { input fake://?width=1280&height=720&bitrate=4000; }\n`,
  );
  return withServer(ours, rules + streams.join(''), async (server) => {
    // The first server encodes the test picture.
    const player = new HttpPlayer(server.httpPort);
    await player.until(`/cam${STREAMS - 1}/index.m3u8`, /#EXTM3U/, POLL_MS, CREATION_MS);
    player.close();
    await pause(WARM_MS);
    return ((await coresDuring([server.pid], () => pause(MEASURE_MS))) * 60) / STREAMS;
  });
}
