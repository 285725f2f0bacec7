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
  | { readonly type: 'attach' | 'detach'; readonly subscriberId: string; readonly packageId: string };

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

/** State of one portal at the time of a command. */
export interface PortalFacts {
  readonly isAutoRegistration: boolean;
  subscriber(id: string): SubscriberFacts | undefined;
  subscriberOfPhone(phoneCountryCode: string, phone: string): SubscriberFacts | undefined;
  subscriberOfNumber(customerNumber: string): SubscriberFacts | undefined;
  package(id: string): PackageFacts | undefined;
  packageOfName(name: string): PackageFacts | undefined;
  packageCount(): number;
  freePackages(): readonly PackageFacts[];
  isAttached(subscriberId: string, packageId: string): boolean;
  packagesOf(subscriberId: string): readonly PackageFacts[];
  subscriberCount(packageId: string): number;
}
