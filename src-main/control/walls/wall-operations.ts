import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { streamNameSchema } from '../../../src-preload/contract/api/streams.ts';
import type { WALL_CALLS } from '../../../src-preload/contract/operations/wall-calls.ts';
import type { Handlers } from '../../operators/handlers.ts';
import type { WallService } from './wall-service.ts';

/** Walls, which all desks of a server share, and the labels of their tiles. */
export function wallOperations({ walls }: { readonly walls: WallService }): Handlers<typeof WALL_CALLS> {
  return {
    'walls.list': (_, { caller }) => ({ walls: walls.list(caller) }),
    'walls.save': (wall, { caller }) => {
      walls.save(caller, wall);
      return { walls: walls.list(caller) };
    },
    'walls.remove': ({ name }, { caller }) => {
      walls.remove(caller, name);
      return { walls: walls.list(caller) };
    },
    'walls.recall': ({ name, window }, { caller }) => {
      walls.recall(caller, name, window);
    },
    'walls.label': ({ name }) => walls.labels.get(requireName(name)),
    'walls.set_label': ({ name, ...change }) => walls.labels.set(requireName(name), change),
    'walls.remove_label': ({ name }) => {
      walls.labels.set(requireName(name), { umd: [], tally: 'off' });
    },
  };
}

/** Raises `bad_stream_name` for a name that no stream can have. */
function requireName(name: string): string {
  if (streamNameSchema.safeParse(name).success) return name;
  throw new AirdeskError('bad_stream_name', 'This is not a valid stream name', { parameter: 'name' });
}
