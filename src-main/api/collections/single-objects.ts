import { fileProcessorObjectSchema } from '../../../src-preload/contract/api/file-processor-object.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { fileProcessorObject, rproxyObject, rproxySchema } from '../objects/config-objects.ts';
import type { CollectionContext } from './collection-context.ts';
import type { SingleObject } from './single-block-endpoints.ts';

/** Objects without a list: the gateway for agents, and the storage of clips. */
export function singleObjects({ clips }: Pick<CollectionContext, 'clips'>): readonly SingleObject[] {
  return [
    {
      block: 'rproxy',
      schema: rproxySchema,
      what: 'the gateway for agents',
      object: rproxyObject,
      current: rproxyObject,
    },
    {
      block: 'file_processor',
      schema: fileProcessorObjectSchema,
      what: 'the storage of clips',
      canMiss: true,
      object: (config) => {
        const object = fileProcessorObject(config);
        if (!object) throw new AirdeskError('file_processor_not_found', 'No file_processor is configured');
        return object;
      },
      current: (config) => fileProcessorObject(config) ?? {},
      check: ({ path }) => {
        if (typeof path !== 'string')
          throw new AirdeskError('bad_value', 'path must name a VOD location', { pointer: '/path' });
        clips.requireLocation(path);
      },
    },
  ];
}
