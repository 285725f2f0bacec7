import { networkInterfaces } from 'node:os';
import { networkKind, type NetworkKind } from './network-address.ts';

/** Limits for the connections of one input, which another process enforces. */
export interface ConnectionLimits {
  /** Network kind of the configured host. */
  readonly kind: NetworkKind;
  /** Allowed addresses of the configured host. */
  readonly hostAddresses: readonly string[];
  /** Configured port; null without one. */
  readonly port: number | null;
  /** Ports that this server listens on. */
  readonly ownPorts: readonly number[];
}

/**
 * Reports whether a host of the network kind `home` may redirect to an address of `kind`: to its own kind, to a public address,
 * or from loopback to a private address.
 */
export function mayLeadTo(home: NetworkKind, kind: NetworkKind): boolean {
  return kind === 'public' || kind === home || (kind === 'private' && home === 'loopback');
}

/**
 * Reports whether an address belongs to this machine.
 * @param kind network kind of the address
 */
export function isOfThisMachine(address: string, kind: NetworkKind): boolean {
  return (
    kind === 'loopback' || Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === address))
  );
}

/**
 * Reports whether a connection is allowed: to the configured host and port, or to another address to which the host may
 * redirect, but not to a port of this server.
 */
export function mayConnect(
  { kind, hostAddresses, port, ownPorts }: ConnectionLimits,
  address: string,
  to: number,
): boolean {
  const there = networkKind(address);
  if (!mayLeadTo(kind, there)) return false;
  const isHome = hostAddresses.includes(address) && (port === null || port === to);
  return isHome || !(ownPorts.includes(to) && isOfThisMachine(address, there));
}
