import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { requirePeer } from '../../../scripts/setup-peers.ts';

const GROUP = '239.255.77.9';
const LOCAL = '10.77.0.1';
const SENDER = new URL('../../../tests/helpers/send-to-group.ts', import.meta.url).pathname;
const RECEIVER = new URL('../../../tests/helpers/group-receiver.py', import.meta.url).pathname;

// A separate network, because the loopback interface returns all datagrams to its machine.
it('sends to a group with the TTL of its options, and to this machine only if they allow it', async () => {
  const cases = [
    ['default', {}],
    ['far', { ttl: 7 }],
    ['silent', { isLooped: false }],
    ['looped', { isLooped: true, ttl: 255 }],
  ];
  const ip = requirePeer('ip');
  const network = [
    `${ip} link set lo up`,
    `${ip} link add v0 type veth peer name v1`,
    `${ip} addr add ${LOCAL}/24 dev v0`,
    `${ip} link set v0 up`,
    `${ip} link set v1 up`,
    'exec "$@"',
  ].join(' && ');
  const program = [process.execPath, SENDER, requirePeer('python'), RECEIVER];
  const args = ['sh', '-c', network, 'sh', ...program, GROUP, '5000', LOCAL, JSON.stringify(cases)];
  // Without superuser rights, it needs a user namespace.
  const { stdout } = await promisify(execFile)('unshare', [process.getuid?.() === 0 ? '-n' : '-Urn', ...args], {
    timeout: 50_000,
  });
  expect(stdout.trim().split('\n')).toEqual(['default 1', 'far 7', 'looped 255', 'end 1']);
});
