import { fork, type ChildProcess } from 'node:child_process';

/** What the publishers are started with. */
export interface ReplayOptions {
  readonly flv: string;
  readonly port: number;
  readonly app: string;
  /** Names are this and a number from 1. */
  readonly prefix: string;
  readonly count: number;
  /** Whether the time of each picture is told. */
  readonly reportsSends?: boolean;
}

/** What the process of the publishers tells. Times are epoch milliseconds with fractions. */
export type FromReplayer =
  | { readonly kind: 'connected'; readonly connectMs: number }
  | { readonly kind: 'publishing' }
  | { readonly kind: 'late' }
  | {
      readonly kind: 'sent';
      readonly sends: readonly (readonly [publisher: number, picture: number, sentMs: number])[];
    };

/** A running set of publishers. */
export interface Replay {
  /** When the only publisher of a set of one began to connect, in epoch milliseconds. */
  readonly connectMs: number;
  /** Whether the server failed to read what a publisher sent. */
  isLate: boolean;
  stop(): Promise<void>;
}

/** Starts publishers in a process of their own; resolves when all of them publish. */
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

/** Ends a child process; resolves when it is gone. */
export async function stopChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}
