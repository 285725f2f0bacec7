import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';

interface ForkOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly execArgv?: readonly string[];
  readonly stdio?: readonly ['ignore', 'ignore' | 'pipe', 'ignore' | 'pipe'];
}

/** `UtilityProcess` of Electron, based on a plain child process without an IPC channel. */
class StandInUtilityProcess extends EventEmitter {
  stderr: PassThrough | null;
  readonly #child: ChildProcess;
  #isRunning = false;

  constructor(modulePath: string, args: readonly string[], options: ForkOptions) {
    super();
    this.stderr = options.stdio?.[2] === 'pipe' ? new PassThrough() : null;
    this.#child = spawn(process.execPath, [...(options.execArgv ?? []), modulePath, ...args], {
      stdio: [...(options.stdio ?? ['ignore', 'inherit', 'inherit'])],
      // A fuse of the packaged application disables this variable, so callers must not depend on it.
      env: { ...(options.env ?? process.env), ELECTRON_RUN_AS_NODE: undefined },
    });
    if (this.stderr) this.#child.stderr?.pipe(this.stderr);
    this.#child.once('spawn', () => {
      this.#isRunning = true;
      this.emit('spawn');
    });
    this.#child.once('exit', (code, signal) => {
      // As in Electron, listeners still see the pid; afterwards the pid and the output are released.
      this.emit('exit', signal === null ? code : 1);
      this.#isRunning = false;
      this.stderr?.removeAllListeners();
      this.stderr = null;
    });
  }

  get pid(): number | undefined {
    return this.#isRunning ? this.#child.pid : undefined;
  }

  /** Ends the process in order. */
  kill(): boolean {
    return this.#child.kill('SIGTERM');
  }
}

/** `utilityProcess` of Electron. */
export const utilityProcess = {
  fork: (modulePath: string, args: readonly string[] = [], options: ForkOptions = {}): StandInUtilityProcess =>
    new StandInUtilityProcess(modulePath, args, options),
};
