import { setTimeout as delay } from 'node:timers/promises';
import { listDashboardsBy, type Account } from '../load/requests.ts';

/** Resolves when everything is in the index of dashboards: until then, a list by name returns status 503. */
export async function waitForIndex(origin: string, account: Account): Promise<void> {
  const { path, headers } = listDashboardsBy(account, 'list by name', '?sort=name');
  for (;;) {
    const { status } = await fetch(`${origin}${path}`, { headers });
    if (status === 200) return;
    if (status !== 503) throw new Error(`A list by name returned status ${status}.`);
    await delay(100);
  }
}
