import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { requireStream, type ApiHouse } from './api-house.ts';
import { selectInput } from './select-input.ts';

/** Closes a stream and opens it again. */
export async function restartStream(house: ApiHouse, name: string): Promise<true> {
  requireStream(house, name);
  await house.streams.restart(name);
  return true;
}

/** Puts the input of an address on air. @param url as configured, or as it is shown */
export function switchSource(house: ApiHouse, name: string, url: string | undefined): true {
  requireStream(house, name);
  if (url === undefined || url === '')
    throw new AirdeskError('bad_query', 'The address of an input is missing', { parameter: 'url' });
  selectInput(house.streams, name, url);
  return true;
}
