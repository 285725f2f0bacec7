import { describe, expect, it } from 'vitest';
import { CALLS } from '../../src-preload/contract/calls.ts';
import type { Operation, OperationTable } from '../../src-preload/contract/operations/operation.ts';
import { wrapMarkdown } from '../../scripts/wrap-markdown.ts';
import { listedOperations } from '../../tests/helpers/api-operations.ts';

const TABLE: OperationTable = CALLS;
/** Ids of the HTTP operations with the same effect as a call. */
const idsOf = ({ http, sameAs = [] }: Operation): string[] => [...(http ? [http.id] : []), ...sameAs];

/** Operations by id; a test compares the list with the document that the server sends. */
const OPERATIONS = new Map(listedOperations().map((operation) => [operation.id, operation]));

/** On the desk, operations of a portal's key need write access. */
const asOnDesk = (access: string): string => (access === 'portal_key' ? 'edit' : access);

describe('rights of the bridge', () => {
  it('equal those of the HTTP operations with the same effect', () => {
    const differences = Object.entries(TABLE).flatMap(([name, call]) => {
      const { access: needs, about } = call;
      return idsOf(call).flatMap((id) => {
        const operation = OPERATIONS.get(id);
        if (!operation) return [`${name}: there is no operation ${id}`];
        const { access, isForPrefixes } = operation;
        return [
          ...(asOnDesk(access) === needs ? [] : [`${name} needs ${needs}, ${id} needs ${access}`]),
          ...(isForPrefixes === (about !== 'server') ? [] : [`${name} and ${id} differ for tokens with a prefix`]),
        ];
      });
    });
    expect(differences).toEqual([]);
  });

  it('match the documentation; an intended change rewrites it with --update', async () => {
    await expect(wrapMarkdown(page())).toMatchFileSnapshot('../../docs/reference/rights.md');
  });
});

function page(): string {
  const prefixOf = { stream: 'its streams', visible: 'its streams', server: 'no' } as const;
  const calls = Object.entries(TABLE).map(([name, call]) => {
    return `| \`${name}\` | \`${call.access}\` | ${prefixOf[call.about]} | ${
      idsOf(call)
        .map((id) => `\`${id}\``)
        .join(', ') || '–'
    } |`;
  });
  const operations = [...OPERATIONS]
    .filter(([, { access }]) => access !== 'public')
    .map(
      ([id, { method, path, access, isForPrefixes }]) =>
        `| \`${method} ${path}\` | \`${id}\` | \`${access}\` | ${['probe', 'portal_key'].includes(access) ? '–' : isForPrefixes ? 'its streams' : 'no'} |`,
    );
  return `# Rights

All calls of the desk and all operations of the HTTP APIs, with the access that they need. A test writes this page from the
tables in the code, and fails if a call of the desk and the equivalent HTTP operation need different rights.
[Security](security.md) describes logins and tokens.

| access | who has it |
|---|---|
| \`probe\` | everyone, with any login or none |
| \`view\` | \`view_auth\`, \`edit_auth\`, tokens of any scope; everyone if no login is configured. Answers contain [no secrets](security.md#answers-without-write-access) |
| \`operate\` | \`edit_auth\`, tokens of scope \`operate\` or \`admin\` |
| \`edit\` | \`edit_auth\`, tokens of scope \`admin\`; without \`edit_auth\`, the machine of the server |
| \`portal_key\` | a key of the portal in \`X-Auth-Token\`, with a scope that allows the operation; on the desk, \`edit\` |

The column "prefix" shows what a token with \`prefix\` may do: act on its streams, or nothing (\`no\`: 403 \`forbidden\`).
Addresses that play media are not listed: [Authorization](authorization.md) describes who may watch.

## Calls of the desk

| call | needs | prefix | equivalent HTTP operations |
|---|---|---|---|
${calls.join('\n')}

## HTTP operations

Paths without a leading \`/mediaserver\`, \`/streamer\`, \`/-\` or \`/tv-management\` are below the prefix of the collection API. The
OpenAPI document has the same facts as \`x-access\` and \`x-prefix-tokens\`.

| operation | id | needs | prefix |
|---|---|---|---|
${operations.join('\n')}
`;
}
