import { describe, expect, it } from 'vitest';
import { addressGroup, addressOfPeer, isLoopback, peerOf, plainAddress } from './network-address.ts';

describe('addressGroup', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0db8:0001:0002::6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0'],
    ['', ''],
  ])('returns for %s the group %j', (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });
});

describe('plainAddress', () => {
  it.each([
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::ffff:1', '::ffff:1'],
    ['::ffff:0:192.0.2.1', '::ffff:0:192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['::1', '::1'],
    ['192.0.2.1', '192.0.2.1'],
  ])('returns for %s the address %j', (address, plain) => {
    expect(plainAddress(address)).toBe(plain);
  });
});

describe('isLoopback', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::ffff:127.0.0.1', true],
    ['::1', true],
    ['128.0.0.1', false],
    ['', false],
    ['127.evil', false],
  ])('returns for %s: %s', (address, is) => {
    expect(isLoopback(address)).toBe(is);
  });
});

describe('a peer', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1:5000', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1:5000', '192.0.2.1'],
    ['2001:db8::1', '[2001:db8::1]:5000', '2001:db8::1'],
    ['::1', '[::1]:5000', '::1'],
  ])('with the address %s is printed as %s', (address, peer, plain) => {
    expect(peerOf(address, 5000)).toBe(peer);
    expect(addressOfPeer(peer)).toBe(plain);
  });

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[::ffff:192.0.2.1]:80', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['encoder.example:1935', 'encoder.example'],
    ['', ''],
  ])('is also parsed in the form %s', (peer, plain) => {
    expect(addressOfPeer(peer)).toBe(plain);
  });
});
