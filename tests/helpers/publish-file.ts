import { Demuxer, Muxer } from 'node-av';

/**
 * Program: publishes a file unchanged with a newer FFmpeg than that of the machine, which supports Enhanced RTMP.
 * Arguments: file, address.
 */
const [file = '', address = ''] = process.argv.slice(2);
const input = await Demuxer.open(file);
const output = await Muxer.open(address, { format: 'flv', input });
const indexes = input.streams.map((stream) => output.addStream(stream));
for await (const packet of input.packets()) {
  if (packet) await output.writePacket(packet, indexes[packet.streamIndex] ?? 0);
}
await output.close();
await input.close();
