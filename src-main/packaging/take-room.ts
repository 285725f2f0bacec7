/** Waits for memory of a number of bytes. Resolves with the function that returns it; raises if there is none. */
export type TakeRoom = (bytes: number) => Promise<() => void>;
