/** Waits for a number of bytes of memory; resolves with their release function. Rejects if there is no memory. */
export type TakeRoom = (bytes: number) => Promise<() => void>;
