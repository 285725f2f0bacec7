import { Demuxer, Muxer } from 'node-av';

/**
 * Program: copies a stream to a file with a newer FFmpeg than that of the machine, which supports Enhanced RTMP.
 * Arguments: address, number of pictures, file.
 */
const [address = '', count = '0', file = ''] = process.argv.slice(2);
const input = await Demuxer.open(address);
const output = await Muxer.open(file, { input });
const indexes = input.streams.map((stream) => output.addStream(stream));
const video = input.video()?.index;
let left = Number(count);
for await (const packet of input.packets()) {
  if (!packet) continue;
  if (packet.streamIndex === video) left -= 1;
  await output.writePacket(packet, indexes[packet.streamIndex] ?? 0);
  if (left <= 0) break;
}
await output.close();
process.exit(0);
