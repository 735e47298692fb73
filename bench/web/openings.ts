import type { Section } from '../section.ts';
import { isDrawn, openList, timeUntil, type WebDesk } from './desk.ts';

/** Measures the memory of a page that opens a dashboard again and again, from the list and back. */
export async function measureMemoryOfOpenings(desk: WebDesk): Promise<Section> {
  const { sample, isQuick } = desk;
  const openings = isQuick ? 20 : 200;
  const warm = openings / 10;
  const context = await desk.newContext();
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const usedMegabytes = async () => {
    await devtools.send('HeapProfiler.collectGarbage');
    return (await devtools.send('Runtime.getHeapUsage')).usedSize / 1_000_000;
  };
  await openList(page, desk);
  const used: number[] = [];
  for (let opening = 1; opening <= openings; opening += 1) {
    await page.getByRole('link', { name: sample.name }).click();
    await page.evaluate(timeUntil(isDrawn(sample), '0'));
    await page.goBack();
    await page.getByRole('table').waitFor();
    if (opening === warm || opening === openings / 2 || opening === openings)
      used.push(await usedMegabytes());
  }
  await context.close();
  const [early = NaN, middle = NaN, late = NaN] = used;
  return {
    title: `Memory of the page over ${openings} openings of a dashboard, after collecting garbage`,
    rows: [
      {
        [`after ${warm}, MB`]: early.toFixed(1),
        [`after ${openings / 2}, MB`]: middle.toFixed(1),
        [`after ${openings}, MB`]: late.toFixed(1),
      },
    ],
    goals: [
      {
        what: 'after the last opening to after the first tenth',
        value: late / early,
        unit: '',
        bound: { atMost: 1.2 },
      },
    ],
    details: used,
  };
}
