import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { randomId } from '../../ui/browser/random-id.ts';
import { tablesQuery } from '../../ui/server-data/data-source-queries.ts';
import { sendFile } from './send-file.ts';
import { withFiles, type Upload } from './uploads.ts';

/** The server accepts four at once per organization; other people may be uploading, too. */
const maxConcurrent = 2;

export interface Uploads {
  readonly uploads: readonly Upload[];
  readonly isBusy: boolean;
  choose(files: readonly File[]): void;
  rename(id: string, table: string): void;
  /** Removes a file from the list, and cancels its upload. */
  remove(id: string): void;
  /** Uploads files that were chosen or have failed. */
  start(ids: readonly string[]): void;
}

/** Uploads files to tables of a data source. Leaving the page cancels them. */
export function useUploads(dataSourceId: string): Uploads {
  const client = useQueryClient();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const running = useRef(new Map<string, AbortController>());
  const waiting = useRef<Upload[]>([]);

  useEffect(() => {
    const controllers = running.current;
    return () => {
      waiting.current = [];
      for (const controller of controllers.values()) controller.abort();
    };
  }, []);

  const setState = (id: string, state: Upload['state']) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, state } : upload)));

  async function send({ id, file, table }: Upload): Promise<void> {
    const controller = new AbortController();
    running.current.set(id, controller);
    const onSent = (sentBytes: number) =>
      setState(id, sentBytes >= file.size ? { kind: 'reading' } : { kind: 'sending', sentBytes });
    onSent(0);
    try {
      const stored = await sendFile({ dataSourceId, table }, file, { onSent, signal: controller.signal });
      setState(id, { kind: 'done', table: stored });
      void client.invalidateQueries({ queryKey: tablesQuery(dataSourceId).queryKey });
    } catch (error) {
      if (!controller.signal.aborted) setState(id, { kind: 'failed', error });
    } finally {
      running.current.delete(id);
      next();
    }
  }

  function next(): void {
    while (running.current.size < maxConcurrent) {
      const upload = waiting.current.shift();
      if (upload === undefined) return;
      void send(upload);
    }
  }

  return {
    uploads,
    isBusy: uploads.some(({ state }) => ['waiting', 'sending', 'reading'].includes(state.kind)),
    choose: (files) => setUploads((all) => withFiles(all, files, randomId)),
    rename: (id, table) =>
      setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, table } : upload))),
    remove(id) {
      waiting.current = waiting.current.filter((upload) => upload.id !== id);
      running.current.get(id)?.abort();
      setUploads((all) => all.filter((upload) => upload.id !== id));
    },
    start(ids) {
      waiting.current.push(...uploads.filter(({ id }) => ids.includes(id)));
      for (const id of ids) setState(id, { kind: 'waiting' });
      next();
    },
  };
}
