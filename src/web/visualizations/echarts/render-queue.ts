/** A page with many charts renders for at most this long before the browser can handle other events. */
const turnMs = 12;

const waiting = new Set<() => void>();
let isRendering = false;

/** Renders a chart after those that were added before. Returns a function that cancels it. */
export function renderInTurn(render: () => void): () => void {
  waiting.add(render);
  if (!isRendering) {
    isRendering = true;
    void renderAll().finally(() => (isRendering = false));
  }
  return () => waiting.delete(render);
}

async function renderAll(): Promise<void> {
  while (waiting.size > 0) {
    await nextTask();
    const endsAt = performance.now() + turnMs;
    for (const render of waiting) {
      waiting.delete(render);
      render();
      if (performance.now() >= endsAt) break;
    }
  }
}

/** Faster than a timer, which browsers delay after a few nested ones. */
const nextTask = async (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(undefined);
  });
