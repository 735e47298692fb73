import { Unreachable } from './errors.ts';

/** Yields the lines of a body, those that arrive together as one list, without a last one that is not ended. */
export async function* readLines(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
): AsyncGenerator<readonly string[]> {
  if (body === null) return;
  let rest = '';
  for await (const text of readTexts(body)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
}

/** Yields server-sent events whose data is JSON, as HTML (section 9.2.6) defines them. */
export async function* readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
): AsyncGenerator<{ readonly event: string; readonly id?: string; readonly data: unknown }> {
  let fields = new Map<string, string>();
  for await (const lines of readLines(body)) {
    for (const ended of lines) {
      const line = ended.endsWith('\r') ? ended.slice(0, -1) : ended;
      if (line !== '') {
        const [name, value] = toField(line);
        const before = name === 'data' ? fields.get(name) : undefined;
        fields.set(name, before === undefined ? value : `${before}\n${value}`);
        continue;
      }
      const id = fields.get('id');
      const data = fields.get('data');
      const event = fields.get('event') ?? 'message';
      fields = new Map();
      if (data !== undefined)
        yield { event, ...(id !== undefined && { id }), data: JSON.parse(data) as unknown };
    }
  }
}

function toField(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  if (colon === -1) return [line, ''];
  const value = line.slice(colon + 1);
  return [line.slice(0, colon), value.startsWith(' ') ? value.slice(1) : value];
}

async function* readTexts(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    if (error instanceof TypeError) throw new Unreachable('The connection broke.', { cause: error });
    throw error;
  } finally {
    void reader.cancel().catch(() => {});
  }
}
