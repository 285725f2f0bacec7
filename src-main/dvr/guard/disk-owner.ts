import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { MachineTime } from '../../lib/machine-time.ts';

const ownerSchema = z.object({
  /** Random id of this run of the server. */
  token: z.string().max(100),
  /** Id of the data folder, which one server uses at a time. */
  server: z.string().max(100),
  host: z.string().max(300),
  pid: z.int(),
  /** Start time of the process as reported by the system; null if unknown. */
  started: z.string().max(100).nullable(),
  /** Scope of `pid`: boot id and pid namespace. Null if unknown. */
  space: z.string().max(200).nullable(),
  dataFolder: z.string().max(4096),
  /** Start of the server, UTC. */
  since: z.string().max(40),
  /** Number of renewals of the file by this owner. */
  beat: z.int(),
});

/** Owner of a disk: the content of its owner file. */
export type DiskOwner = Readonly<z.infer<typeof ownerSchema>>;

/** Owner files of disks. All errors except `EEXIST` of `create` are thrown. */
export interface OwnerFiles {
  /** Undefined if there is no file. */
  read(folder: string): Promise<string | undefined>;
  /** Creates a file atomically. @returns false if it exists */
  create(folder: string, text: string): Promise<boolean>;
  /** Replaces a file atomically. */
  replace(folder: string, text: string): Promise<void>;
  remove(folder: string): Promise<void>;
}

/** Access to the processes of the system. */
export interface ProcessPort {
  readonly pid: number;
  readonly host: string;
  readonly space: string | null;
  /** Start time of a process of this machine; null if it does not run; undefined if unknown. */
  startOf(pid: number): Promise<string | null | undefined>;
}

export interface DiskOwnersOptions {
  readonly files: OwnerFiles;
  readonly processes: ProcessPort;
  readonly machine: MachineTime;
  readonly server: string;
  readonly dataFolder: string;
  readonly since: string;
}

/** Interval at which an owner renews its file, in milliseconds; long enough for disks to spin down. */
const BEAT_MS = 60_000;
/**
 * Time without a change of the owner file after which an owner whose process cannot be checked counts as ended, in
 * milliseconds.
 */
const SILENT_MS = 3 * BEAT_MS + 10_000;

/** Disk that this server owns. */
interface Claim {
  beat: number;
  /** Uptime at the last renewal of the file, in milliseconds. */
  beatMs: number;
}

/** Other owner of a disk, as last read from its file. */
interface SeenOwner {
  readonly text: string;
  /** Uptime in milliseconds at which the file was first read with this text. */
  readonly sinceMs: number;
}

/** Claims disks for this server by a file on each, so that a second server neither writes to them nor deletes from them. */
export class DiskOwners {
  readonly #options: DiskOwnersOptions;
  readonly #token = randomUUID();
  readonly #claims = new Map<string, Claim>();
  readonly #otherOwners = new Map<string, SeenOwner>();

  constructor(options: DiskOwnersOptions) {
    this.#options = options;
  }

  /**
   * Claims a disk, or confirms the claim. Called in a turn of the disk every few seconds.
   *
   * @returns the other server that owns the disk; undefined if this server does
   */
  async claim(folder: string): Promise<DiskOwner | undefined> {
    const { files, machine } = this.#options;
    const text = await files.read(folder);
    const owner = text === undefined ? undefined : readOwner(text);
    if (text === undefined || !owner) {
      // An unreadable text was cut off during a write.
      const isMine = text === undefined ? await files.create(folder, await this.#text(0)) : await this.#take(folder);
      if (!isMine) return this.claim(folder);
      this.#keepClaim(folder, 0);
      return undefined;
    }
    if (owner.token === this.#token) {
      const claim = this.#keepClaim(folder, owner.beat);
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

  /** Removes the owner files of all claimed disks. Files that cannot be removed stay. */
  async close(): Promise<void> {
    await Promise.all([...this.#claims.keys()].map(async (folder) => this.#release(folder).catch(() => undefined)));
  }

  async #release(folder: string): Promise<void> {
    const { files } = this.#options;
    const text = await files.read(folder);
    if (text !== undefined && readOwner(text)?.token === this.#token) await files.remove(folder);
    this.#claims.delete(folder);
  }

  #keepClaim(folder: string, beat: number): Claim {
    this.#otherOwners.delete(folder);
    const existing = this.#claims.get(folder);
    if (existing) return existing;
    const claim = { beat, beatMs: this.#options.machine.uptimeMs() };
    this.#claims.set(folder, claim);
    return claim;
  }

  /** Replaces an owner that has exited. @returns false if another server was faster */
  async #take(folder: string): Promise<boolean> {
    const { files } = this.#options;
    await files.replace(folder, await this.#text(0));
    const text = await files.read(folder);
    const isMine = text !== undefined && readOwner(text)?.token === this.#token;
    if (isMine) this.#keepClaim(folder, 0);
    return isMine;
  }

  async #isGone(folder: string, owner: DiskOwner, text: string): Promise<boolean> {
    const { processes, server, machine } = this.#options;
    const isHere = owner.space !== null && owner.space === processes.space && owner.host === processes.host;
    const started = isHere ? await processes.startOf(owner.pid) : undefined;
    if (started !== undefined && owner.started !== null) return started !== owner.started;
    // The data folder has its own lock, so an owner with the same server id is an earlier run, which has ended. If this
    // run has already claimed or read the disk, the owner is a running clone of the server instead.
    if (owner.server === server && !this.#claims.has(folder) && !this.#otherOwners.has(folder)) return true;
    const seen = this.#otherOwners.get(folder);
    if (seen?.text !== text) {
      this.#otherOwners.set(folder, { text, sinceMs: machine.uptimeMs() });
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

/** Describes an owner for operators. */
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
