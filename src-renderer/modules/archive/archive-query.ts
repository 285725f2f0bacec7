/** The query of an address of the archive page. @param ms epoch milliseconds; null for none */
export function archiveQuery(names: readonly string[], ms: number | null): Record<string, string> {
  return {
    ...(names.length > 0 ? { stream: names.join(',') } : {}),
    ...(ms === null ? {} : { at: new Date(ms).toISOString() }),
  };
}
