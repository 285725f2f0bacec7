import { Log } from 'node-av/lib';
import { AV_LOG_QUIET } from 'node-av/constants';
import { AirdeskError, type ErrorValue } from '../../src-preload/contract/errors.ts';
import { JOB_SOCKET_ENV, JobConnection } from './job-connection.ts';
import { JOBS } from './job-table.ts';
import type { JobReply, JobRequest } from './protocol.ts';
import { messageOf } from '../lib/error-message.ts';

/** Main function of a codec process: answers the jobs of the owner until it disconnects. */
export function serveJobs(): void {
  Log.setLevel(AV_LOG_QUIET);
  let running = 0;
  const send = connectOwner(
    (request) => {
      running++;
      void answer(request, send).then((reply) => {
        running--;
        send(reply);
      });
    },
    () => {
      // The owner has exited or has no more work. An orderly exit would wait for a blocked FFmpeg call.
      if (running > 0) process.kill(process.pid, 'SIGKILL');
      process.exit(0);
    },
  );
  send({ type: 'ready' });
}

/** Connects to the owner: through the socket in the environment, or the channel of a fork. */
function connectOwner(start: (request: JobRequest) => void, disconnected: () => void): (reply: JobReply) => void {
  const { [JOB_SOCKET_ENV.path]: path, [JOB_SOCKET_ENV.token]: token } = process.env;
  if (path !== undefined && token !== undefined) {
    // The owner is of the same build, so its messages need no check.
    const receive = (message: unknown): void => {
      start(message as JobRequest);
    };
    const connection = JobConnection.connect(path, token, receive, disconnected);
    return (reply) => {
      connection.send(reply);
    };
  }
  if (!process.send) throw new Error('a codec process is started by the server');
  process.on('disconnect', disconnected);
  process.on('message', start);
  return (reply) => {
    // A disconnected owner gets no reply; its `disconnect` event ends this process.
    if (process.connected) process.send?.(reply);
  };
}

async function answer(request: JobRequest, send: (reply: JobReply) => void): Promise<JobReply> {
  const { id } = request;
  try {
    // The types of `CodecProcess.run` ensure that the input belongs to the kind.
    const job = JOBS[request.kind] as (input: unknown, report: (progress: unknown) => void) => unknown;
    const output = await job(request.input, (progress) => {
      send({ type: 'progress', id, progress });
    });
    return { type: 'done', id, output };
  } catch (error) {
    return { type: 'failed', id: request.id, error: errorValue(error) };
  }
}

function errorValue(error: unknown): ErrorValue {
  if (error instanceof AirdeskError) return error.toValue();
  return { code: 'internal', message: messageOf(error) };
}
