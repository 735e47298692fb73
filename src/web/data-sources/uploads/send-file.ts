import type { Upload } from '#contract/data-sources/uploads.ts';
import { t } from '#shared/language/messages.ts';
import { addressOf, ApiProblem, proxyProblem, Unreachable } from '../../app/api.ts';
import { mediaTypeOf } from './uploads.ts';

/**
 * Uploads a file, to preview and import it. Reports how many bytes were sent, which `fetch` can't do. Throws ApiProblem,
 * Unreachable, or an AbortError.
 */
export function sendFile(
  orgId: string,
  file: File,
  { onSent, signal }: { readonly onSent: (bytes: number) => void; readonly signal: AbortSignal },
): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', addressOf('POST /api/organizations/{orgId}/uploads', { params: { orgId } }));
    request.setRequestHeader('content-type', mediaTypeOf(file.name) ?? 'application/octet-stream');
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded));
    request.addEventListener('load', () => {
      // Sound because the server validates what it sends by the contract; a problem has its media type.
      if (request.status === 201) resolve(request.response as Upload);
      else reject(problemOf(request));
    });
    request.addEventListener('error', () => reject(new Unreachable(t('The connection broke.'))));
    request.addEventListener('abort', () => reject(new DOMException(t('Cancelled'), 'AbortError')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

function problemOf(request: XMLHttpRequest): ApiProblem {
  const isProblem =
    request.getResponseHeader('content-type')?.startsWith('application/problem+json') ?? false;
  if (isProblem) return new ApiProblem(request.response as ApiProblem['problem']);
  return new ApiProblem(proxyProblem(request));
}
