import { messageOf } from '../lib/error-message.ts';
import type { ProcessEvent, ProcessRequest } from '../lib/process-messages.ts';

/** Electron utility process, with the functions that are used here. */
export interface UtilityChild {
  /** Process id; undefined before the process runs and after its end. */
  readonly pid?: number | undefined;
  readonly stderr: NodeJS.ReadableStream | null;
  once(event: 'spawn', listener: () => void): unknown;
  once(event: 'exit', listener: (code: number) => void): unknown;
}

/** Starts a codec process with an environment. */
export type ForkUtility = (environment: NodeJS.ProcessEnv) => UtilityChild;

/** Starts and kills codec processes for the server thread, and reports their state. */
export class ProcessStarter {
  readonly #fork: ForkUtility;
  readonly #report: (event: ProcessEvent) => void;
  readonly #children = new Map<number, UtilityChild>();
  /** Ids of processes that must be killed as soon as they run. */
  readonly #toKill = new Set<number>();

  constructor(fork: ForkUtility, report: (event: ProcessEvent) => void) {
    this.#fork = fork;
    this.#report = report;
  }

  /** Handles a request of the server thread. */
  take(request: ProcessRequest): void {
    if (request.kind === 'process-start') this.#start(request.id, request.environment);
    else this.#kill(request.id);
  }

  /** Kills all processes, because the thread that requested them has ended. */
  close(): void {
    for (const id of this.#children.keys()) this.#kill(id);
  }

  #start(id: number, environment: Readonly<Record<string, string>>): void {
    let child: UtilityChild;
    try {
      child = this.#fork({ ...childEnvironment(), ...environment });
    } catch (error) {
      this.#report({ kind: 'process-ended', id, how: messageOf(error) });
      return;
    }
    this.#children.set(id, child);
    child.stderr?.on('data', (bytes: Buffer) => {
      this.#report({ kind: 'process-output', id, text: bytes.toString() });
    });
    child.once('spawn', () => {
      if (this.#toKill.has(id)) this.#kill(id);
      else if (child.pid !== undefined) this.#report({ kind: 'process-started', id, pid: child.pid });
    });
    // Electron closes stderr before it emits this event, so no output follows.
    child.once('exit', (code) => {
      this.#children.delete(id);
      this.#toKill.delete(id);
      this.#report({ kind: 'process-ended', id, how: `code ${String(code)}` });
    });
  }

  #kill(id: number): void {
    const child = this.#children.get(id);
    if (!child) return;
    if (child.pid === undefined) {
      this.#toKill.add(id);
      return;
    }
    try {
      // Electron's `kill` sends SIGTERM, which a process that hangs in FFmpeg ignores.
      process.kill(child.pid, 'SIGKILL');
    } catch {
      // The process has already ended; its exit event follows.
    }
  }
}

function childEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...process.env };
  // Flags of the parent process (inspector, loaders) must not apply to the child.
  delete environment['NODE_OPTIONS'];
  return environment;
}
