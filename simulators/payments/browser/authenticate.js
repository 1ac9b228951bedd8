// Runs in the authentication frame: reports to the simulator how it ended, then to the page around the frame.
const clientSecret = new URLSearchParams(window.location.search).get('client_secret') ?? '';
let isDone = false;

for (const button of document.querySelectorAll('button[data-outcome]')) {
  button.addEventListener('click', () => finish(button.dataset.outcome));
}
window.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') finish('failed');
});
window.addEventListener('message', ({ source, data }) => {
  if (source === window.parent && data.type === 'close') finish('failed');
});
document.querySelector('button')?.focus();

async function finish(outcome) {
  if (isDone) return;
  isDone = true;
  await fetch('/pages/authenticate', {
    method: 'POST',
    body: new URLSearchParams({ client_secret: clientSecret, outcome }),
  });
  window.parent.postMessage({ type: 'authenticated' }, '*');
}
