import type { Command, PackageContent } from './command.ts';

/** What the database knows of the viewer who has a token. */
export interface ViewerFacts {
  readonly subscriberId: string;
  readonly isDisabled: boolean;
  readonly isPortalDisabled: boolean;
  readonly packages: readonly Pick<PackageContent, 'streams' | 'maxSessions'>[];
}

/** What the viewer with a token may play. */
export interface ViewerAccess {
  readonly subscriberId: string;
  /** Why nothing may be played; null where something may. */
  readonly refusal: 'disabled' | 'portal_disabled' | null;
  /** Which of the names that were asked for may be played, in their order. */
  readonly names: readonly string[];
  /** Sessions at a time; null without a limit. */
  readonly maxSessions: number | null;
}

/** A change of viewer tokens. */
export type ViewerTokenChange =
  | {
      readonly type: 'createToken';
      readonly portalId: string;
      readonly subscriberId: string;
      readonly name: string;
      /** SHA-256 of the token, hexadecimal. */
      readonly hash: string;
    }
  | {
      readonly type: 'removeToken';
      readonly portalId: string;
      readonly subscriberId: string;
      readonly tokenId: string;
    };

/**
 * What a viewer may play of some names: those that are in a package, or begin with a prefix of one that ends with `/`. The limit of sessions is the largest of
 * all packages of the subscriber, for it holds for all that they play.
 */
export function viewerAccess(facts: ViewerFacts, names: readonly string[]): ViewerAccess {
  const { subscriberId, packages } = facts;
  const refusal = facts.isPortalDisabled ? 'portal_disabled' : facts.isDisabled ? 'disabled' : null;
  if (refusal) return { subscriberId, refusal, names: [], maxSessions: null };
  const known = new Set(packages.flatMap(({ streams }) => streams));
  const most = packages.reduce((limit, { maxSessions }) => Math.max(limit, maxSessions ?? Infinity), 0);
  return {
    subscriberId,
    refusal,
    names: names.filter((name) => isIn(known, name)),
    maxSessions: most > 0 && Number.isFinite(most) ? most : null,
  };
}

function isIn(known: ReadonlySet<string>, name: string): boolean {
  if (known.has(name)) return true;
  for (let slash = name.indexOf('/'); slash !== -1; slash = name.indexOf('/', slash + 1))
    if (known.has(name.slice(0, slash + 1))) return true;
  return false;
}

/** Whose viewing a command may change: one subscriber's, that of all who have a package, or of no viewer. */
export function viewersOf(command: Command): { readonly subscriberId: string } | 'all' | 'none' {
  switch (command.type) {
    case 'disableSubscriber':
    case 'enableSubscriber':
    case 'deleteSubscriber':
    case 'attach':
    case 'detach':
      return { subscriberId: command.subscriberId };
    case 'updatePackage':
      return 'all';
    case 'createSubscriber':
    case 'updateSubscriber':
    case 'login':
    case 'createPackage':
    case 'deletePackage':
      return 'none';
    default:
      return command satisfies never;
  }
}
