import { readFlvClip } from './flv-clip.ts';
import { RtmpPublisher } from './rtmp-publisher.ts';
import { GOP_MS, type FromReplayer, type ReplayOptions } from './replay.ts';

// Process of publishers. Several publishers share one timer, so that they cost little. A single publisher sends each message
// when it is due, like an encoder.

/** Interval in which several publishers send their due messages, in milliseconds. */
const TICK_MS = 4;
/** Unread bytes of one publisher that prove that a server does not keep up. */
const MAX_QUEUED_BYTES = 8 * 1024 * 1024;

// Written by replay.ts.
const options = JSON.parse(process.argv[2] ?? '{}') as ReplayOptions;
const clip = readFlvClip(options.flv);
const publishers: RtmpPublisher[] = [];
let sends: [number, number, number][] = [];
let isLate = false;

function send(message: FromReplayer): void {
  process.send?.(message);
}

function now(): number {
  return performance.timeOrigin + performance.now();
}

function tick(): void {
  const nowMs = performance.now();
  for (const [index, publisher] of publishers.entries()) {
    publisher.tick(nowMs, options.reportsSends ? (picture) => sends.push([index, picture, now()]) : undefined);
    if (publisher.queuedBytes > MAX_QUEUED_BYTES && !isLate) {
      isLate = true;
      send({ kind: 'late' });
    }
  }
  if (sends.length > 0) send({ kind: 'sent', sends });
  sends = [];
  const [only] = publishers;
  setTimeout(tick, options.count === 1 && only ? Math.max(1, only.nextMs - performance.now()) : TICK_MS);
}
tick();

const started: Promise<void>[] = [];
for (let index = 0; index < options.count; index++) {
  const connectMs = now();
  started.push(
    RtmpPublisher.start(
      { port: options.port, app: options.app, name: `${options.prefix}${index + (options.first ?? 1)}` },
      clip,
    ).then((publisher) => {
      publishers.push(publisher);
      if (options.count === 1) send({ kind: 'connected', connectMs });
    }),
  );
  // The starts are spread over one GOP, so that the key frames of the publishers do not arrive at the same time.
  await new Promise((resolve) => setTimeout(resolve, GOP_MS / options.count));
}
await Promise.all(started);
send({ kind: 'publishing' });
process.on('disconnect', () => process.exit(0));
