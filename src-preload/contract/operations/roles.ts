/**
 * Subjects of operations and pages, for the rights of roles. `desk`: data that every page of the desk needs; `account`: the
 * caller's own login.
 */
export const DOMAINS = [
  'desk',
  'account',
  'streams',
  'walls',
  'alarms',
  'archive',
  'breaks',
  'clips',
  'viewers',
  'subscribers',
  'portals',
  'log',
  'system',
  'configuration',
  'people',
] as const;
/** Subject of operations and pages. */
export type Domain = (typeof DOMAINS)[number];

/** Domains whose operations all concern the whole server, so that they are closed to callers that are limited to some streams. */
export const SERVER_DOMAINS: ReadonlySet<Domain> = new Set<Domain>([
  'clips',
  'subscribers',
  'portals',
  'system',
  'configuration',
  'people',
]);

/** Kinds of access, in ascending order. Each kind includes the kinds before it. */
export const ACCESSES = ['view', 'operate', 'edit'] as const;
/** Kind of access. */
export type Access = (typeof ACCESSES)[number];

/** Highest access of a role in each domain. A role has no access to domains that are not listed. */
type RoleAccess = Readonly<Partial<Record<Domain, Access>>>;

const EVERYONE = { desk: 'view', account: 'operate', streams: 'view' } as const;
const WATCHING = { ...EVERYONE, walls: 'view', alarms: 'view', archive: 'view' } as const;

/** Rights of people, by role. Operations that are not listed are forbidden. */
const ROLE_ACCESS = {
  viewer: WATCHING,
  operator: {
    ...WATCHING,
    streams: 'operate',
    walls: 'operate',
    alarms: 'operate',
    archive: 'operate',
    breaks: 'operate',
    viewers: 'operate',
    clips: 'view',
    log: 'view',
    system: 'view',
  },
  editor: { ...WATCHING, archive: 'operate', breaks: 'operate', clips: 'operate' },
  clerk: { ...EVERYONE, subscribers: 'edit', log: 'view' },
  administrator: Object.fromEntries(DOMAINS.map((domain) => [domain, 'edit'])),
} as const satisfies Readonly<Record<string, RoleAccess>>;

/** Role of a person. */
export type Role = keyof typeof ROLE_ACCESS;
// The keys of the table are its key type.
/** Roles of people. */
export const ROLES = Object.keys(ROLE_ACCESS) as [Role, ...Role[]];

/** Whether a role has an access in a domain. */
export function roleAllows(role: Role, domain: Domain | undefined, access: Access): boolean {
  const table: RoleAccess = ROLE_ACCESS[role];
  const highest = domain === undefined ? undefined : table[domain];
  return highest !== undefined && ACCESSES.indexOf(access) <= ACCESSES.indexOf(highest);
}
