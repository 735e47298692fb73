/** The tabs of the trash, other than that of the organization's dashboards. */
const tabs = ['reports', 'folders', 'data-sources', 'tables', 'private'] as const;

/** The tab that the URL of the trash names; without one, the dashboards of the organization. */
export interface TrashSearch {
  readonly show?: (typeof tabs)[number];
}

export function readTrashSearch({ show }: Readonly<Record<string, unknown>>): TrashSearch {
  const tab = tabs.find((one) => one === show);
  return tab === undefined ? {} : { show: tab };
}
