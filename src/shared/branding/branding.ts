/** How pages of an organization look. */
export interface Branding {
  /** Of buttons and links, as `#rrggbb` in lower case. */
  readonly accentColor: string;
  /** The first colors of charts, as `#rrggbb` in lower case; at most twelve. */
  readonly chartColors: readonly string[];
}

export const defaultBranding: Branding = { accentColor: '#3b59b4', chartColors: [] };

/** As many as the palette of a chart has. */
export const maxChartColors = 12;

let current = defaultBranding;

/** Sets the branding of what is drawn from now on. Like the region: a page or an export belongs to one organization. */
export function setBranding({ accentColor, chartColors }: Branding): void {
  current = { accentColor, chartColors };
}

export const currentBranding = (): Branding => current;
