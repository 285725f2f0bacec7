import { pause, type BenchContext } from '../context.ts';
import { cpuSeconds } from '../process-cost.ts';
import { median, spreadOf, type Row } from '../row.ts';

const STREAMS = 16;
/** Start of the codec process, and the first look at each stream. */
const WARM_MS = 15_000;
const MEASURE_MS = 60_000;
const QUICK_MEASURE_MS = 30_000;
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

/** What the alarms of picture and sound of a stream cost beside the same streams without them: the server and its codec process. */
export async function alarms(context: BenchContext): Promise<Row[]> {
  const found = new Map<string, number[]>();
  const rounds = context.isQuick ? 1 : 3;
  for (let round = 1; round <= rounds; round++) {
    context.say(`alarms: ${STREAMS} streams, round ${round}`);
    for (const [name, kinds] of CASES) {
      // Each beside its own: what else the machine does changes what a second of it is worth.
      const without = await secondsWith(context, []);
      found.set(name, [...(found.get(name) ?? []), (await secondsWith(context, kinds)) - without]);
    }
  }
  return CASES.map(([name, , target]) => {
    const values = found.get(name) ?? [];
    const spread = spreadOf(values);
    return {
      ...{ section: 'alarms', name: `a stream of 720p: ${name}`, unit: 'CPU s a minute', ours: median(values) },
      better: 'lower' as const,
      ...(spread ? { spread } : {}),
      ...(target === undefined ? {} : { target }),
    };
  });
}

/** Processor time of a stream in a minute, in seconds. */
async function secondsWith({ ours, isQuick }: BenchContext, kinds: readonly string[]): Promise<number> {
  const rules = kinds.map((kind) => `alarm ${kind};\n`).join('');
  const streams = Array.from(
    { length: STREAMS },
    (_, at) => `stream cam${at} { input fake://?width=1280&height=720&bitrate=4000; }\n`,
  );
  const server = await ours.start(rules + streams.join(''));
  try {
    await pause(WARM_MS);
    const [fromSeconds, fromMs] = [cpuSeconds(server.pid), Date.now()];
    await pause(isQuick ? QUICK_MEASURE_MS : MEASURE_MS);
    return ((cpuSeconds(server.pid) - fromSeconds) * MINUTE_MS) / (Date.now() - fromMs) / STREAMS;
  } finally {
    await server.stop();
  }
}
