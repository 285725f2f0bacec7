/** A command of a caller for a portal. */
export type Command =
  | {
      readonly type: 'createSubscriber';
      readonly name: string;
      readonly phoneCountryCode: string;
      readonly phone: string;
      /** Number in the billing system; none without it. */
      readonly customerNumber?: string | undefined;
      readonly note?: string | undefined;
    }
  /** The first login of a number creates its subscriber, if the portal allows it. */
  | { readonly type: 'login'; readonly name: string; readonly phoneCountryCode: string; readonly phone: string }
  | {
      readonly type: 'updateSubscriber';
      readonly subscriberId: string;
      readonly name?: string | undefined;
      readonly phoneCountryCode?: string | undefined;
      readonly phone?: string | undefined;
      readonly customerNumber?: string | undefined;
      readonly note?: string | undefined;
    }
  | { readonly type: 'disableSubscriber'; readonly subscriberId: string; readonly reason?: string | undefined }
  | { readonly type: 'enableSubscriber' | 'deleteSubscriber'; readonly subscriberId: string }
  | ({ readonly type: 'createPackage' } & PackageContent)
  | ({ readonly type: 'updatePackage'; readonly packageId: string } & {
      readonly [Key in keyof PackageContent]?: PackageContent[Key] | undefined;
    })
  | { readonly type: 'deletePackage'; readonly packageId: string }
  | {
      readonly type: 'attach';
      readonly subscriberId: string;
      readonly packageId: string;
      /** Planned start, ISO 8601; at once without it, or if it is in the past. */
      readonly startsAt?: string | null | undefined;
      /** Planned end, ISO 8601; null for none; undefined to keep the planned end. */
      readonly endsAt?: string | null | undefined;
    }
  /** `applyPlan` starts or ends a subscription whose planned time has come. */
  | { readonly type: 'detach' | 'applyPlan'; readonly subscriberId: string; readonly packageId: string };

/** Properties of a package except its id. */
export interface PackageContent {
  readonly name: string;
  /** True if automatically created subscribers get it. */
  readonly isFree: boolean;
  /** Names of streams, and prefixes that end with `/`. */
  readonly streams: readonly string[];
  /** Maximum number of concurrent sessions of a subscriber; null without a limit. */
  readonly maxSessions: number | null;
}

/** Properties of a subscriber that the rules need. */
export interface SubscriberFacts {
  readonly id: string;
  readonly name: string;
  readonly phoneCountryCode: string;
  readonly phone: string;
  /** Number in the billing system, unique in the portal; empty for none. */
  readonly customerNumber: string;
  readonly note: string;
  readonly isDisabled: boolean;
}

/** Properties of a package that the rules need. */
export interface PackageFacts extends PackageContent {
  readonly id: string;
}

/** Planned times of a subscription that has not ended, in epoch milliseconds; null for none. */
export interface PlanFacts {
  readonly startsMs: number | null;
  readonly endsMs: number | null;
}

/** State of one portal at the time of a command. */
export interface PortalFacts {
  readonly nowMs: number;
  readonly isAutoRegistration: boolean;
  subscriber(id: string): SubscriberFacts | undefined;
  subscriberOfPhone(phoneCountryCode: string, phone: string): SubscriberFacts | undefined;
  subscriberOfNumber(customerNumber: string): SubscriberFacts | undefined;
  package(id: string): PackageFacts | undefined;
  packageOfName(name: string): PackageFacts | undefined;
  packageCount(): number;
  freePackages(): readonly PackageFacts[];
  isAttached(subscriberId: string, packageId: string): boolean;
  /** Times that are still to come, or that were not applied yet. */
  plan(subscriberId: string, packageId: string): PlanFacts | undefined;
  packagesOf(subscriberId: string): readonly PackageFacts[];
  /** Number of subscribers with a running or planned subscription. */
  subscriberCount(packageId: string): number;
}
