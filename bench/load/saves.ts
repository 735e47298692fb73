import type { Dashboard, DashboardInput } from '#contract/dashboards/dashboards.ts';
import { send } from '../server/account.ts';
import type { Target } from '../server/process-usage.ts';
import { createDashboard, saveDashboard, type Account, type LoadRequest } from './requests.ts';

export const widgetCount = 10;
/** How many dashboards are prepared at a time. */
const preparedAtOnce = 50;

/** Creates a dashboard of ten widgets. */
export const createOfTen = (account: Account): LoadRequest => {
  const request = createDashboard(account);
  const input = JSON.parse(request.body ?? '') as DashboardInput;
  const [first] = input.widgets ?? [];
  const widgets = Array.from({ length: widgetCount }, (_, index) => ({
    ...first,
    layout: { x: (index % 2) * 6, y: Math.floor(index / 2) * 4, w: 6, h: 4 },
  }));
  return { ...request, body: JSON.stringify({ ...input, widgets }) };
};

/**
 * Creates dashboards with two versions each. Returns ten saves of each that are based on the first version, and change a widget that no
 * other save changes: so every save is merged and stored.
 */
export async function prepareSaves(
  { origin }: Pick<Target, 'origin'>,
  account: Account,
  dashboardCount: number,
): Promise<LoadRequest[]> {
  const saves: LoadRequest[] = [];
  for (let made = 0; made < dashboardCount; made += preparedAtOnce) {
    const length = Math.min(preparedAtOnce, dashboardCount - made);
    const ofEach = await Promise.all(Array.from({ length }, () => prepareSavesOfOne(origin, account)));
    // The saves of one dashboard are far apart, so that few wait for each other.
    for (let index = 0; index < widgetCount; index += 1) {
      saves.push(...ofEach.flatMap((one) => one[index] ?? []));
    }
  }
  return saves;
}

async function prepareSavesOfOne(origin: string, account: Account): Promise<LoadRequest[]> {
  const { id, name, widgets } = (await send(origin, createOfTen(account))) as Dashboard;
  await send(origin, saveDashboard(account, { id, edit: { name: `${name} 2`, widgets } }));
  return widgets.map((_, changed) => {
    const edited = widgets.map((widget, index) =>
      index === changed ? { ...widget, config: { ...widget.config, title: 'Changed' } } : widget,
    );
    return saveDashboard(account, { id, edit: { name, widgets: edited } });
  });
}
