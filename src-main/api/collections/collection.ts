import type { ErrorCode } from '../../../src-preload/contract/index.ts';
import type { ChangedBy } from '../../operators/caller.ts';
import type { ObjectSource } from '../objects/object-source.ts';
import type { BodySchema } from '../endpoints/endpoint.ts';
import type { JsonObject } from '../endpoints/json-schema.ts';
import type { Applied } from '../../configuration/configuration-change.ts';
import type { ObjectRemoval, ObjectWrite, ObjectWritten } from '../objects/object-edits.ts';

/** How the objects of a collection are changed. */
export interface CollectionWriter {
  /** Makes or changes an object. */
  readonly put: (key: string, write: ObjectWrite, by: ChangedBy) => Promise<ObjectWritten>;
  /** An object as it would be shown after a change that was not made. */
  readonly preview: (key: string, applied: Applied) => JsonObject;
  /** Where its objects stand in the configuration. */
  readonly collection: string;
  /** Whether another key in the body of a PUT renames the object. */
  readonly isRenamed?: boolean;
  /** A name for an object that came without one; absent where names are not made. */
  readonly newKey?: () => string;
}

/** One collection: where it is, what its objects are, where they come from and how they are changed. */
export interface Collection<Row = unknown> {
  /** Below the prefix: `/cluster/peers`. */
  readonly path: string;
  /** Name of the list in answers. */
  readonly name: string;
  /** Name of the schema of one object, and beginning of the ids of its endpoints. */
  readonly item: string;
  /** The field that identifies an object; its value is the last segment of the address. */
  readonly key: string;
  readonly schema: BodySchema;
  /** Fields that are added to every order; the last is different for every object. */
  readonly implicitSort: readonly string[];
  readonly source: ObjectSource<Row>;
  /** Resolves when the source knows what is shown now; absent where it always does. */
  readonly refresh?: () => Promise<void>;
  /** Code of the error for an object that is not there. */
  readonly missing: ErrorCode;
  /** Whether the field `name` of its objects names a stream: tokens for some streams see and change those objects only. */
  readonly isScoped?: boolean;
  readonly writer?: CollectionWriter;
  /** The settings of an object with their secrets, which never leave the server; undefined for one that is not configured. */
  readonly unmasked?: (key: string) => object | undefined;
  /** For the document: the key of an object, what is written of it, and some fields as they are shown. */
  readonly example?: { readonly key: string; readonly written: JsonObject; readonly shown: JsonObject };
  /** Removes an object; raises the error for one that is not there. Absent where none can be removed. */
  readonly remove?: (key: string, by: ChangedBy, removal: ObjectRemoval) => Promise<unknown>;
  /** Access needed to remove; default `edit`. */
  readonly removeAccess?: 'operate';
}
