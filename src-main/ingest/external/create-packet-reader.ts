import type { FeedStream } from '../../lib/feed/feed-description.ts';
import { AudioPacketReader } from './audio-packet-reader.ts';
import type { PacketReaderOptions, PacketReader } from './packet-reader.ts';
import { VideoPacketReader } from './video-packet-reader.ts';

const VIDEO = new Set(['h264', 'hevc']);
const AUDIO = new Set(['aac', 'mp3', 'mp2', 'ac3', 'eac3', 'opus']);

/** Whether an elementary stream is supported. */
export function isSupported({ content, codec }: FeedStream): boolean {
  return content === 'video' ? VIDEO.has(codec) : content === 'audio' && AUDIO.has(codec);
}

/** Creates the reader of a supported elementary stream. */
export function createPacketReader(stream: FeedStream, options: PacketReaderOptions): PacketReader {
  return stream.content === 'video' ? new VideoPacketReader(stream, options) : new AudioPacketReader(stream, options);
}
