import { linkToken, onSubmit, post, show, showProblem } from '/api.js';

const token = linkToken();
const form = document.querySelector('form');
const read = await post('/api/invitations/read', { token });

if (!read.ok) showProblem(read.body);
else {
  const { email, role, organizationName, hasAccount } = read.body;
  document.querySelector('#invitation').textContent = hasAccount
    ? `Sign in to join ${organizationName} as ${role}.`
    : `Create your account to join ${organizationName} as ${role}.`;
  form.elements.email.value = email;
  form.elements.password.autocomplete = hasAccount ? 'current-password' : 'new-password';
  form.hidden = false;
  if (hasAccount) {
    form.querySelector('[data-for=sign-up]').remove();
    form.elements.password.removeAttribute('minlength');
  }
  onSubmit(async ({ name, password }) => {
    const steps = hasAccount
      ? [
          ['/api/auth/sign-in/email', { email, password }],
          ['/api/invitations/accept', { token }],
        ]
      : [['/api/invitations/sign-up', { token, name, password }]];
    for (const [path, body] of steps) {
      const answer = await post(path, body);
      if (!answer.ok) return showProblem(answer.body);
    }
    form.hidden = true;
    show(`Welcome to ${organizationName}. You are signed in.`);
  });
}
