/** Part of a JSON document. */
type Part = Readonly<Record<string, unknown>>;

/**
 * Public parts of an OpenAPI document that have no description: operations, parameters, responses and properties, with
 * their location.
 */
export function undescribed(document: unknown): readonly string[] {
  const found: string[] = [];
  const { paths = {}, components = {} } = partOf(document) as { paths?: Part; components?: Part };
  const { schemas = {}, responses = {} } = components as { schemas?: Part; responses?: Part };
  for (const [name, schema] of Object.entries(schemas)) walkSchema(schema, name, found);
  for (const [name, response] of Object.entries(responses)) walkContent(response, name, found);
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(partOf(operations))) {
      if (method !== 'servers') walkOperation(partOf(operation), `${method} ${path}`, found);
    }
  }
  return found;
}

function walkOperation(operation: Part, location: string, found: string[]): void {
  if (operation['x-private'] === true) return;
  need(operation, location, found);
  for (const parameter of listOf(operation['parameters'])) {
    const { name, schema } = partOf(parameter);
    need(parameter, `${location} parameter ${String(name)}`, found);
    walkSchema(schema, `${location} parameter ${String(name)}`, found);
  }
  walkContent(operation['requestBody'], `${location} body`, found, false);
  for (const [status, response] of Object.entries(partOf(operation['responses'])))
    walkContent(response, `${location} ${status}`, found);
}

function walkContent(response: unknown, location: string, found: string[], isNeeded = true): void {
  const { $ref, content } = partOf(response);
  if (typeof $ref === 'string') return;
  if (isNeeded) need(response, location, found);
  for (const [type, media] of Object.entries(partOf(content)))
    walkSchema(partOf(media)['schema'], `${location} ${type}`, found);
}

function walkSchema(schema: unknown, location: string, found: string[]): void {
  const part = partOf(schema);
  if (schema === undefined || part['x-private'] === true) return;
  for (const [name, property] of Object.entries(partOf(part['properties']))) {
    if (partOf(property)['x-private'] === true) continue;
    need(property, `${location}.${name}`, found);
    walkSchema(property, `${location}.${name}`, found);
  }
  for (const key of ['items', 'additionalProperties']) if (key in part) walkSchema(part[key], location, found);
  for (const key of ['anyOf', 'prefixItems']) for (const inner of listOf(part[key])) walkSchema(inner, location, found);
}

function need(thing: unknown, location: string, found: string[]): void {
  const { description } = partOf(thing);
  if (typeof description !== 'string' || description.trim().length < 2) found.push(location);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function partOf(value: unknown): Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Part) : {};
}
