/** A page with many charts draws for so long at once, in milliseconds, and then lets the browser do what waits. */
const turnMs = 12;

const waiting = new Set<() => void>();
let isDrawing = false;

/** Draws when it is the turn of it: the one that came first is drawn first. Returns what takes it back. */
export function drawInTurn(draw: () => void): () => void {
  waiting.add(draw);
  if (!isDrawing) {
    isDrawing = true;
    void drawAll().finally(() => (isDrawing = false));
  }
  return () => waiting.delete(draw);
}

async function drawAll(): Promise<void> {
  while (waiting.size > 0) {
    await nextTask();
    const endsAt = performance.now() + turnMs;
    for (const draw of waiting) {
      waiting.delete(draw);
      draw();
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
