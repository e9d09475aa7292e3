// Counts the time limit down. Without this file the page still says when the limit ends.
const clock = document.querySelector('#time-left');
const meter = document.querySelector('#time-meter');
const limit = Number(clock?.dataset.limit);
const atFirst = Number(clock?.dataset.left);
const begun = performance.now();
// The sandbox clock may be stopped, or run faster than the browser's.
const rate = Number(clock?.dataset.rate);

function show() {
  const left = Math.max(0, atFirst - (performance.now() - begun) * rate);
  const seconds = Math.ceil(left / 1000);
  clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  meter.value = left / limit;
  if (left > 0) return;
  clearInterval(ticking);
  // The next page shows the payment's new state.
  location.reload();
}

const ticking = rate > 0 ? setInterval(show, 1000) : 0;

const form = document.querySelector('#challenge-form');
form?.elements.namedItem('otp').addEventListener('input', ({ target }) => {
  document.querySelector('[role="alert"]')?.remove();
  const digits = target.value.replace(/[^\d\u0660-\u0669\u06f0-\u06f9]/g, '');
  if (digits !== target.value) target.value = digits;
});

let sent = false;
form?.addEventListener('submit', (event) => {
  if (sent) event.preventDefault();
  sent = true;
});
globalThis.addEventListener('pageshow', () => {
  sent = false;
});
