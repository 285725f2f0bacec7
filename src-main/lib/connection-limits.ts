import { networkInterfaces } from 'node:os';
import { networkKind, type NetworkKind } from './network-address.ts';

/** What the connections of one input may lead to, for another process to judge. */
export interface ConnectionLimits {
  /** The kind of the configured host. */
  readonly kind: NetworkKind;
  /** The addresses of the configured host that may be asked. */
  readonly checked: readonly string[];
  /** The configured port; null where none is written. */
  readonly port: number | null;
  /** Ports that this server listens on. */
  readonly ownPorts: readonly number[];
}

/** Whether a host of one kind may lead to addresses of another one: from public to public alone, never to link-local ones. */
export function mayLeadTo(home: NetworkKind, kind: NetworkKind): boolean {
  return kind === 'public' || kind === home || (kind === 'private' && home === 'loopback');
}

/** Whether an address is one of this machine. @param kind that of the address */
export function isOfThisMachine(address: string, kind: NetworkKind): boolean {
  return (
    kind === 'loopback' || Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === address))
  );
}

/** Whether a connection may be made: to the configured host and port, or to where that host may lead, but to no port of this server. */
export function mayConnect({ kind, checked, port, ownPorts }: ConnectionLimits, address: string, to: number): boolean {
  const there = networkKind(address);
  if (!mayLeadTo(kind, there)) return false;
  const isHome = checked.includes(address) && (port === null || port === to);
  return isHome || !(ownPorts.includes(to) && isOfThisMachine(address, there));
}
