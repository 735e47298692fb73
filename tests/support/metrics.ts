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
