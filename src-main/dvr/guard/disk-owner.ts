import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { MachineTime } from '../../lib/machine-time.ts';

const ownerSchema = z.object({
  /** Of this run of the server: another one for each. */
  token: z.string().max(100),
  /** Of the data folder, which one server uses at a time. */
  server: z.string().max(100),
  host: z.string().max(300),
  pid: z.int(),
  /** When the process started, as the system counts it; null where it does not say. */
  started: z.string().max(100).nullable(),
  /** Names the space that `pid` counts in: the start of the machine and the namespace of processes. Null where it is not known. */
  space: z.string().max(200).nullable(),
  dataFolder: z.string().max(4096),
  /** In UTC. */
  since: z.string().max(40),
  beat: z.int(),
});

/** Who uses a disk: the content of its owner file. */
export type DiskOwner = Readonly<z.infer<typeof ownerSchema>>;

/** The owner files of disks. Everything but `EEXIST` of `create` is raised. */
export interface OwnerFiles {
  /** Undefined where there is no file. */
  read(folder: string): Promise<string | undefined>;
  /** Makes a file in one step. @returns false where there is one */
  create(folder: string, text: string): Promise<boolean>;
  /** Replaces a file in one step. */
  replace(folder: string, text: string): Promise<void>;
  remove(folder: string): Promise<void>;
}

/** What is known of processes. */
export interface ProcessPort {
  readonly pid: number;
  readonly host: string;
  readonly space: string | null;
  /** When a process of this machine started; null where it does not run; undefined where this cannot be found out. */
  startOf(pid: number): Promise<string | null | undefined>;
}

/** Options of `DiskOwners`. */
export interface DiskOwnersOptions {
  readonly files: OwnerFiles;
  readonly processes: ProcessPort;
  readonly machine: MachineTime;
  readonly server: string;
  readonly dataFolder: string;
  readonly since: string;
}

/** How often an owner writes that it lives, in milliseconds: seldom, so that disks may sleep for a while. */
const BEAT_MS = 60_000;
/** An owner whose process cannot be looked at is gone when its file does not change for this long, in milliseconds. */
const SILENT_MS = 3 * BEAT_MS + 10_000;

interface Claim {
  beat: number;
  beatMs: number;
}

/** The owner of a disk that was seen last, and since when its file did not change. */
interface Seen {
  readonly text: string;
  readonly sinceMs: number;
}

/** Holds disks for this server by a file on each, so that a second server neither writes nor deletes there. */
export class DiskOwners {
  readonly #options: DiskOwnersOptions;
  readonly #token = randomUUID();
  readonly #claims = new Map<string, Claim>();
  readonly #seen = new Map<string, Seen>();

  constructor(options: DiskOwnersOptions) {
    this.#options = options;
  }

  /**
   * Takes a disk, or sees to it that it is still held. To be called in a turn of the disk, every few seconds.
   *
   * @returns the other server that holds it; undefined where this one does
   */
  async claim(folder: string): Promise<DiskOwner | undefined> {
    const { files, machine } = this.#options;
    const text = await files.read(folder);
    const owner = text === undefined ? undefined : readOwner(text);
    if (text === undefined || !owner) {
      // A file that cannot be understood was cut off while it was written.
      const isMine = text === undefined ? await files.create(folder, await this.#text(0)) : await this.#take(folder);
      if (!isMine) return this.claim(folder);
      this.#hold(folder, 0);
      return undefined;
    }
    if (owner.token === this.#token) {
      const claim = this.#hold(folder, owner.beat);
      if (machine.uptimeMs() - claim.beatMs >= BEAT_MS) {
        claim.beat++;
        claim.beatMs = machine.uptimeMs();
        await files.replace(folder, await this.#text(claim.beat));
      }
      return undefined;
    }
    if (!(await this.#isGone(folder, owner, text))) {
      this.#claims.delete(folder);
      return owner;
    }
    return (await this.#take(folder)) ? undefined : this.claim(folder);
  }

  /** Gives all disks free whose turn comes in time. */
  async close(): Promise<void> {
    await Promise.all([...this.#claims.keys()].map(async (folder) => this.#release(folder).catch(() => undefined)));
  }

  async #release(folder: string): Promise<void> {
    const { files } = this.#options;
    const text = await files.read(folder);
    if (text !== undefined && readOwner(text)?.token === this.#token) await files.remove(folder);
    this.#claims.delete(folder);
  }

  #hold(folder: string, beat: number): Claim {
    this.#seen.delete(folder);
    const known = this.#claims.get(folder);
    if (known) return known;
    const claim = { beat, beatMs: this.#options.machine.uptimeMs() };
    this.#claims.set(folder, claim);
    return claim;
  }

  /** Takes the place of an owner that is gone. @returns whether no other server was faster */
  async #take(folder: string): Promise<boolean> {
    const { files } = this.#options;
    await files.replace(folder, await this.#text(0));
    const text = await files.read(folder);
    const isMine = text !== undefined && readOwner(text)?.token === this.#token;
    if (isMine) this.#hold(folder, 0);
    return isMine;
  }

  async #isGone(folder: string, owner: DiskOwner, text: string): Promise<boolean> {
    const { processes, server, machine } = this.#options;
    const isHere = owner.space !== null && owner.space === processes.space && owner.host === processes.host;
    const started = isHere ? await processes.startOf(owner.pid) : undefined;
    if (started !== undefined && owner.started !== null) return started !== owner.started;
    // The data folder is locked by itself: an earlier run of this server is over. Unless the disk was just lost to a clone of it.
    if (owner.server === server && !this.#claims.has(folder) && !this.#seen.has(folder)) return true;
    const seen = this.#seen.get(folder);
    if (seen?.text !== text) {
      this.#seen.set(folder, { text, sinceMs: machine.uptimeMs() });
      return false;
    }
    return machine.uptimeMs() - seen.sinceMs >= SILENT_MS;
  }

  async #text(beat: number): Promise<string> {
    const { processes, server, dataFolder, since } = this.#options;
    const { pid, host, space } = processes;
    const started = (await processes.startOf(pid)) ?? null;
    const owner: DiskOwner = { token: this.#token, server, host, pid, started, space, dataFolder, since, beat };
    return `${JSON.stringify(owner)}\n`;
  }
}

/** Names an owner for operators. */
export function printOwner({ host, pid, dataFolder, since }: DiskOwner): string {
  return `process ${pid} on ${host}, data folder ${dataFolder}, since ${since}`;
}

function readOwner(text: string): DiskOwner | undefined {
  try {
    return ownerSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
