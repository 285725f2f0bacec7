import type { ChangedBy } from '../../operators/caller.ts';
import { hashOfToken, newApiToken } from '../../operators/api-tokens.ts';
import { putObject } from './object-edits.ts';
import type { JsonObject } from './object-source.ts';

/** Makes an API token, or a new secret for an existing one, and stores its hash. Only the answer contains the secret. */
export async function issueToken(
  context: Parameters<typeof putObject>[0],
  name: string,
  fields: JsonObject,
  by: ChangedBy,
): Promise<{ readonly name: string; readonly token: string }> {
  const token = newApiToken();
  await putObject(
    context,
    'api_tokens',
    name,
    { body: { ...fields, hash: hashOfToken(token) }, currentJson: () => ({}), lists: [] },
    by,
  );
  return { name, token };
}
