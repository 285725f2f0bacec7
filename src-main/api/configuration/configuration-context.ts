import type { ApiContext } from '../endpoints/api-context.ts';
import { ConfigDocument } from '../../config/document.ts';
import type { JsonValue } from '../../config/schema/value-schema.ts';
import { changeEffect, documentWarnings, namedIn } from '../../configuration/change-report.ts';
import type { Applied } from '../../configuration/configuration-change.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import { ConfigurationError } from '../../configuration/configuration-error.ts';
import { configTextView, configView } from '../../configuration/configuration-view.ts';
import { PiecesBody, type Answer, type EndpointRequest } from '../endpoints/endpoint.ts';
import { isDryRun, warningsHeader, warningsJson } from '../endpoints/change-answer.ts';
import { configBody, configTag, wantsText } from './config-request.ts';

export interface ConfigurationContext {
  readonly configuration: Configuration;
  readonly context: ApiContext;
  /** Alerts that need an operator, by subject, such as ports that cannot be opened. */
  readonly alerts: () => Readonly<Record<string, string>>;
}

/** Answer with JSON text that is sent while it is created. */
export function jsonText(pieces: AsyncIterable<string>): Answer {
  return { status: 200, body: new PiecesBody(pieces) };
}

/** Answer with the text of the configuration that is sent while it is created. */
export function plainText(pieces: AsyncIterable<string>): Answer {
  return { status: 200, body: new PiecesBody(pieces, 'text/plain; charset=utf-8') };
}

/** Configuration after the change of a request, which is not applied, with its warnings. Raises its mistakes. */
export async function validationAnswer(
  { configuration: { changes } }: ConfigurationContext,
  request: EndpointRequest,
): Promise<Answer> {
  const body = await configBody(request);
  const document = await (body.text === undefined ? changes.validateMerge(body.json) : changes.validate(body.text));
  if (!document.config) throw new ConfigurationError(document.errors);
  const named = body.text === undefined ? namedIn(body.json) : undefined;
  const warnings = documentWarnings(document, named);
  const more: ConfigReport['json'] = warnings.length > 0 ? { warnings: warningsJson(warnings) } : {};
  const answer = wantsText(request) ? plainText(configTextView(document)) : jsonText(configView(document, { more }));
  return { ...answer, headers: warningsHeader(warnings) };
}

/** Configuration in force, as JSON or as text, as the caller prefers. */
export function configAnswer(
  { configuration }: ConfigurationContext,
  request: EndpointRequest,
  isFull: boolean,
): Answer {
  const { document } = configuration;
  const isText = wantsText(request);
  const answer = isText ? plainText(configTextView(document)) : jsonText(configView(document, { isFull }));
  return { ...answer, headers: { etag: configTag(document, isText ? 'text' : isFull ? 'full' : 'json') } };
}

/** Parts of the answer to a change besides the configuration. */
export interface ConfigReport {
  /** Additional fields of a JSON body. */
  readonly json: { readonly [key: string]: JsonValue };
  readonly headers: Readonly<Record<string, string>>;
}

/** Warnings about the values that a request sets (all of a complete text), the version, and the effect of a dry run. */
export async function reportOf(
  request: Pick<EndpointRequest, 'query'>,
  { document, versionId, change }: Applied,
  sent: { readonly json: JsonValue } | { readonly blocks: string } | 'whole',
): Promise<ConfigReport> {
  const isTried = isDryRun(request);
  const warnings =
    sent === 'whole'
      ? documentWarnings(document)
      : 'json' in sent
        ? documentWarnings(document, namedIn(sent.json))
        : documentWarnings(await ConfigDocument.parseInTurns(sent.blocks));
  return {
    json: {
      ...(warnings.length > 0 ? { warnings: warningsJson(warnings) } : {}),
      ...(isTried ? { effect: changeEffect(change) } : {}),
    },
    headers: {
      ...(versionId === null || isTried ? {} : { 'x-config-version': String(versionId) }),
      ...warningsHeader(warnings),
    },
  };
}

/** Answer to a change: the configuration, its version number in the headers, and the warnings. */
export async function changeAnswer(
  request: EndpointRequest,
  applied: Applied,
  sent: Parameters<typeof reportOf>[2] = 'whole',
): Promise<Answer> {
  const { json, headers } = await reportOf(request, applied, sent);
  const isText = wantsText(request);
  const { document } = applied;
  const answer = isText ? plainText(configTextView(document)) : jsonText(configView(document, { more: json }));
  const etag = isDryRun(request) ? {} : { etag: configTag(document, isText ? 'text' : 'json') };
  return { ...answer, headers: { ...headers, ...etag } };
}
