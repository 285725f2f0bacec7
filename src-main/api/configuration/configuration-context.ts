import type { ApiContext } from '../api-context.ts';
import type { Applied } from '../../configuration/configuration-change.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import { configTextView, configView } from '../../configuration/configuration-view.ts';
import { TextBody, type Answer, type EndpointRequest } from '../endpoints/endpoint.ts';
import { wantsText } from './config-request.ts';

/** What the configuration API works with. */
export interface ConfigurationContext {
  readonly configuration: Configuration;
  readonly context: ApiContext;
  /** What somebody should look at, by what it concerns, such as ports that cannot be had. */
  readonly alerts: () => Readonly<Record<string, string>>;
}

/** JSON that is text already. */
export function jsonText(text: string): Answer {
  return { status: 200, body: new TextBody(text, 'application/json; charset=utf-8') };
}

/** A text of the configuration. */
export function plainText(text: string): Answer {
  return { status: 200, body: new TextBody(text, 'text/plain; charset=utf-8') };
}

/** The configuration in force, as JSON or as text, whichever the caller wants. */
export async function configAnswer(
  { configuration }: ConfigurationContext,
  request: EndpointRequest,
  isFull: boolean,
): Promise<Answer> {
  if (wantsText(request)) return plainText(await configTextView(configuration.document));
  return jsonText(await configView(configuration.document, { isFull }));
}

/** The answer to a change: the configuration, and the number of its version in the headers. */
export async function changeAnswer(
  context: ConfigurationContext,
  request: EndpointRequest,
  { versionId }: Applied,
): Promise<Answer> {
  const answer = await configAnswer(context, request, false);
  return versionId === null ? answer : { ...answer, headers: { 'x-config-version': String(versionId) } };
}
