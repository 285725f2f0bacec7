import { splicesSchema } from '../../../src-preload/contract/api/splice-object.ts';
import { spliceObjectOf } from '../../streams/splice-object-of.ts';
import { requireStream } from '../endpoints/api-context.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { shownTo } from '../endpoints/shown-server.ts';
import type { NativeContext } from './native-context.ts';

/** Splice points in the native API. */
export function spliceRows(context: NativeContext): Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/splices/{+name}',
      id: 'native_splice_list',
      tag: 'native',
      access: 'view',
      isScoped: true,
      summary: 'Splice points (SCTE-35) of a stream',
      description: 'Splice points of the live window and announced ones, at most 256, with their sections decoded.',
      replies: { 200: { description: 'The splice points, oldest first', schema: splicesSchema } },
      handle: ({ params, caller }) => {
        const { window } = requireStream(shownTo(context, caller), params['name'] ?? '').output;
        const splices = window.splices().map(spliceObjectOf);
        return { status: 200, body: { splices, estimated_count: splices.length, next: null, prev: null } };
      },
    },
  ];
}
