import type { Config } from '../../config/schema/config.ts';
import { changedBy } from '../../operators/caller.ts';
import { changeReport, isDryRun, savedSchema, VALIDATE } from '../endpoints/change-answer.ts';
import type { BodySchema, Endpoint, EndpointRequest } from '../endpoints/endpoint.ts';
import { jsonSchemaOf, type JsonSchema } from '../endpoints/json-schema.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import type { JsonObject } from '../objects/object-source.ts';
import { putSingleBlock, type SingleBlock } from '../objects/object-edits.ts';
import type { CollectionContext } from './collection-context.ts';
import { bodySchema, readObjectBody } from './generic/object-body.ts';
import { IF_NONE_MATCH, NOT_MODIFIED, PRECONDITIONS, requireMatch, tagOfObject } from './generic/preconditions.ts';

/** Block of the configuration that exists at most once, with its views and changes. */
export interface SingleObject {
  readonly block: SingleBlock;
  readonly schema: BodySchema;
  /** Noun phrase that completes the sentence "Changes …" in the document. */
  readonly what: string;
  /** Returns the object as JSON; raises an error if it does not exist. */
  readonly object: (config: Config) => JsonObject;
  /** Returns the object before a change; empty if it does not exist. */
  readonly current: (config: Config) => JsonObject;
  /** Whether the object may be missing, in which case the answer is 404. */
  readonly canMiss?: boolean;
  /** Checks a body, and raises its mistakes. */
  readonly check?: (body: JsonObject) => void;
}

export function singleBlockSchemas({
  block,
  schema,
}: Pick<SingleObject, 'block' | 'schema'>): Readonly<Record<string, JsonSchema>> {
  const json = jsonSchemaOf(schema);
  return { [block]: json, [`${block}_write`]: bodySchema(json), [`${block}_saved`]: savedSchema(json) };
}

/** Endpoints that show, change and remove an object without a list. */
export function singleBlockEndpoints(
  context: CollectionContext,
  { block, schema, what, object, current, canMiss = false, check }: SingleObject,
): readonly Endpoint[] {
  const { configuration } = context;
  const path = `/${block}`;
  const description = `${what.slice(0, 1).toUpperCase()}${what.slice(1)}`;
  const tagIn = (config: Config): string =>
    tagOfObject(object(config), schema, (block === 'rproxy' ? config.rproxy : config.fileProcessor) ?? undefined);
  const isThere = ({ fileProcessor }: Config): boolean => !canMiss || fileProcessor !== null;
  const checkOf = (request: EndpointRequest) => (): void => {
    const { config } = configuration;
    requireMatch(request, isThere(config) ? tagIn(config) : undefined);
  };
  return [
    {
      id: `${block}_get`,
      tag: block,
      method: 'GET',
      path,
      access: 'view',
      summary: description,
      errors: canMiss ? [404] : [],
      parameters: [IF_NONE_MATCH],
      replies: { 200: { description, schema: schemaRef(block) }, 304: NOT_MODIFIED },
      handle: () => {
        const { config } = configuration;
        return { status: 200, body: object(config), headers: { etag: tagIn(config) } };
      },
    },
    {
      id: `${block}_save`,
      tag: block,
      method: 'PUT',
      path,
      access: 'edit',
      summary: `Changes ${what}`,
      body: { schema: schemaRef(`${block}_write`), types: ['application/json', 'application/merge-patch+json'] },
      parameters: [...PRECONDITIONS, VALIDATE],
      errors: canMiss ? [404] : [],
      replies: { 200: { description, schema: schemaRef(`${block}_saved`) } },
      handle: async (request) => {
        const fields = readObjectBody(request.body, schema);
        check?.(fields);
        const currentJson = (): JsonObject => readObjectBody(current(configuration.config), schema);
        const isTried = isDryRun(request);
        const write = { body: fields, currentJson, lists: [] };
        const by = changedBy(request.caller, 'api');
        const options = { isDryRun: isTried, check: checkOf(request) };
        const applied = await putSingleBlock(context, block, write, current, by, options);
        const report = changeReport(applied, [block], fields, isTried);
        const headers: Record<string, string> = isTried ? {} : { etag: tagIn(applied.config) };
        return { status: 200, body: { ...object(applied.config), ...report }, headers };
      },
    },
    {
      id: `${block}_delete`,
      tag: block,
      method: 'DELETE',
      path,
      access: 'edit',
      summary: `Removes ${what} from the configuration`,
      parameters: [...PRECONDITIONS.slice(0, 1), VALIDATE],
      replies: { 204: { description: 'Done' } },
      handle: async (request) => {
        const options = { isDryRun: isDryRun(request), check: checkOf(request) };
        await putSingleBlock(context, block, null, current, changedBy(request.caller, 'api'), options);
        return { status: 204 };
      },
    },
  ];
}
