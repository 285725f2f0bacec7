import type { ConfigDocument } from '../config/document.ts';
import { makeEdits, type ConfigEdit } from '../config/edit/edit-config.ts';
import { mergeJson } from '../config/edit/json-edits.ts';
import type { BlockRule } from '../config/edit/put-blocks.ts';
import type { JsonValue } from '../config/schema/value-schema.ts';
import type { ChangedBy } from '../operators/caller.ts';
import type { ChangeQueue } from './change-queue.ts';
import { editedDocument, editOfBlocks, parseSuccessor, type ConfigurationEdit } from './changed-document.ts';
import type { ConfigurationApplier } from './configuration-applier.ts';
import type { Applied, ChangeOptions } from './configuration-change.ts';
import type { ConfigurationInForce } from './configuration-in-force.ts';

export interface ChangesOptions {
  readonly queue: ChangeQueue;
  readonly inForce: Pick<ConfigurationInForce, 'config' | 'document'>;
  readonly applier: ConfigurationApplier;
}

/**
 * Changes of the configuration in force. Each change builds on the result of the earlier changes. If its result has mistakes, it
 * raises `ConfigurationError` and changes nothing. While a change awaits confirmation, every other change raises
 * `config_unconfirmed`.
 */
export class ConfigurationChanges {
  readonly #queue: ChangeQueue;
  readonly #inForce: Pick<ConfigurationInForce, 'config' | 'document'>;
  readonly #applier: ConfigurationApplier;

  constructor({ queue, inForce, applier }: ChangesOptions) {
    this.#queue = queue;
    this.#inForce = inForce;
    this.#applier = applier;
  }

  edit(edits: readonly ConfigEdit[], by: ChangedBy, options: ChangeOptions = {}): Promise<Applied> {
    return this.change((draft, config) => makeEdits(draft, edits, config), by, options);
  }

  /** Merges JSON (RFC 7386) as `mergeJson` does. */
  merge(fragment: JsonValue, by: ChangedBy, options: ChangeOptions = {}): Promise<Applied> {
    return this.change(mergeOf(fragment), by, options);
  }

  /** Applies a change of any kind. @param edit changes the draft; raises `EditProblem` */
  change(edit: ConfigurationEdit, by: ChangedBy, options: ChangeOptions = {}): Promise<Applied> {
    return this.#queue.run(async () => {
      options.check?.();
      return this.#applier.apply(await this.#edited(edit), by, options);
    });
  }

  /** Replaces or adds the blocks of a text (`stream a { … }`), by name. */
  async putText(text: string, by: ChangedBy, options: ChangeOptions = {}, rule?: BlockRule): Promise<Applied> {
    return this.change(await editOfBlocks(text, rule), by, options);
  }

  /** Applies a complete text. Masked secrets keep their values. */
  replace(text: string, by: ChangedBy, options: ChangeOptions = {}): Promise<Applied> {
    return this.#queue.run(async () => {
      options.check?.();
      return this.#applier.apply(await this.validate(text), by, options);
    });
  }

  /** Reads the file again and applies it. If the file has mistakes, raises them and keeps the previous configuration. */
  reload(by: ChangedBy): Promise<Applied> {
    return this.#queue.run(() => this.#applier.reload(by));
  }

  /** Parses a text without changing anything. Masked secrets keep their values. */
  validate(text: string): Promise<ConfigDocument> {
    return parseSuccessor(this.#inForce.document, text);
  }

  /** Result of merging JSON, without changing anything. Raises its mistakes. */
  validateMerge(fragment: JsonValue): Promise<ConfigDocument> {
    return this.#edited(mergeOf(fragment));
  }

  #edited(edit: ConfigurationEdit): Promise<ConfigDocument> {
    return editedDocument(this.#inForce.document, this.#inForce.config, edit);
  }
}

function mergeOf(fragment: JsonValue): ConfigurationEdit {
  return (draft, config) => mergeJson(draft, config, fragment);
}
