/** A page with many charts renders for at most this long before it lets the browser handle other events. */
const turnMs = 12;

const waiting = new Set<() => void>();
let isRendering = false;

/** Renders charts one after the other, in the order in which they were added. Returns a function that cancels it. */
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

/** Sooner than a timer, which a browser holds back once there were some in a row. */
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
