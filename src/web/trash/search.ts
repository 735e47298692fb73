/** The tab that the URL of the trash names; without one, the dashboards of the organization. */
export interface TrashSearch {
  readonly show?: 'reports' | 'tables' | 'private';
}

export const readTrashSearch = ({ show }: Readonly<Record<string, unknown>>): TrashSearch =>
  show === 'reports' || show === 'tables' || show === 'private' ? { show } : {};
