/** The environment of a server whose queries `countRunningQueries` counts. */
export const metricsSettings = { ATRIUM_METRICS_TOKEN: 'metrics'.repeat(5) } as const;

/** Returns how many queries a server runs now. */
export async function countRunningQueries({ url }: { readonly url: string }): Promise<number> {
  const authorization = `Bearer ${metricsSettings.ATRIUM_METRICS_TOKEN}`;
  const response = await fetch(`${url}/metrics`, { headers: { authorization } });
  const running = parseSamples(await response.text()).find(
    ({ name, labels }) => name === 'atrium_query_workers' && labels['state'] === 'running',
  );
  if (running === undefined) throw new Error(`The metrics have no queries: ${response.status}`);
  return running.value;
}

/** One line of a scrape. */
export interface ParsedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Returns the samples of a text in the format of Prometheus. Throws if a line has another form. */
export function parseSamples(text: string): ParsedSample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !/^# (HELP|TYPE) /.test(line))
    .map((line) => {
      const [, name, labels = '', value] = /^([a-z0-9_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (name === undefined) throw new Error(`This is not a sample: ${line}`);
      const pairs = Array.from(labels.matchAll(/([a-z_]+)="([^"]*)"/g), ([, label, text]) => [label, text]);
      return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) };
    });
}
