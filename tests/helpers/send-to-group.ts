import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { systemClock } from '../../src-main/lib/clock.ts';
import { OutgoingHosts } from '../../src-main/lib/outgoing-hosts.ts';
import { DatagramSocket, type DatagramSocketOptions } from '../../src-main/push/mpegts/datagram-socket.ts';
import { until } from './until.ts';

/**
 * Program: sends one datagram to a group with each of the options, and prints what a receiver on this machine gets. Arguments:
 * Python, script of the receiver, group, port, address of the network interface, and a JSON list of names with options.
 */
const [python = '', script = '', group = '', port = '', local = '', list = ''] = process.argv.slice(2);
const cases = JSON.parse(list) as [string, Pick<DatagramSocketOptions, 'ttl' | 'isLooped'>][]; // as documented
const receiver = spawn(python, [script, group, port, local], { stdio: ['ignore', 'pipe', 'inherit'] });
const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]();
await lines.next();
const address = { url: new URL(`udp://${group}:${port}`), host: group, port: Number(port), isRtp: false, networkInterface: local }; // prettier-ignore
for (const [name, options] of [...cases, ['end', {}]] as typeof cases) {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const socket = new DatagramSocket(
    { address, hosts: new OutgoingHosts(), clock: systemClock, ...options },
    {
      connected: () => {
        resolve(undefined);
      },
      failed: ({ detail }) => {
        reject(new Error(detail));
      },
    },
  );
  await promise;
  socket.send(Buffer.from(name));
  await until('the datagram to be sent', () => socket.waitingBytes === 0, 20_000);
  socket.close();
}
for (let line = await lines.next(); line.done !== true; line = await lines.next())
  process.stdout.write(`${line.value}\n`);
