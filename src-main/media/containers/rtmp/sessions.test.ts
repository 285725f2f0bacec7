import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readAudioTag } from '../flv/audio-tag.ts';
import { readVideoTag } from '../flv/video-tag.ts';
import type { AmfValue } from './amf0.ts';
import { ChunkStreamReader } from './chunk-stream-reader.ts';
import { readCommand, readDataMessage } from './command.ts';
import { HANDSHAKE_BYTES, readDigest } from './handshake.ts';
import { MESSAGE_TYPE } from './message.ts';

const FIXTURES = new URL('../../../../tests/fixtures/rtmp/', import.meta.url);
const GOLDEN = new URL('../../../../tests/golden/rtmp/', import.meta.url);

/** Session of a real encoder from first to last byte, as text. */
function printSession(bytes: Uint8Array): string {
  const c1 = bytes.subarray(1, 1 + HANDSHAKE_BYTES);
  const lines = [`version ${bytes[0]}, digest in block ${readDigest(c1, 'player')?.block ?? 'none'}`];
  const reader = new ChunkStreamReader({
    message: (type, streamId, timestampMs, payload) => {
      lines.push(
        `${String(timestampMs).padStart(5)} ms  stream ${streamId}  type ${type}  ${printPayload(type, payload)}`,
      );
    },
    problem: (problem) => lines.push(`problem ${problem.code}: ${problem.detail}`),
  });
  reader.push(bytes, 1 + 2 * HANDSHAKE_BYTES);
  return `${lines.join('\n')}\n`;
}

function printPayload(type: number, payload: Uint8Array): string {
  if (type === MESSAGE_TYPE.commandAmf0) {
    const command = readCommand(type, payload);
    return `${command?.name} ${command?.transactionId} ${command?.args.map(printValue).join(' ')}`;
  }
  if (type === MESSAGE_TYPE.dataAmf0) return readDataMessage(type, payload).map(printValue).join(' ');
  if (type === MESSAGE_TYPE.video) {
    const print = (packet: NonNullable<ReturnType<typeof readVideoTag>>[number]): string =>
      `${packet.codec} ${packet.kind}${packet.isKeyFrame ? ' key' : ''} +${packet.compositionTimeMs} ms ${packet.data.length} bytes`;
    return `video ${readVideoTag(payload)?.map(print).join(', ') ?? 'damaged'}`;
  }
  if (type === MESSAGE_TYPE.audio) {
    return `audio ${
      readAudioTag(payload)
        ?.map((packet) => `${packet.codec} ${packet.kind} ${packet.data.length} bytes`)
        .join(', ') ?? 'damaged'
    }`;
  }
  return Buffer.from(payload).toString('hex');
}

function printValue(value: AmfValue): string {
  return (
    JSON.stringify(value, (_, field: unknown) =>
      field instanceof Map ? (Object.fromEntries(field) as unknown) : field,
    ) ?? 'undefined'
  );
}

it.each(['ffmpeg-5-h264-aac', 'ffmpeg-8-h265-opus'])(
  'the recorded RTMP session of %s is read as in its snapshot',
  async (name) => {
    const bytes = Buffer.from(readFileSync(new URL(`${name}.base64`, FIXTURES), 'latin1'), 'base64');
    await expect(printSession(bytes)).toMatchFileSnapshot(new URL(`${name}.txt`, GOLDEN).pathname);
  },
);
