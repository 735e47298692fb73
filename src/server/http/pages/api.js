/** The token of a link is what follows `#`: browsers do not send it to the server, so it is in no log. */
export const linkToken = () => location.hash.slice(1);

/** Returns the status and the body of an answer; every error of the API is a problem document. */
export async function post(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { ok: response.ok, body: response.status === 204 ? undefined : await response.json() };
}

export function show(text) {
  document.querySelector('[role=status]').textContent = text;
}

/** Shows a problem in words, every fault on a line of its own. */
export function showProblem({ detail, errors = [] }) {
  show([detail, ...errors.map(({ pointer, message }) => `${pointer.slice(1)} ${message}`)].join('\n'));
}

/** Calls `submit` with the fields of the page's form, and keeps the button from being pressed twice. */
export function onSubmit(submit) {
  const form = document.querySelector('form');
  const button = form.querySelector('button');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      await submit(Object.fromEntries(new FormData(form)));
    } catch {
      show('The server cannot be reached. Try again.');
    } finally {
      button.disabled = false;
    }
  });
}
