import type { ParameterDoc } from './endpoint.ts';
import type { JsonSchema } from './json-schema.ts';

const TEXT: JsonSchema = { type: 'string' };

/** Parameter of the path; a text by default. */
export function inPath(name: string, description: string, schema = TEXT): ParameterDoc {
  return { name, in: 'path', description, schema };
}

/** Parameter of the query; a text by default. */
export function inQuery(name: string, description: string, schema = TEXT): ParameterDoc {
  return { name, in: 'query', description, schema };
}

/** Header of the request. */
export function inHeader(name: string, description: string): ParameterDoc {
  return { name, in: 'header', description, schema: TEXT };
}

/** A parameter that a request must have. */
export function required(parameter: ParameterDoc): ParameterDoc {
  return { ...parameter, isRequired: true };
}
