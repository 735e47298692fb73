import { setTimeout as delay } from 'node:timers/promises';
import { listDashboardsBy, type Account } from './requests.ts';

/** Resolves when all that was stored is in the index of dashboards: a list by name answers 503 until then. */
export async function waitForIndex(origin: string, account: Account): Promise<void> {
  const { path, headers } = listDashboardsBy(account, 'list by name', '?sort=name');
  for (;;) {
    const { status } = await fetch(`${origin}${path}`, { headers });
    if (status === 200) return;
    if (status !== 503) throw new Error(`A list by name answered ${status}.`);
    await delay(100);
  }
}
