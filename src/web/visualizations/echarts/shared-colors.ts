import { createContext } from 'react';
import { createValueColors, type ValueColors } from '#charts/drawing/value-colors.ts';

/** The colors that the charts around share; undefined if each has its own. */
export const SharedValueColors = createContext<ValueColors | undefined>(undefined);

const byDashboard = new Map<string, ValueColors>();

/** Returns the colors of the widgets of a dashboard, which are the same for viewing and editing it. */
export function valueColorsOf(dashboardId: string): ValueColors {
  const colors = byDashboard.get(dashboardId) ?? createValueColors();
  byDashboard.set(dashboardId, colors);
  return colors;
}
