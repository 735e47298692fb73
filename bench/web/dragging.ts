import type { Section } from '../section.ts';
import type { WebDesk } from './desk.ts';

/** Measures the longest task of the browser while a widget is dragged among fifty. */
export async function measureDragging(desk: WebDesk): Promise<Section> {
  const context = await desk.newContext();
  const page = await context.newPage();
  await page.goto(`${desk.url}/dashboards/${desk.full.id}/edit`);
  const handles = page.locator('[data-drag-handle]');
  await handles.nth(desk.full.widgetCount - 1).waitFor();
  await page.evaluate('new Promise((done) => requestIdleCallback(done, { timeout: 5000 }))');
  const box = await handles.first().boundingBox();
  if (box === null) throw new Error('The first widget has no bounding box.');
  await page.evaluate(`window.longTasks = [];
    new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: 'longtask' })`);
  const [x, y] = [box.x + 60, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let round = 0; round < (desk.isQuick ? 1 : 5); round += 1) {
    await page.mouse.move(x + 600, y + 300, { steps: 60 });
    await page.mouse.move(x, y, { steps: 60 });
  }
  await page.mouse.up();
  const tasks = await page.evaluate<number[]>(
    'new Promise((done) => setTimeout(() => done(window.longTasks), 200))',
  );
  await context.close();
  const longest = Math.max(0, ...tasks);
  return {
    title: `Dragging a widget among ${desk.full.widgetCount}`,
    rows: [{ 'tasks over 50 ms': String(tasks.length), 'longest ms': longest.toFixed(0) }],
    goals: [{ what: 'longest task', value: longest, unit: 'ms', bound: { atMost: 50 } }],
    details: tasks,
  };
}
