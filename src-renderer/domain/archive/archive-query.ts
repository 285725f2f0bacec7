/** Query of an archive page URL. @param ms epoch milliseconds; null for none */
export function archiveQuery(names: readonly string[], ms: number | null): Record<string, string> {
  return {
    ...(names.length > 0 ? { stream: names.join(',') } : {}),
    ...(ms === null ? {} : { at: new Date(ms).toISOString() }),
  };
}
