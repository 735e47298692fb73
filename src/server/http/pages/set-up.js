import { linkToken, onSubmit, post, show, showProblem } from '/api.js';

onSubmit(async (fields) => {
  const { ok, body } = await post('/api/set-up', { token: linkToken(), ...fields });
  if (!ok) return showProblem(body);
  document.querySelector('form').hidden = true;
  show(`Welcome, ${body.user.name}. The server is set up, and you are signed in.`);
});
