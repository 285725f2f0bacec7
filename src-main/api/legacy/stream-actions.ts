import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { requireStream, type ApiContext } from '../endpoints/api-context.ts';
import { selectInput } from '../../streams/select-input.ts';

export async function restartStream(context: ApiContext, name: string): Promise<true> {
  requireStream(context, name);
  await context.streams.restart(name);
  return true;
}

/** Puts an input on air by its address. @param url as configured or as shown */
export function switchSource(context: ApiContext, name: string, url: string | undefined): true {
  requireStream(context, name);
  if (url === undefined || url === '')
    throw new AirdeskError('bad_query', 'The address of an input is missing', { parameter: 'url' });
  selectInput(context.streams, name, url);
  return true;
}
