/** The playback of one viewer, as the APIs and the desk see it. */
export interface SessionView {
  /** Unique. */
  readonly id: string;
  /** Identifies the same viewer when the viewer comes back; not unique. */
  readonly key: string;
  /** The stream or file, with its prefix. */
  readonly name: string;
  /** `hls`, `dash`, `mpegts` … */
  readonly proto: string;
  readonly ip: string;
  readonly status: 'establishing' | 'running' | 'finished';
  /** Epoch milliseconds. */
  readonly openedMs: number;
  /** Epoch milliseconds of the first byte of media; 0 before. */
  readonly startedMs: number;
  /** Epoch milliseconds of the last request or byte. */
  readonly lastMs: number;
  /** What was delivered. */
  readonly bytes: number;
  /** Two letters; null where it is not known. */
  readonly country: string | null;
  readonly token: string | null;
  readonly userAgent: string | null;
  readonly referer: string | null;
  readonly queryString: string;
  /** The user that the authorization backend named. */
  readonly userId: string | null;
  readonly maxSessions: number | null;
}

/** The sessions of the server. */
export interface SessionSource {
  /** All that are open, of one stream or file where a name is given. Read it in steps: there may be many. */
  list(name?: string): Iterable<SessionView>;
  get(id: string): SessionView | undefined;
  /** Ends a session. @returns whether there was one */
  close(id: string): boolean;
  /** Has the backend asked again about every session of a stream or file. @returns how many there are */
  reauth(name: string): number;
}
