import { useEffect, useRef, useState } from 'react';
import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import { call } from '../../app/api.ts';
import { randomId } from '../../../client/random-id.ts';
import { sendFile } from './send-file.ts';
import { withFiles, type Upload } from './uploads.ts';

/** The server accepts four at once per organization; other people may be uploading, too. */
const maxConcurrent = 2;

export interface Uploads {
  readonly uploads: readonly Upload[];
  /** Whether leaving the page would lose a file. */
  readonly isBusy: boolean;
  /** Starts to upload files. */
  choose(files: readonly File[]): void;
  /** Removes a file from the list, and cancels or deletes its upload. */
  remove(id: string): void;
  retry(id: string): void;
  /** Shows that a file became a table. */
  finish(id: string, table: SourceTable): void;
}

/** Uploads files of an organization, to preview and import them. Leaving the page cancels them. */
export function useUploads(orgId: string): Uploads {
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

  async function send({ id, file }: Upload): Promise<void> {
    const controller = new AbortController();
    running.current.set(id, controller);
    const onSent = (sentBytes: number) => setState(id, { kind: 'sending', sentBytes });
    onSent(0);
    try {
      const { id: uploadId } = await sendFile(orgId, file, { onSent, signal: controller.signal });
      setState(id, { kind: 'sent', uploadId });
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

  function start(added: readonly Upload[]): void {
    waiting.current.push(...added.filter(({ state }) => state.kind === 'waiting'));
    next();
  }

  return {
    uploads,
    isBusy: uploads.some(({ state }) => ['waiting', 'sending', 'sent'].includes(state.kind)),
    choose(files) {
      const all = withFiles(uploads, files, randomId);
      setUploads(all);
      start(all.slice(uploads.length));
    },
    remove(id) {
      waiting.current = waiting.current.filter((upload) => upload.id !== id);
      running.current.get(id)?.abort();
      const state = uploads.find((upload) => upload.id === id)?.state;
      // What can't be deleted now expires.
      if (state?.kind === 'sent')
        void call('DELETE /api/uploads/{uploadId}', { params: { uploadId: state.uploadId } }).catch(() => {});
      setUploads((all) => all.filter((upload) => upload.id !== id));
    },
    retry(id) {
      setState(id, { kind: 'waiting' });
      start(
        uploads
          .filter((upload) => upload.id === id)
          .map((upload) => ({ ...upload, state: { kind: 'waiting' } })),
      );
    },
    finish: (id, table) => setState(id, { kind: 'done', table }),
  };
}
