import type { Layout } from '../../grid/layout.ts';
import type { Note } from '../conversion.ts';
import type { Fields } from '../values.ts';

/** A dashboard of Grafana, whatever the version of its schema. */
export interface GrafanaDashboard {
  readonly uid: string;
  readonly title: string;
  readonly description: string | undefined;
  /** Such as `now-6h`. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly variables: readonly Variable[];
  readonly groups: readonly Group[];
  readonly annotationNames: readonly string[];
  readonly linkCount: number;
  /** What of the file is not read, and why. */
  readonly unread: readonly Note[];
}

/** A grid of panels: of the dashboard, a tab, a row, or a row in a tab. */
export interface Group {
  readonly tab?: string | undefined;
  readonly section?: {
    readonly title: string;
    readonly isCollapsed: boolean;
    readonly repeat: string | undefined;
  };
  readonly panels: readonly Panel[];
}

export interface Panel {
  /** Unique in the dashboard. */
  readonly key: string;
  readonly title: string;
  readonly description: string | undefined;
  readonly type: string;
  /** On Grafana's 24 columns. */
  readonly place: Layout;
  readonly targets: readonly Target[];
  readonly options: Fields;
  readonly defaults: Fields;
  readonly overrides: readonly Fields[];
  /** The settings of panels of older versions, such as `graph`. */
  readonly older: Fields;
  readonly transformations: readonly string[];
  readonly linkCount: number;
  readonly repeat: string | undefined;
  /** The range and shift of time that it has instead of those of the dashboard. */
  readonly ownTime: string | undefined;
  readonly hasAlert: boolean;
  readonly isLibraryPanel: boolean;
}

export interface Target {
  readonly source: { readonly name: string; readonly type: string };
  readonly query: Fields;
  readonly isHidden: boolean;
}

export interface Variable {
  readonly name: string;
  readonly label: string | undefined;
  /** `query`, `custom`, `textbox`, `constant`, `interval`, `datasource`, `adhoc` or another one. */
  readonly type: string;
  readonly isMulti: boolean;
  readonly includesAll: boolean;
  /** The present value. */
  readonly values: readonly string[];
  readonly options: readonly string[];
  /** SQL of a `query` variable. */
  readonly query: string | undefined;
  readonly source: { readonly name: string; readonly type: string };
  readonly hasRegex: boolean;
}
