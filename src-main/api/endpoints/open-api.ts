import type { BodySchema, EndpointDoc, ParameterDoc, ReplyDoc } from './endpoint.ts';
import { errorReplies, ERROR_RESPONSES } from './error-responses.ts';
import { jsonSchemaOf, type Json, type JsonObject, type JsonSchema } from './json-schema.ts';

export interface DescribedApi {
  readonly prefixes: readonly string[];
  readonly endpoints: readonly EndpointDoc[];
  /** Base address of its paths; default: the root of the server. */
  readonly base?: string;
}

/** Sources of the document. */
export interface OpenApiParts {
  readonly title: string;
  readonly version: string;
  /** API whose prefixes become the servers of the document. Its paths are relative to these servers. */
  readonly main: DescribedApi;
  /** APIs that are listed with complete paths. */
  readonly others: readonly DescribedApi[];
  /** Schemas that are referred to by name: `{ $ref: '#/components/schemas/name' }`. */
  readonly schemas: Readonly<Record<string, BodySchema>>;
}

/** Reference to a schema of the document. */
export function schemaRef(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** OpenAPI 3.1 document of the APIs. */
export function openApiDocument({ title, version, main, others, schemas }: OpenApiParts): JsonObject {
  const paths: Record<string, Json> = {};
  addPaths(paths, main.endpoints, '', {});
  for (const { prefixes, endpoints, base = 'The root of the server, not the prefix of the collection API.' } of others)
    addPaths(paths, endpoints, prefixes[0] ?? '', { servers: [{ url: '/', description: base }] });
  return {
    openapi: '3.1.0',
    info: { title, version },
    servers: main.prefixes.map((url) => ({
      url,
      description: 'Prefix of the collection API; all of them are the same.',
    })),
    tags: [...new Set([main, ...others].flatMap(({ endpoints }) => endpoints.map(({ tag }) => tag)))].map((name) => ({
      name,
    })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, bodyJson(schema)])),
      responses: ERROR_RESPONSES,
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        bearer: { type: 'http', scheme: 'bearer' },
        portal_key: { type: 'apiKey', in: 'header', name: 'X-Auth-Token' },
      },
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

function operation(endpoint: EndpointDoc): JsonObject {
  const { id, summary, description, tag, replies, security, isDeprecated, access, isScoped } = endpoint;
  const parameters = parametersOf(endpoint);
  return {
    operationId: id,
    summary,
    description: description ?? `${summary}.`,
    tags: [tag],
    ...(security ? { security: [{ [security]: [] }] } : {}),
    ...(access === undefined ? {} : { 'x-access': security ?? access }),
    ...(isScoped ? { 'x-prefix-tokens': true } : {}),
    ...(isDeprecated ? { deprecated: true } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBody(endpoint),
    responses: {
      ...Object.fromEntries(Object.entries(replies).map(([status, reply]) => [status, response(reply)])),
      ...errorReplies(endpoint),
    },
  };
}

/** Default descriptions of path parameters. */
const IN_PATH: Readonly<Record<string, Pick<ParameterDoc, 'description' | 'schema'>>> = {
  name: { description: 'name of the object, percent-encoded', schema: { type: 'string' } },
  id: { description: 'id of the session', schema: { type: 'string' } },
  prefix: { description: 'prefix, percent-encoded', schema: { type: 'string' } },
  hostname: { description: 'host name of the server', schema: { type: 'string' } },
  url: { description: 'address of the server, percent-encoded', schema: { type: 'string' } },
  index: {
    description: 'index of the input in the stream, from 0',
    schema: { type: 'integer', minimum: 0 },
  },
  year: { description: 'year of the day, four digits', schema: { type: 'string' } },
  month: { description: 'month of the day, 01 to 12', schema: { type: 'string' } },
  day: { description: 'day of the month, 01 to 31', schema: { type: 'string' } },
};

function parametersOf({ path, parameters = [] }: EndpointDoc): JsonObject[] {
  const inPath = [...path.matchAll(/\{\+?(\w+)\}/g)].map(([, name = '']): JsonObject => {
    const { description = '', schema = { type: 'string' } } =
      parameters.find((parameter) => parameter.in === 'path' && parameter.name === name) ?? IN_PATH[name] ?? {};
    return { name, in: 'path', required: true, description, schema: asJson(schema) };
  });
  const others = parameters
    .filter((parameter) => parameter.in !== 'path')
    .map(({ name, in: location, description, schema, isRequired }): JsonObject => ({
      name,
      in: location,
      description,
      ...(isRequired ? { required: true } : {}),
      // Lists in a query are words separated by commas.
      ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
      schema: asJson(schema),
    }));
  return [...inPath, ...others];
}

function requestBody({ body }: EndpointDoc): JsonObject {
  if (!body) return {};
  const { types = ['application/json'], schema, example, isRequired = true } = body;
  const content = types.map((type): [string, JsonObject] => [
    type,
    type.endsWith('json')
      ? { schema: bodyJson(schema), ...(example === undefined ? {} : { example }) }
      : { schema: { type: 'string' } },
  ]);
  return { requestBody: { required: isRequired, content: Object.fromEntries(content) } };
}

function response({ description, schema, type = 'application/json', otherTypes = [], example }: ReplyDoc): JsonObject {
  if (!schema) return { description };
  const content: Record<string, JsonObject> = {
    [type]: { schema: bodyJson(schema), ...(example === undefined ? {} : { example }) },
  };
  for (const other of otherTypes) content[other] = { schema: { type: 'string' } };
  return { description, content };
}

function bodyJson(schema: BodySchema): JsonObject {
  return asJson(jsonSchemaOf(schema));
}

/** Type of a JSON Schema as JSON. A schema is always JSON, only its declared type is narrower. */
function asJson(schema: JsonSchema): JsonObject {
  return schema as unknown as JsonObject;
}
