import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { ROOT, isBuildFresh, toolEnv } from './project.ts';

/** Result of a child process. */
export interface StepResult {
  /** Exit code; 128 + 15 and the like for a signal, as in shells. */
  readonly code: number;
  readonly ms: number;
  /** Output of the process, if `capture` is set. */
  readonly output: string;
}

/** Priority of a child process for processor time. */
export type Priority = 'normal' | 'low';

export interface StepOptions {
  /** Collects its output; `tee` prints it as well. */
  readonly capture?: 'quiet' | 'tee';
  /** Additional environment variables. */
  readonly env?: Record<string, string>;
  /** `low`: a quarter of the processor time of other processes, and idle time. Default: normal. */
  readonly priority?: Priority;
}

const NICE: Record<Priority, number> = { normal: 0, low: 5 };

/** Runs a program in the project folder and waits for its end. */
export function runStep(command: string, args: readonly string[], options: StepOptions = {}): Promise<StepResult> {
  const started = performance.now();
  const nice = NICE[options.priority ?? 'normal'];
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: toolEnv(options.env),
      stdio: ['ignore', options.capture ? 'pipe' : 'inherit', options.capture ? 'pipe' : 'inherit'],
      shell: process.platform === 'win32',
      // Linux divides its processors between sessions before it applies priorities within them.
      detached: nice > 0 && process.platform === 'linux',
    });
    // Sets the priority before the process has threads or children, because only later ones inherit it.
    if (nice > 0 && child.pid !== undefined) lowerPriority(child.pid, nice);
    let output = '';
    const collect = (to: NodeJS.WriteStream) => (chunk: Buffer) => {
      output += chunk.toString();
      if (options.capture === 'tee') to.write(chunk);
    };
    child.stdout?.on('data', collect(process.stdout));
    child.stderr?.on('data', collect(process.stderr));
    const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
    // A process in a separate session would continue after the end of this one.
    const endWithParent = (): void => void child.kill();
    process.on('SIGTERM', forward);
    process.on('SIGINT', forward);
    process.on('exit', endWithParent);
    const end = (code: number): void => {
      process.off('SIGTERM', forward);
      process.off('SIGINT', forward);
      process.off('exit', endWithParent);
      resolve({ code, ms: performance.now() - started, output });
    };
    child.on('error', (error) => {
      output += `${command}: ${error.message}\n`;
      if (options.capture !== 'quiet') process.stderr.write(`${command}: ${error.message}\n`);
      end(127);
    });
    child.on('close', (code, signal) => {
      end(code ?? 128 + (signal === 'SIGINT' ? 2 : signal === 'SIGKILL' ? 9 : 15));
    });
  });
}

function lowerPriority(pid: number, nice: number): void {
  try {
    setPriority(pid, nice);
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/autogroup`, String(nice));
  } catch {
    // The process has ended, or the system does not allow the change: it keeps the normal priority.
  }
}

/** Runs a command-line tool from node_modules under the Node that runs this script. */
export function runTool(file: string, args: readonly string[], options: StepOptions = {}): Promise<StepResult> {
  return runStep(process.execPath, [join(ROOT, 'node_modules', file), ...args], options);
}

/** Builds all three bundles if there is no build or a source is newer. Ends the process on failure. */
export async function ensureBuild(): Promise<void> {
  if (isBuildFresh()) return;
  process.stderr.write('building …\n');
  const result = await runTool('electron-vite/bin/electron-vite.js', ['build', '--logLevel', 'warn'], {
    capture: 'quiet',
  });
  if (result.code !== 0) {
    process.stderr.write(`${result.output}\nthe build failed\n`);
    process.exit(result.code);
  }
}
