import { rproxyObject, rproxySchema } from '../objects/config-objects.ts';
import type { SingleObject } from './single-block-endpoints.ts';

/** Gateway for agents. */
export const GATEWAY: SingleObject = {
  block: 'rproxy',
  schema: rproxySchema,
  what: 'the gateway for agents',
  object: rproxyObject,
  current: rproxyObject,
};
