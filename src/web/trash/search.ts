/** What the address of a bin says: which part of it is looked at; left out, the dashboards of the organization. */
export interface BinSearch {
  readonly show?: 'reports' | 'own';
}

export const readBinSearch = ({ show }: Readonly<Record<string, unknown>>): BinSearch =>
  show === 'reports' || show === 'own' ? { show } : {};
