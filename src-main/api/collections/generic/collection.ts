import type { ErrorCode } from '../../../../src-preload/contract/index.ts';
import type { ChangedBy } from '../../../operators/caller.ts';
import type { ObjectSource } from '../../objects/object-source.ts';
import type { BodySchema } from '../../endpoints/endpoint.ts';
import type { JsonObject } from '../../endpoints/json-schema.ts';
import type { Applied } from '../../../configuration/configuration-change.ts';
import type { ObjectRemoval, ObjectWrite, ObjectWritten } from '../../objects/object-edits.ts';

export interface CollectionWriter {
  readonly put: (key: string, write: ObjectWrite, by: ChangedBy) => Promise<ObjectWritten>;
  /** Object after a change that was only tried, for the answer to a dry run. */
  readonly preview: (key: string, applied: Applied) => JsonObject;
  /** Path of its objects in the configuration. */
  readonly collection: string;
  /** Whether a PUT whose body has another key renames the object. */
  readonly isRenamed?: boolean;
  /** Generates a name for an object without one; absent if names are not generated. */
  readonly newKey?: () => string;
}

/** One collection: its address, schema, source and writer. */
export interface Collection<Row = unknown> {
  /** Path below the prefix: `/cluster/peers`. */
  readonly path: string;
  /** Name of the list in answers. */
  readonly name: string;
  /** Name of an object's schema, and prefix of the endpoints' ids. */
  readonly item: string;
  /** Identifying field of an object; its value is the last segment of the address. */
  readonly key: string;
  readonly schema: BodySchema;
  /** Fields that are added at the end of every order. The last of them is unique. */
  readonly implicitSort: readonly string[];
  readonly source: ObjectSource<Row>;
  /** Resolves when the source is up to date; absent if it is always up to date. */
  readonly refresh?: () => Promise<void>;
  readonly missing: ErrorCode;
  /**
   * Whether the field `name` of its objects is a stream. Tokens limited to some streams then see and change only objects of these
   * streams.
   */
  readonly isScoped?: boolean;
  readonly writer?: CollectionWriter;
  /** Settings of an object with their secrets, which never leave the server; undefined if the object is not configured. */
  readonly unmasked?: (key: string) => object | undefined;
  /** Example for the document: the key of an object, a body for it, and some fields of the answer. */
  readonly example?: { readonly key: string; readonly written: JsonObject; readonly shown: JsonObject };
  /** Removes an object. Raises an error if it does not exist. Absent if objects cannot be removed. */
  readonly remove?: (key: string, by: ChangedBy, removal: ObjectRemoval) => Promise<unknown>;
  /** Access required for removal; default `edit`. */
  readonly removeAccess?: 'operate';
}
