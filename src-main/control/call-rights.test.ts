import { describe, expect, it } from 'vitest';
import { CALLS } from '../../src-preload/contract/calls.ts';
import type { Operation, OperationTable } from '../../src-preload/contract/operations/operation.ts';
import { wrapMarkdown } from '../../scripts/wrap-markdown.ts';
import { domainOf } from '../../src-preload/contract/operation-domains.ts';
import { ACCESSES, DOMAINS, ROLES, roleAllows, type Access } from '../../src-preload/contract/operations/roles.ts';
import { listedOperations } from '../../tests/helpers/api-operations.ts';

const TABLE: OperationTable = CALLS;
/** Roles other than administrator that may use an operation. */
const rolesFor = (id: string, access: string): string =>
  ACCESSES.some((one) => one === access)
    ? ROLES.filter((role) => role !== 'administrator' && roleAllows(role, domainOf(id), access as Access)).join(', ') ||
      '–'
    : '–';

/** Ids of the HTTP operations with the same effect as a call. */
const idsOf = ({ http, sameAs = [] }: Operation): string[] => [...(http ? [http.id] : []), ...sameAs];

/** Operations by id. A test compares this list with the document that the server sends. */
const OPERATIONS = new Map(listedOperations().map((operation) => [operation.id, operation]));

/** On the desk, operations of a portal key need edit access. */
const asOnDesk = (access: string): string => (access === 'portal_key' ? 'edit' : access);

describe('access rights of desk calls', () => {
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

  it('match the documentation (update it with --update)', async () => {
    await expect(wrapMarkdown(page())).toMatchFileSnapshot('../../docs/reference/rights.md');
  });
});

const OTHER_ROLES = ROLES.filter((role) => role !== 'administrator');

function page(): string {
  const prefixOf = { stream: 'its streams', visible: 'its streams', server: 'no' } as const;
  const calls = Object.entries(TABLE).map(([name, call]) => {
    return `| \`${name}\` | \`${call.access}\` | ${prefixOf[call.about]} | ${rolesFor(name, call.access)} | ${
      idsOf(call)
        .map((id) => `\`${id}\``)
        .join(', ') || '–'
    } |`;
  });
  const operations = [...OPERATIONS]
    .filter(([, { access }]) => access !== 'public')
    .map(
      ([id, { method, path, access, isForPrefixes }]) =>
        `| \`${method} ${path}\` | \`${id}\` | \`${access}\` | ${['probe', 'portal_key'].includes(access) ? '–' : isForPrefixes ? 'its streams' : 'no'} | ${rolesFor(id, access)} |`,
    );
  const domains = DOMAINS.map((domain) => {
    const highest = OTHER_ROLES.map((role) => ACCESSES.findLast((access) => roleAllows(role, domain, access)));
    return `| \`${domain}\` | ${highest.map((access) => (access === undefined ? '–' : `\`${access}\``)).join(' | ')} |`;
  });
  return `# Rights

This page lists all calls of the desk and all operations of the HTTP APIs, with the access that they need. A test writes this page from the
tables in the code, and fails if a call of the desk and the equivalent HTTP operation need different rights.
[Security](security.md) describes logins and tokens.

| access | who has it |
|---|---|
| \`probe\` | everyone, with any login or none |
| \`view\` | \`view_auth\`, \`edit_auth\`, tokens of any scope, people by their role; everyone if no login is configured. Answers contain [no secrets](security.md#answers-without-write-access) |
| \`operate\` | \`edit_auth\`, tokens of scope \`operate\` or \`admin\`, people by their role |
| \`edit\` | \`edit_auth\`, tokens of scope \`admin\`, people by their role; without \`edit_auth\`, the machine of the server |
| \`portal_key\` | a key of the portal in \`X-Auth-Token\`, with a scope that allows the operation; on the desk, \`edit\` |

The column "prefix" shows what a token with \`prefix\`, or a person who is limited to some streams, may do: act on their streams,
or nothing (\`no\`: 403 \`forbidden\`).
Addresses that play media are not listed: [Authorization](authorization.md) describes who may watch.

## Roles

The role of a [person](security.md#people) determines what the person may do in each domain: \`view\` reads, \`operate\` also acts
on streams, recordings and other objects, and \`edit\` also changes settings. A dash means that all operations of the domain
are refused (403 \`role_forbidden\`). An administrator may do everything, like \`edit_auth\`. In the
tables below, the column "roles" lists the other roles that may use an operation.

| domain | ${OTHER_ROLES.join(' | ')} |
|---|${OTHER_ROLES.map(() => '---').join('|')}|
${domains.join('\n')}

Every page of the desk needs the domain \`desk\`. Without the domain \`log\`, a role gets only the events of the
pages that it may see. Answers show secrets only in domains with the access \`edit\`.

## Limits to some streams

A person or a token that is limited to prefixes has the rights of the role or scope for the streams with these names and all
streams below them. All other streams do not exist for them. An operation is refused unless its effect can be limited to their streams:

| kind | what they may see or do |
|---|---|
| streams, alarms, viewers, exports, archives, labels, media of the desk | those of their streams; others are not found or refused |
| history of alarms, log of advertisements, log, metrics, counts | rows about their streams; no rows about the whole server, except their own acts in the log |
| actions that name several streams | refused if one of the streams is not theirs |
| walls | walls with their streams, without other streams. They may save and remove walls that show only their streams; other walls keep their keys |
| showing a wall in all windows | only windows that may see the wall; a person does not switch windows of logins without a limit |
| their own password | as without a limit |
| configuration, its state and history, cases, bans, VOD locations, clips, portals, subscribers, event sinks, the system, people | nothing: they show or change other streams |

Exports to a VOD location are refused too, because all viewers of the location could read the file.

Cases are closed to them because a case is one piece of evidence: a list of moments of any streams, in one order, with one
description, one export and its check sums. A case without the moments of other streams would be another case than the one that other
operators see, and its title and description could still name these streams. People who are limited to some streams lock,
note and export recordings of their streams instead; a person without a limit adds them to a case.

## Calls of the desk

| call | needs | prefix | roles | equivalent HTTP operations |
|---|---|---|---|---|
${calls.join('\n')}

## HTTP operations

Paths without a leading \`/mediaserver\`, \`/streamer\`, \`/-\` or \`/tv-management\` are below the prefix of the collection API. The
OpenAPI document has the same facts as \`x-access\` and \`x-prefix-tokens\`.

| operation | id | needs | prefix | roles |
|---|---|---|---|---|
${operations.join('\n')}
`;
}
