import { Log } from 'node-av/lib';
import { AV_LOG_QUIET } from 'node-av/constants';
import { AirdeskError, type ErrorValue } from '../../src-preload/contract/errors.ts';
import { JOBS } from './job-table.ts';
import type { JobReply, JobRequest } from './protocol.ts';

/** Answers the jobs of the parent until it hangs up: the life of a codec process. */
export function serveJobs(): void {
  if (!process.send) throw new Error('a codec process is started by the server');
  Log.setLevel(AV_LOG_QUIET);
  let running = 0;
  // The parent is gone or has no more work. An orderly exit would wait for a call into FFmpeg that waits for a network.
  process.on('disconnect', () => {
    if (running > 0) process.kill(process.pid, 'SIGKILL');
    process.exit(0);
  });
  process.on('message', (request: JobRequest) => {
    running++;
    void answer(request).then((reply) => {
      running--;
      send(reply);
    });
  });
  send({ type: 'ready' });
}

async function answer(request: JobRequest): Promise<JobReply> {
  try {
    // The parent's `run` has checked that the input belongs to the kind.
    const job = JOBS[request.kind] as (input: unknown) => unknown;
    return { type: 'done', id: request.id, output: await job(request.input) };
  } catch (error) {
    return { type: 'failed', id: request.id, error: errorValue(error) };
  }
}

function errorValue(error: unknown): ErrorValue {
  if (error instanceof AirdeskError) return error.toValue();
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}

function send(reply: JobReply): void {
  // A parent that has hung up hears nothing more; `disconnect` ends this process.
  if (process.connected) process.send?.(reply);
}
