/** A part of a JSON document. */
type Part = Readonly<Record<string, unknown>>;

/**
 * Public parts of an OpenAPI document without a description: operations, parameters, responses and properties, by their places.
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

function walkOperation(operation: Part, place: string, found: string[]): void {
  if (operation['x-private'] === true) return;
  need(operation, place, found);
  for (const parameter of listOf(operation['parameters'])) {
    const { name, schema } = partOf(parameter);
    need(parameter, `${place} parameter ${String(name)}`, found);
    walkSchema(schema, `${place} parameter ${String(name)}`, found);
  }
  walkContent(operation['requestBody'], `${place} body`, found, false);
  for (const [status, response] of Object.entries(partOf(operation['responses'])))
    walkContent(response, `${place} ${status}`, found);
}

function walkContent(response: unknown, place: string, found: string[], isNeeded = true): void {
  const { $ref, content } = partOf(response);
  if (typeof $ref === 'string') return;
  if (isNeeded) need(response, place, found);
  for (const [type, media] of Object.entries(partOf(content)))
    walkSchema(partOf(media)['schema'], `${place} ${type}`, found);
}

function walkSchema(schema: unknown, place: string, found: string[]): void {
  const part = partOf(schema);
  if (schema === undefined || part['x-private'] === true) return;
  for (const [name, property] of Object.entries(partOf(part['properties']))) {
    if (partOf(property)['x-private'] === true) continue;
    need(property, `${place}.${name}`, found);
    walkSchema(property, `${place}.${name}`, found);
  }
  for (const key of ['items', 'additionalProperties']) if (key in part) walkSchema(part[key], place, found);
  for (const key of ['anyOf', 'prefixItems']) for (const inner of listOf(part[key])) walkSchema(inner, place, found);
}

function need(thing: unknown, place: string, found: string[]): void {
  const { description } = partOf(thing);
  if (typeof description !== 'string' || description.trim().length < 2) found.push(place);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function partOf(value: unknown): Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Part) : {};
}
