/** What the URL of a history contains: the version that is shown, and the version that it is compared with. */
export interface HistorySearch {
  readonly version?: string;
  readonly with?: string;
}

export const readHistorySearch = (search: Readonly<Record<string, unknown>>): HistorySearch => ({
  ...(isVersion(search['version']) && { version: search['version'] }),
  ...(isVersion(search['with']) && { with: search['with'] }),
});

const isVersion = (text: unknown): text is string =>
  typeof text === 'string' && /^[1-9][0-9]{0,8}$/.test(text);
