import { badParameter } from '../../../src-preload/contract/index.ts';
import type { EndpointRequest } from './endpoint.ts';

/** Value of a query parameter; empty if it has no value, undefined if it is absent. */
export function parameter({ query }: Pick<EndpointRequest, 'query'>, name: string): string | undefined {
  const found = query.find((one) => one.name === name);
  return found && (found.value ?? '');
}

/** Value of a boolean parameter; true without a value. */
export function flag(request: Pick<EndpointRequest, 'query'>, name: string): boolean {
  const value = parameter(request, name);
  if (value === undefined || value === 'false' || value === '0') return false;
  if (value === '' || value === 'true' || value === '1') return true;
  throw badParameter(name, `${name} must be true or false`, 'bad_request');
}

/** Parses a whole number between two bounds. Raises `code`. @param name name of the parameter, for the message */
export function integerOf(
  text: string,
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
  code: 'bad_query' | 'bad_request' = 'bad_query',
): number {
  const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw badParameter(name, `${name} must be a whole number from ${min} to ${max}`, code);
}
