import type { ChangedBy } from './caller.ts';
import { hashOfToken, newApiToken } from './access/api-tokens.ts';
import { putObject } from './object-edits.ts';
import type { JsonObject } from './object-source.ts';

/** Makes an API token, or another secret for one that is there, and keeps its hash. The secret is only in the answer. */
export async function issueToken(
  house: Parameters<typeof putObject>[0],
  name: string,
  fields: JsonObject,
  by: ChangedBy,
): Promise<{ readonly name: string; readonly token: string }> {
  const token = newApiToken();
  await putObject(
    house,
    'api_tokens',
    name,
    { body: { ...fields, hash: hashOfToken(token) }, told: {}, lists: [] },
    by,
  );
  return { name, token };
}
