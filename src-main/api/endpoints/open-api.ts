import type { EndpointDoc } from './endpoint.ts';
import type { Json, JsonObject, JsonSchema } from './json-schema.ts';

/** An API as the document describes it. */
export interface DescribedApi {
  readonly prefixes: readonly string[];
  readonly endpoints: readonly EndpointDoc[];
}

/** What the document is made of. */
export interface OpenApiParts {
  readonly title: string;
  readonly version: string;
  /** Its prefixes are the servers of the document, and its paths stand below them. */
  readonly main: DescribedApi;
  /** All others stand with their whole path. */
  readonly others: readonly DescribedApi[];
  /** Schemas that others refer to, by name: `{ $ref: '#/components/schemas/name' }`. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** Reference to a schema of the document. */
export function schemaRef(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Name of the schema of all errors in the document. */
export const ERROR_SCHEMA = 'error';

/** The OpenAPI 3.1 document of the APIs. */
export function openApiDocument({ title, version, main, others, schemas }: OpenApiParts): JsonObject {
  const paths: Record<string, Json> = {};
  addPaths(paths, main.endpoints, '', {});
  for (const { prefixes, endpoints } of others)
    addPaths(paths, endpoints, prefixes[0] ?? '', { servers: [{ url: '/' }] });
  return {
    openapi: '3.1.0',
    info: { title, version },
    servers: main.prefixes.map((url) => ({ url })),
    tags: [...new Set([main, ...others].flatMap(({ endpoints }) => endpoints.map(({ tag }) => tag)))].map((name) => ({
      name,
    })),
    paths,
    components: {
      // JSON Schema is JSON; only its type says less.
      schemas: schemas as unknown as JsonObject,
      securitySchemes: { basic: { type: 'http', scheme: 'basic' }, bearer: { type: 'http', scheme: 'bearer' } },
    },
    security: [{}, { basic: [] }, { bearer: [] }],
  };
}

function addPaths(
  paths: Record<string, Json>,
  endpoints: readonly EndpointDoc[],
  prefix: string,
  shared: JsonObject,
): void {
  for (const endpoint of endpoints) {
    const path = prefix + endpoint.path.replace('{+', '{');
    paths[path] = {
      ...shared,
      ...(paths[path] as JsonObject | undefined),
      [endpoint.method.toLowerCase()]: operation(endpoint),
    };
  }
}

function operation({
  id,
  summary,
  description,
  tag,
  path,
  parameters = [],
  body,
  replies,
  isPrivate,
  isDeprecated,
}: EndpointDoc): JsonObject {
  const inPath = [...path.matchAll(/\{\+?(\w+)\}/g)].map(([, name]) => ({
    name: name ?? '',
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const others = parameters.map(({ name, in: place, description: words, schema, isRequired }) => ({
    name,
    in: place,
    description: words,
    ...(isRequired ? { required: true } : {}),
    schema: schema as unknown as JsonObject,
  }));
  return {
    operationId: id,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    ...(isPrivate ? { 'x-private': true } : {}),
    ...(isDeprecated ? { deprecated: true } : {}),
    ...(inPath.length + others.length > 0 ? { parameters: [...inPath, ...others] } : {}),
    ...(body
      ? {
          requestBody: {
            required: body.isRequired ?? true,
            content: Object.fromEntries(
              (body.types ?? ['application/json']).map((type) => [
                type,
                { schema: type.endsWith('json') ? (body.schema as unknown as JsonObject) : { type: 'string' } },
              ]),
            ),
          },
        }
      : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(replies).map(
          ([status, { description: words, schema, type = 'application/json', otherTypes = [] }]) => [
            status,
            {
              description: words,
              ...(schema
                ? {
                    content: {
                      [type]: { schema: schema as unknown as JsonObject },
                      ...Object.fromEntries(otherTypes.map((other) => [other, { schema: { type: 'string' } }])),
                    },
                  }
                : {}),
            },
          ],
        ),
      ),
      default: {
        description: 'An error',
        content: { 'application/json': { schema: schemaRef(ERROR_SCHEMA) as unknown as JsonObject } },
      },
    },
  };
}
