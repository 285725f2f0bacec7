import type { Operation } from '../../src-preload/contract/api/subscribers/operation-object.ts';
import type { CollectionStage, StageAnswer } from './collection-stage.ts';

export const PORTALS_PREFIX = '/tv-management/api/v1';

/** Portal with a key on a collection stage; requests are sent with that key. */
export class StagedPortal {
  readonly #stage: CollectionStage;
  readonly portalId: string;
  token: string;

  private constructor(stage: CollectionStage, portalId: string, token: string) {
    this.#stage = stage;
    this.portalId = portalId;
    this.token = token;
  }

  /** Creates a portal and a key of the portal. */
  static async make(stage: CollectionStage, name: string, options: object = {}): Promise<StagedPortal> {
    const { body: portal } = await stage.request('POST', `${PORTALS_PREFIX}/portals`, { name, ...options });
    const { portalId } = portal as { readonly portalId: string };
    const { body: key } = await stage.request('POST', `${PORTALS_PREFIX}/portals/${portalId}/keys`, {
      name: 'billing',
    });
    return new StagedPortal(stage, portalId, (key as { readonly token: string }).token);
  }

  /** Sends a request below the prefix of the API. */
  request(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<StageAnswer> {
    return this.#stage.request(method, PORTALS_PREFIX + path, body, { 'x-auth-token': this.token, ...headers });
  }

  /** Status, code and source of a refused request. */
  refusal(...[method, path, body, headers = {}]: Parameters<StagedPortal['request']>): Promise<unknown[]> {
    return this.#stage.refusal(method, PORTALS_PREFIX + path, body, { 'x-auth-token': this.token, ...headers });
  }

  /** Creates an object; returns its id. */
  async make(path: 'subscribers' | 'packages', body: object): Promise<string> {
    const created = await this.request('POST', `/${path}`, body);
    const { subscriberId, packageId } = created.body as { readonly subscriberId?: string; readonly packageId?: string };
    return subscriberId ?? packageId ?? '';
  }

  /** All operations found by a query, page by page. */
  async operations(query = '', limit = 1000): Promise<readonly Operation[]> {
    const found: Operation[] = [];
    for (let cursor = ''; ;) {
      const { status, body } = await this.request('GET', `/operations?limit=${limit}${query}${cursor}`);
      if (status !== 200) throw new Error(JSON.stringify(body));
      const { operations, next } = body as { readonly operations: readonly Operation[]; readonly next: string | null };
      found.push(...operations);
      if (next === null) return found;
      cursor = `&cursor=${next}`;
    }
  }
}
