// Minimal server: a thread that owns a codec pool. Prints the process id of its child, and then waits to be killed.
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { CodecPool } from '../../src-main/codec/codec-pool.ts';
import { systemClock } from '../../src-main/lib/clock.ts';
import { silentLog } from '../../src-main/lib/log.ts';

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url));
  worker.on('message', (pid: number) => {
    process.stdout.write(`${String(pid)}\n`);
  });
} else {
  const pool = new CodecPool({
    entry: new URL('../../src-main/codec-process.ts', import.meta.url),
    clock: systemClock,
    log: silentLog,
  });
  const job = pool.run('picture', { codec: 'h264', decoderConfig: new Uint8Array(8), data: new Uint8Array(8) }, 60_000);
  job.catch(() => parentPort?.postMessage(pool.pids[0]));
}
