import { pause, type BenchContext } from '../context.ts';
import { HttpPlayer } from '../http-player.ts';
import { cpuSeconds } from '../process-cost.ts';
import { median, spreadOf, type Row } from '../row.ts';

const STREAMS = 16;
/** Start of the codec process, and the first look at each stream. */
const WARM_MS = 12_000;
/** The test picture is made within this time; how often it is looked for. */
const MADE_MS = 120_000;
const LOOK_MS = 500;
const MEASURE_MS = 36_000;
const MINUTE_MS = 60_000;
/** Processor time of a stream in a minute, for all alarms of its picture and sound, in seconds. */
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

/** What the alarms of picture and sound of a stream cost beside the same streams without them: the server and its codec process. Under a minute a measurement, so that all of them end within a quarter of an hour. */
export async function alarms(context: BenchContext): Promise<Row[]> {
  const found = new Map<string, number[]>();
  const rounds = context.isQuick ? 1 : 3;
  const cases = CASES.filter(([, , target]) => !context.isQuick || target !== undefined);
  for (let round = 1; round <= rounds; round++) {
    // In each round anew: what else the machine does changes what a second of it is worth.
    context.say(`alarms: ${STREAMS} streams, round ${round}, without alarms`);
    const without = await secondsWith(context, []);
    for (const [name, kinds] of cases) {
      context.say(`alarms: ${STREAMS} streams, round ${round}, ${name}`);
      found.set(name, [...(found.get(name) ?? []), (await secondsWith(context, kinds)) - without]);
    }
  }
  return cases.map(([name, , target]) => {
    const values = found.get(name) ?? [];
    const spread = spreadOf(values);
    return {
      section: 'alarms',
      name: `a stream of 720p: ${name}`,
      unit: 'CPU s a minute',
      ours: median(values),
      better: 'lower' as const,
      ...(spread ? { spread } : {}),
      ...(target === undefined ? {} : { target }),
    };
  });
}

/** Processor time of a stream in a minute, in seconds. */
async function secondsWith({ ours }: BenchContext, kinds: readonly string[]): Promise<number> {
  const rules = kinds.map((kind) => `alarm ${kind};\n`).join('');
  const streams = Array.from(
    { length: STREAMS },
    (_, at) => `stream cam${at} { input fake://?width=1280&height=720&bitrate=4000; }\n`,
  );
  const server = await ours.start(rules + streams.join(''));
  try {
    // The first server makes the test picture.
    const player = new HttpPlayer(server.httpPort);
    await player.until(`/cam${STREAMS - 1}/index.m3u8`, /#EXTM3U/, LOOK_MS, MADE_MS);
    player.close();
    await pause(WARM_MS);
    const [fromSeconds, fromMs] = [cpuSeconds(server.pid), Date.now()];
    await pause(MEASURE_MS);
    return ((cpuSeconds(server.pid) - fromSeconds) * MINUTE_MS) / (Date.now() - fromMs) / STREAMS;
  } finally {
    await server.stop();
  }
}
