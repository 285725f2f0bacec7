import type { Api, Endpoint } from './endpoint.ts';

/** Endpoints of one path. */
interface Leaf {
  /** Path with its prefix, by segments. */
  readonly path: readonly string[];
  readonly endpoints: Endpoint[];
  /** Whether pages of all origins may read the answers. */
  readonly isPublic: boolean;
}

export interface FoundEndpoints extends Pick<Leaf, 'endpoints' | 'isPublic'> {
  /** Decoded parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
}

/** Possible continuations after a segment of a path. */
interface Branch {
  readonly named: Map<string, Branch>;
  /** Continuation after a segment with any name. */
  any: Branch | undefined;
  /** Endpoints for which all remaining segments are one name. */
  rest: Leaf | undefined;
  /** Endpoints of the path that ends here. */
  leaf: Leaf | undefined;
}

/** Maximum length of a decoded name in one segment, in characters. */
const MAX_NAME_LENGTH = 2000;

/**
 * Paths of APIs under all their prefixes. A literal segment takes precedence over a parameter, and a parameter over a name of
 * all remaining segments. The router of the framework would need one route for each method of each path: thousands of routes,
 * which would take a quarter of the start time.
 */
export class EndpointTree {
  readonly #root: Branch = newBranch();

  constructor(apis: readonly Api[]) {
    for (const api of apis)
      for (const prefix of api.prefixes)
        for (const endpoint of api.endpoints) this.#add(segmentsOf(prefix + endpoint.path), endpoint, api);
  }

  /** Finds the endpoints of an address; undefined if there are none. @param url path and query, percent-encoded */
  find(url: string): FoundEndpoints | undefined {
    const segments = decoded(url);
    const leaf = segments && findLeaf(this.#root, segments, 0);
    return leaf && { endpoints: leaf.endpoints, isPublic: leaf.isPublic, params: parameters(leaf.path, segments) };
  }

  #add(path: readonly string[], endpoint: Endpoint, { isPublic = false }: Api): void {
    let branch = this.#root;
    for (const segment of path) {
      if (segment.startsWith('{+')) {
        branch.rest ??= { path, endpoints: [], isPublic };
        addTo(branch.rest, endpoint);
        return;
      }
      if (segment.startsWith('{')) branch = branch.any ??= newBranch();
      else {
        const next = branch.named.get(segment) ?? newBranch();
        branch.named.set(segment, next);
        branch = next;
      }
    }
    branch.leaf ??= { path, endpoints: [], isPublic };
    addTo(branch.leaf, endpoint);
  }
}

function addTo({ path, endpoints }: Leaf, endpoint: Endpoint): void {
  if (endpoints.some(({ method }) => method === endpoint.method))
    throw new Error(`${endpoint.method} /${path.join('/')} is served twice`);
  endpoints.push(endpoint);
}

function newBranch(): Branch {
  return { named: new Map(), any: undefined, rest: undefined, leaf: undefined };
}

function findLeaf(branch: Branch, segments: readonly string[], at: number): Leaf | undefined {
  const segment = segments[at];
  if (segment === undefined) return branch.leaf;
  const named = branch.named.get(segment);
  const found = named && findLeaf(named, segments, at + 1);
  if (found) return found;
  const any = segment.length <= MAX_NAME_LENGTH ? branch.any : undefined;
  return (any && findLeaf(any, segments, at + 1)) ?? branch.rest;
}

function parameters(path: readonly string[], segments: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    path.flatMap((name, at) => {
      if (name.startsWith('{+')) return [[name.slice(2, -1), segments.slice(at).join('/')]];
      return name.startsWith('{') ? [[name.slice(1, -1), segments[at] ?? '']] : [];
    }),
  );
}

function segmentsOf(path: string): string[] {
  return path.split('/').slice(1);
}

/** Decoded segments of the path of an address; undefined if a segment cannot be decoded. */
function decoded(url: string): string[] | undefined {
  const end = url.search(/[?#]/);
  const segments = segmentsOf(end === -1 ? url : url.slice(0, end));
  if (!url.includes('%')) return segments;
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
