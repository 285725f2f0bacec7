import { AirdeskError } from '../../../src-preload/contract/index.ts';
import type { EndpointRequest } from './endpoint.ts';

/** A parameter of the query; empty where it stands without a value, undefined where it does not stand. */
export function parameter({ query }: Pick<EndpointRequest, 'query'>, name: string): string | undefined {
  const found = query.find((one) => one.name === name);
  return found && (found.value ?? '');
}

/** A parameter that is true or false; true without a value. */
export function flag(request: Pick<EndpointRequest, 'query'>, name: string): boolean {
  const value = parameter(request, name);
  if (value === undefined || value === 'false' || value === '0') return false;
  if (value === '' || value === 'true' || value === '1') return true;
  throw new AirdeskError('bad_request', `${name} is true or false`, { parameter: name });
}
