import type { Command, PackageContent } from './command.ts';

/** Database record of the viewer with a token. */
export interface ViewerFacts {
  readonly subscriberId: string;
  readonly isDisabled: boolean;
  readonly isPortalDisabled: boolean;
  readonly packages: readonly Pick<PackageContent, 'streams' | 'maxSessions'>[];
}

/** Rights of the viewer with a token. */
export interface ViewerAccess {
  readonly subscriberId: string;
  /** Reason why nothing may be played; null if playback is allowed. */
  readonly refusal: 'disabled' | 'portal_disabled' | null;
  /** Requested names that may be played, in their order. */
  readonly names: readonly string[];
  /** Maximum number of concurrent sessions; null without a limit. */
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
 * Rights of a viewer. The viewer may play the requested names that a package lists, or that start with an entry of a
 * package that ends with `/`. A disabled subscriber, or a subscriber of a disabled portal, may play none. The session
 * limit is the largest of the subscriber's packages, because it applies to all streams together.
 */
export function viewerAccess(facts: ViewerFacts, names: readonly string[]): ViewerAccess {
  const { subscriberId, packages } = facts;
  const refusal = facts.isPortalDisabled ? 'portal_disabled' : facts.isDisabled ? 'disabled' : null;
  if (refusal) return { subscriberId, refusal, names: [], maxSessions: null };
  const known = new Set(packages.flatMap(({ streams }) => streams));
  const limitOfPackages = packages.reduce((limit, { maxSessions }) => Math.max(limit, maxSessions ?? Infinity), 0);
  return {
    subscriberId,
    refusal,
    names: names.filter((name) => isIn(known, name)),
    maxSessions: limitOfPackages > 0 && Number.isFinite(limitOfPackages) ? limitOfPackages : null,
  };
}

function isIn(known: ReadonlySet<string>, name: string): boolean {
  if (known.has(name)) return true;
  for (let slash = name.indexOf('/'); slash !== -1; slash = name.indexOf('/', slash + 1))
    if (known.has(name.slice(0, slash + 1))) return true;
  return false;
}

/** Viewers whose rights a command may change: one subscriber, all, or none. */
export function viewersOf(command: Command): { readonly subscriberId: string } | 'all' | 'none' {
  switch (command.type) {
    case 'disableSubscriber':
    case 'enableSubscriber':
    case 'deleteSubscriber':
    case 'attach':
    case 'detach':
    case 'applyPlan':
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
