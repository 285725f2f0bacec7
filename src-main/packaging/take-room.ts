/** Waits for room in memory for so many bytes; gives back what returns it. Raises where there is none. */
export type TakeRoom = (bytes: number) => Promise<() => void>;
