interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

/** Returns the items of all pages of a short list. */
export async function allPages<Item>(
  read: (query: { limit: string; cursor?: string }) => Promise<PageOf<Item>>,
): Promise<readonly Item[]> {
  const all: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await read({ limit: '200', ...(cursor !== undefined && { cursor }) });
    all.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}
