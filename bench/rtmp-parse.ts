import { fork } from 'node:child_process';
import { connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { RtmpServer } from '../src-main/ingest/rtmp/rtmp-server.ts';
import type { InputSink } from '../src-main/ingest/input.ts';
import { systemClock } from '../src-main/lib/clock.ts';
import { writeMetadata } from '../src-main/media/containers/flv/metadata.ts';
import { amfObject, writeAmf0 } from '../src-main/media/containers/rtmp/amf0.ts';
import { ChunkStreamWriter } from '../src-main/media/containers/rtmp/chunk-stream-writer.ts';
import { writeCommand } from '../src-main/media/containers/rtmp/command.ts';
import { writeSetChunkSize } from '../src-main/media/containers/rtmp/protocol-control.ts';

// Measures the cost of RTMP publishers up to the access unit: sockets, chunk stream, tags and pictures. Access units are dropped.
// Usage: node bench/rtmp-parse.ts [publishers=25] [seconds=20] [chunkBytes=60000]
// All publishers run in one separate process. Each sends 25 pictures and 47 audio frames per second, 4 Mbit/s. Like ffmpeg, it
// writes the header and the body of a message separately. ffmpeg has a chunk size of 60000, OBS of 4096.

const WARM_UP_SECONDS = 5;
const FPS = 25;
const SOUND_MS = 1024 / 48;
const [publishers = 25, seconds = 20, chunkBytes = 60_000] = process.argv.slice(2, 5).map(Number);

/** Decoder configuration of H.264 High, 1280x720, 25 frames a second; pictures of 18.5 kB, key pictures of 74 kB. */
const RECORD = Buffer.from('AWQAH//hABpnZAAfrNlAUAW7ARAAAAMAEAAAAwMg8YMZYAEABmjr48siwP34+AA=', 'base64');
const CONFIG = Buffer.concat([Uint8Array.of(0x17, 0, 0, 0, 0), RECORD]);
const PICTURE = picture(0x27, 0x41, 18_500);
const KEY_PICTURE = picture(0x17, 0x65, 74_000);
const SOUND_CONFIG = Uint8Array.of(0xaf, 0, 0x11, 0x90);
const SOUND = new Uint8Array(342).fill(0x21).fill(1, 1, 2).fill(0xaf, 0, 1);

if (process.send) await send(Number(process.argv[5]));
else await measure();

async function measure(): Promise<void> {
  let units = 0;
  let bytes = 0;
  let reads = 0;
  const sink: InputSink = {
    received(count) {
      bytes += count;
      reads += 1;
    },
    tracks() {},
    accessUnit() {
      units += 1;
    },
    splice() {},
    problem: (problem) => console.error(problem),
    ended() {},
  };
  const gate = { open: () => Promise.resolve({ accepted: true as const, sink }) };
  const server = new RtmpServer({ port: 0, host: '127.0.0.1', clock: systemClock, gate });
  await server.start();
  const sender = fork(new URL(import.meta.url), [publishers, seconds, chunkBytes, server.port].map(String));
  await once(sender, 'message');
  await wait(WARM_UP_SECONDS * 1000);

  const [units0, bytes0, reads0, cpu0, time0] = [units, bytes, reads, process.cpuUsage(), performance.now()];
  await wait(seconds * 1000);
  const cpu = process.cpuUsage(cpu0);
  const streamSeconds = ((performance.now() - time0) / 1000) * publishers;
  const result = {
    publishers,
    chunkBytes,
    cpuSecondsPerStreamMinute: round(((cpu.user + cpu.system) / 1e6 / streamSeconds) * 60),
    userShare: round(cpu.user / (cpu.user + cpu.system)),
    accessUnitsPerSecond: round((units - units0) / streamSeconds),
    readsPerSecond: round((reads - reads0) / streamSeconds),
    megabitsPerSecond: round(((bytes - bytes0) * 8) / 1e6 / streamSeconds),
  };
  console.log(JSON.stringify(result));
  sender.kill();
  await server.close();
}

async function send(port: number): Promise<void> {
  const started: Promise<() => void>[] = [];
  for (let i = 0; i < publishers; i += 1) started.push(startPublisher(port, i));
  const ticks = await Promise.all(started);
  setInterval(() => {
    for (const tick of ticks) tick();
  }, 5);
  process.send?.('started');
}

/** Returns a function that sends all messages that are due. */
async function startPublisher(port: number, index: number): Promise<() => void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  socket.resume();
  const writer = new ChunkStreamWriter();
  socket.write(new Uint8Array(3073).fill(3, 0, 1));
  socket.write(writer.write(2, writeSetChunkSize(chunkBytes)));
  socket.write(
    writer.write(3, writeCommand({ name: 'connect', transactionId: 1, args: [amfObject({ app: 'bench' })] })),
  );
  socket.write(
    writer.write(3, writeCommand({ name: 'publish', transactionId: 2, args: [null, `s${index}`, 'live'] }, 1)),
  );

  const push = (chunkStreamId: number, type: number, timestampMs: number, payload: Uint8Array): void => {
    const [first, ...rest] = writer.chunks(chunkStreamId, { type, streamId: 1, timestampMs, payload });
    const headerBytes = (first?.length ?? 0) - Math.min(payload.length, chunkBytes);
    socket.write(first?.subarray(0, headerBytes) ?? '');
    socket.write(Buffer.concat([first?.subarray(headerBytes) ?? new Uint8Array(0), ...rest]));
  };
  push(4, 18, 0, writeAmf0(writeMetadata({ videocodecid: 7, audiocodecid: 10 })));
  push(6, 9, 0, CONFIG);
  push(4, 8, 0, SOUND_CONFIG);
  const startMs = performance.now() + (index * 1000) / FPS / publishers;
  let pictures = 0;
  let sounds = 0;
  return () => {
    const nowMs = performance.now() - startMs;
    for (;;) {
      const pictureMs = (pictures * 1000) / FPS;
      const soundMs = sounds * SOUND_MS;
      if (Math.min(pictureMs, soundMs) > nowMs) return;
      if (pictureMs <= soundMs) push(6, 9, pictureMs, pictures++ % 50 === 0 ? KEY_PICTURE : PICTURE);
      else push(4, 8, Math.round(sounds++ * SOUND_MS), SOUND);
    }
  };
}

/** Video message with one NAL unit, filled with bytes that contain no start code. */
function picture(first: number, nalHeader: number, bytes: number): Uint8Array {
  const body = Buffer.alloc(9 + bytes, 0x55);
  body.set([first, 1, 0, 0, 0]);
  body.writeUInt32BE(bytes, 5);
  body.set([nalHeader, 0x9a], 9);
  return body;
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
