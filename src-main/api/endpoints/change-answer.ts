import { ERRORS } from '../../../src-preload/contract/index.ts';
import type { ConfigError } from '../../config/parse/problem.ts';
import { changeEffect, documentWarnings, namedIn } from '../../configuration/change-report.ts';
import type { Applied } from '../../configuration/configuration-change.ts';
import { pointerOf } from '../../configuration/configuration-error.ts';
import type { EndpointRequest, ParameterDoc } from './endpoint.ts';
import type { JsonObject, JsonSchema } from './json-schema.ts';
import { flag } from './query-flag.ts';
import { inQuery } from './parameters.ts';

export const VALIDATE: ParameterDoc = inQuery(
  'validate',
  'true: dry run; the answer is that of the write, with its effect on the streams, and nothing is changed',
  { type: 'boolean' },
);

/** Whether a request is a dry run (`?validate=true`). */
export function isDryRun(request: Pick<EndpointRequest, 'query'>): boolean {
  return flag(request, VALIDATE.name);
}

const NAMES: JsonSchema = { type: 'array', items: { type: 'string' } };

/** Fields of the answer to a write besides the written object. */
const CHANGE_REPORT: Readonly<Record<string, JsonSchema>> = {
  warnings: {
    type: 'array',
    description: 'warnings, such as settings without effect in this version; absent without any',
    readOnly: true,
    items: {
      type: 'object',
      properties: {
        code: { type: 'string', description: 'as in the list of errors' },
        title: { type: 'string', description: 'meaning of the code' },
        detail: { type: 'string', description: 'details of this case' },
        source: {
          type: 'object',
          description: 'part of the body',
          properties: {
            pointer: { type: 'string', description: 'path in the body, a JSON Pointer' },
            line: {
              type: 'integer',
              description: 'line of the text of the configuration, or of the text that was sent, from 1',
            },
            column: { type: 'integer', description: 'character of that line, from 1' },
          },
          required: ['pointer'],
        },
      },
      required: ['code', 'title', 'detail', 'source'],
    },
  },
  effect: {
    type: 'object',
    description: 'only with validate=true: effect of the write on the streams of the configuration',
    readOnly: true,
    properties: {
      streams_added: { ...NAMES, description: 'streams that would be added' },
      streams_removed: { ...NAMES, description: 'streams that would be removed' },
      streams_restarted: { ...NAMES, description: 'streams that would be interrupted' },
      streams_updated: { ...NAMES, description: 'streams that would continue with changed settings' },
    },
    required: ['streams_added', 'streams_removed', 'streams_restarted', 'streams_updated'],
  },
};

/** Schema of an object in the answer to its write. */
export function savedSchema(schema: JsonSchema): JsonSchema {
  return { ...schema, properties: { ...schema.properties, ...CHANGE_REPORT } };
}

/**
 * Fields of the answer to a write besides the written object.
 * @param path JSON path of the object in the configuration
 * @param isTried whether this is a dry run
 */
export function changeReport(
  { document, change }: Applied,
  path: readonly string[],
  body: JsonObject,
  isTried: boolean,
): JsonObject {
  const fragment = path.reduceRight<JsonObject>((inner, part) => ({ [part]: inner }), body);
  const warnings = documentWarnings(document, namedIn(fragment));
  return {
    ...(warnings.length > 0 ? { warnings: warningsJson(warnings, path.length) } : {}),
    ...(isTried ? { effect: changeEffect(change) } : {}),
  };
}

/** Warnings as an answer lists them. @param depth number of leading path elements outside the body */
export function warningsJson(warnings: readonly ConfigError[], depth = 0): JsonObject[] {
  return warnings.map(({ code, message, path, line, column }) => ({
    code,
    title: ERRORS[code].title,
    detail: message,
    source: { pointer: pointerOf(path.slice(depth)), line, column },
  }));
}

/** Maximum number of warnings in the header. */
const MAX_IN_HEADER = 20;

/** Header with warnings, for answers whose body has no place for them: `code pointer`, separated by commas. */
export function warningsHeader(warnings: readonly ConfigError[]): Readonly<Record<string, string>> {
  if (warnings.length === 0) return {};
  const shown = warnings
    .slice(0, MAX_IN_HEADER)
    .map(({ code, path }) => `${code} ${encodeURI(pointerOf(path).toWellFormed()).replaceAll(',', '%2C')}`);
  return { 'airdesk-warnings': shown.join(', ') };
}
