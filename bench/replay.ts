import { fork, type ChildProcess } from 'node:child_process';

/** Duration of a GOP of the clip. Publishers start spread over it, so that they send key frames at different times. */
export const GOP_MS = 2000;

/** Options of a process of publishers. */
export interface ReplayOptions {
  readonly flv: string;
  readonly port: number;
  readonly app: string;
  /** Prefix of the stream names; a number follows. */
  readonly prefix: string;
  /** Number of the first name; default 1. */
  readonly first?: number;
  readonly count: number;
  /** True if the sending time of each picture is reported. */
  readonly reportsSends?: boolean;
}

/** Messages of the process of the publishers. Times are epoch milliseconds with fractions. */
export type FromReplayer =
  | { readonly kind: 'connected'; readonly connectMs: number }
  | { readonly kind: 'publishing' }
  | { readonly kind: 'late' }
  | {
      readonly kind: 'sent';
      readonly sends: readonly (readonly [publisher: number, picture: number, sentMs: number])[];
    };

/**
 * Distribution of publishers over processes. Real encoders are separate processes, and each wakes the server at its own time. A
 * single process for all publishers wakes it once for several of them.
 */
export type PublisherProcesses = 'each' | 'one';

/** Running publishers. */
export interface Replay {
  /** Start of the connect of a single publisher, in epoch milliseconds. */
  readonly connectMs: number;
  /** True if the server did not read the data of a publisher in time. */
  readonly isLate: boolean;
  stop(): Promise<void>;
}

/** Starts publishers like encoders: in separate processes, spread over one GOP. Resolves when all of them publish. */
export async function startPublishers(options: ReplayOptions, processes: PublisherProcesses): Promise<Replay> {
  if (processes === 'one') return startReplay(options);
  const started: Promise<Replay>[] = [];
  for (let at = 0; at < options.count; at++) {
    started.push(startReplay({ ...options, first: at + 1, count: 1 }));
    await new Promise((resolve) => setTimeout(resolve, GOP_MS / options.count));
  }
  const replays = await Promise.all(started);
  return {
    connectMs: replays[0]?.connectMs ?? 0,
    get isLate() {
      return replays.some((replay) => replay.isLate);
    },
    stop: async () => {
      await Promise.all(replays.map((replay) => replay.stop()));
    },
  };
}

/** Starts publishers in one separate process; resolves when all of them publish. */
export async function startReplay(
  options: ReplayOptions,
  sent?: (picture: number, sentMs: number) => void,
): Promise<Replay> {
  const child = fork(new URL('replayer.ts', import.meta.url), [JSON.stringify(options)], {
    serialization: 'advanced',
    execArgv: [],
  });
  const publishing = Promise.withResolvers<undefined>();
  let connectMs = 0;
  let isLate = false;
  child.on('message', (message: FromReplayer) => {
    if (message.kind === 'connected') connectMs = message.connectMs;
    else if (message.kind === 'publishing') publishing.resolve(undefined);
    else if (message.kind === 'late') isLate = true;
    else for (const [, picture, sentMs] of message.sends) sent?.(picture, sentMs);
  });
  child.on('exit', (code) => {
    publishing.reject(new Error(`the publishers ended with ${code}`));
  });
  await publishing.promise;
  return {
    connectMs,
    get isLate() {
      return isLate;
    },
    stop: () => stopChild(child),
  };
}

/** Ends a child process; resolves when it has exited. */
export async function stopChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}
