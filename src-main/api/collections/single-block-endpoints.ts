import type { Config } from '../../config/config.ts';
import { changedBy } from '../../operators/caller.ts';
import { changeReport, isDryRun, savedSchema, VALIDATE } from '../change-answer.ts';
import type { BodySchema, Endpoint } from '../endpoints/endpoint.ts';
import { jsonSchemaOf, type JsonSchema } from '../endpoints/json-schema.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { putSingleBlock, type SingleBlock } from '../objects/object-edits.ts';
import type { JsonObject } from '../objects/object-source.ts';
import type { CollectionContext } from './collection-context.ts';
import { bodySchema, readObjectBody } from './object-body.ts';

/** A block of the configuration that there is once, and how it is shown and changed. */
export interface SingleObject {
  readonly block: SingleBlock;
  readonly schema: BodySchema;
  /** What it is, in words that go on "Changes …". */
  readonly what: string;
  /** Raises what keeps it from being shown. */
  readonly object: (config: Config) => JsonObject;
  /** The same for a change, where it need not be there. */
  readonly current: (config: Config) => JsonObject;
  /** Whether it may be missing, which is a 404 then. */
  readonly canMiss?: boolean;
  /** Raises what is wrong with a body. */
  readonly check?: (body: JsonObject) => void;
}

/** Schemas that the endpoints of such an object refer to. */
export function singleBlockSchemas({
  block,
  schema,
}: Pick<SingleObject, 'block' | 'schema'>): Readonly<Record<string, JsonSchema>> {
  const json = jsonSchemaOf(schema);
  return { [block]: json, [`${block}_write`]: bodySchema(json), [`${block}_saved`]: savedSchema(json) };
}

/** Shows, changes and removes an object without a list. */
export function singleBlockEndpoints(
  context: CollectionContext,
  { block, schema, what, object, current, canMiss = false, check }: SingleObject,
): readonly Endpoint[] {
  const { configuration } = context;
  const path = `/${block}`;
  const description = `${what.slice(0, 1).toUpperCase()}${what.slice(1)}`;
  return [
    {
      ...{ id: `${block}_get`, tag: block, method: 'GET', path, access: 'view', summary: description },
      errors: canMiss ? [404] : [],
      replies: { 200: { description, schema: schemaRef(block) } },
      handle: () => ({ status: 200, body: object(configuration.config) }),
    },
    {
      ...{ id: `${block}_save`, tag: block, method: 'PUT', path, access: 'edit' },
      summary: `Changes ${what}`,
      body: { schema: schemaRef(`${block}_write`), types: ['application/json', 'application/merge-patch+json'] },
      parameters: [VALIDATE],
      errors: canMiss ? [404] : [],
      replies: { 200: { description, schema: schemaRef(`${block}_saved`) } },
      handle: async (request) => {
        const fields = readObjectBody(request.body, schema);
        check?.(fields);
        const currentJson = readObjectBody(current(configuration.config), schema);
        const isTried = isDryRun(request);
        const write = { body: fields, currentJson, lists: [] };
        const applied = await putSingleBlock(context, block, write, current, changedBy(request.caller, 'api'), isTried);
        const report = await changeReport(applied, [block], fields, isTried);
        return { status: 200, body: { ...object(applied.config), ...report } };
      },
    },
    {
      ...{ id: `${block}_delete`, tag: block, method: 'DELETE', path, access: 'edit' },
      summary: `Removes ${what} from the configuration`,
      parameters: [VALIDATE],
      replies: { 204: { description: 'Done' } },
      handle: async (request) => {
        await putSingleBlock(context, block, null, current, changedBy(request.caller, 'api'), isDryRun(request));
        return { status: 204 };
      },
    },
  ];
}
