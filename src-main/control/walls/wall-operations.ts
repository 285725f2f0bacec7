import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { WALL_CALLS } from '../../../src-preload/contract/operations/wall-calls.ts';
import type { Handlers } from '../../operators/handlers.ts';
import type { WallService } from './wall-service.ts';

interface Context {
  readonly walls?: WallService | undefined;
}

/** Walls, which all desks of a server share. */
export function wallOperations(context: Context): Handlers<typeof WALL_CALLS> {
  const walls = (): WallService => requireWalls(context);
  return {
    'walls.list': (_, { caller }) => ({ walls: walls().list(caller) }),
    'walls.save': (wall, { caller }) => {
      walls().save(wall);
      return { walls: walls().list(caller) };
    },
    'walls.remove': ({ name }, { caller }) => {
      walls().remove(name);
      return { walls: walls().list(caller) };
    },
  };
}

/** Raises `unavailable` if the server has no desk. */
export function requireWalls({ walls }: Context): WallService {
  if (!walls) throw new AirdeskError('unavailable', 'This server has no desk');
  return walls;
}
