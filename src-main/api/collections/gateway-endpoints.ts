import { rproxyObjectSchema } from '../../../src-preload/contract/api/cluster-objects.ts';
import { rproxyObject } from '../objects/config-objects.ts';
import type { SingleObject } from './single-block-endpoints.ts';

/** Gateway for agents. */
export const GATEWAY: SingleObject = {
  block: 'rproxy',
  schema: rproxyObjectSchema,
  what: 'the gateway for agents',
  object: rproxyObject,
  current: rproxyObject,
};
