import type { BenchContext } from './context.ts';
import { figuresOf, type Row } from './row.ts';
import type { Target, TargetKind } from './target.ts';

/** Measurements to repeat. One measurement may have several figures. */
export interface Rounds<T> {
  /** Progress text, printed with the number of the round. */
  readonly title: string;
  readonly count: number;
  /** Takes one measurement of our server. */
  readonly ours: (round: number) => Promise<T>;
  /** Takes the same measurement of the peer; default: there is no peer. */
  readonly peer?: ((round: number) => Promise<T>) | undefined;
}

/** Measurements of all rounds, in the order of the rounds. */
export interface Measured<T> {
  readonly ours: readonly T[];
  readonly peer: readonly T[];
}

/** One row of a table of figures: its value in a measurement, and how it is shown. */
export interface Figure<T> extends Omit<Row, 'section' | 'ours' | 'peer' | 'spread' | 'peerSpread' | 'better'> {
  /** Default: `lower`. */
  readonly better?: Row['better'];
  readonly of: (measurement: T) => number;
}

/** Measures our server and the peer alternately, in changing order, so that other work of the machine affects both. */
export async function alternate<T>(
  { say }: Pick<BenchContext, 'say'>,
  { title, count, ours, peer }: Rounds<T>,
): Promise<Measured<T>> {
  const measured = { ours: [] as T[], peer: [] as T[] };
  for (let round = 0; round < count; round++) {
    say(`${title}, round ${round + 1}`);
    const takeOurs = async (): Promise<number> => measured.ours.push(await ours(round));
    const takePeer = async (): Promise<number | undefined> => peer && measured.peer.push(await peer(round));
    for (const take of round % 2 === 0 ? [takeOurs, takePeer] : [takePeer, takeOurs]) await take();
  }
  return measured;
}

/** Rows of a table of figures, with the median and the range of the rounds. */
export function rowsOf<T>(section: string, { ours, peer }: Measured<T>, figures: readonly Figure<T>[]): Row[] {
  return figures.map(({ of, ...row }) => ({
    section,
    better: 'lower',
    ...row,
    ...figuresOf(ours.map(of), peer.map(of)),
  }));
}

/** Starts a server, measures it, and stops it. @param streams configuration text; only ours understands it */
export async function withServer<T>(
  kind: TargetKind,
  streams: string | undefined,
  measure: (server: Target) => Promise<T>,
): Promise<T> {
  const server = await kind.start(streams);
  try {
    return await measure(server);
  } finally {
    await server.stop();
  }
}
